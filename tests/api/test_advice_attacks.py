"""Attacks: what an account learns of other people's twins by asking for advice."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Assignment, Campaign, PublishedAnswer, Twin
from corpora.models import Draw
from tests.api.calls import API, assert_error, client_of, ok
from tests.collection.stored_twins import stored
from tests.factories import (
    OPTIONS,
    AssignmentFactory,
    CampaignFactory,
    SeatFactory,
    UserFactory,
)
from tests.frontend.pages import typed

NOT_PUBLIC = ("dev", "test", "withheld", "")
SHOWN = 5  # twins with a word in train: one more makes or breaks `LEAST_BITS`
SECRET = "Quixote"


def sentence(word: str, name: str = "Mona") -> str:
    return f"{name} put the trophy beside the suitcase on the shelf since the _ was far too {word}."


def written(campaign: Campaign, word: str, *, first: bool = True, split: str = "") -> Twin:
    """Another person's twin in which *word* goes with the option named first, or second."""
    sides = sentence(word), sentence(f"other{uuid.uuid4().hex[:8]}")
    twin = stored(campaign, sides if first else sides[::-1])
    if split:
        drawn(twin, split)
    return twin


def drawn(twin: Twin, split: str) -> None:
    """As `corpora.drawing` stores it."""
    Draw.objects.create(twin=twin, split=split, origin="linked", is_pair=True)
    if split == "train":
        PublishedAnswer.objects.create(twin=twin)


def body(word: str, **changes: Any) -> dict[str, Any]:
    sides = sentence(word), sentence("unheard")
    fields = {"sentences": sides, "options": OPTIONS, "answers": [1, 2], "anchor": "suitcase"}
    return fields | {"domain": "physical"} | changes


def advise(held: Assignment, word: str, **changes: Any) -> Any:
    address = f"{API}assignments/{held.public_id}/advise/"
    return client_of(held.worker).post(address, body(word, **changes))


def codes(response: Any) -> set[str]:
    return {finding["code"] for finding in ok(response)}


@pytest.fixture
def held(db: None) -> Assignment:
    return AssignmentFactory(campaign=CampaignFactory(slug="winter", trigger_uses_max=99))


# -- labels ----------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_bare_yes_or_no_tells_no_blind_label(held: Assignment) -> None:
    labels = {split + str(n): n % 3 > 0 for split in NOT_PUBLIC for n in range(5)}
    for word, label in labels.items():
        for _ in range(SHOWN):
            written(held.campaign, word, split="train")
        written(held.campaign, word, first=label, split=word.rstrip("01234"))
    read = {word: "pair_association" in codes(advise(held, word)) for word in labels}
    assert read == dict.fromkeys(labels, True)  # as train says; `read` was `labels`, 20 of 20


@pytest.mark.parametrize("label", [True, False])
def test_nor_does_a_campaign_in_which_advice_refuses(held: Assignment, label: bool) -> None:
    Campaign.objects.update(blocking=["pair_association"])
    for _ in range(SHOWN):
        written(held.campaign, "wide", split="train")
    written(held.campaign, "wide", first=label, split="test")
    address = f"{API}assignments/{held.public_id}/twin/"
    sent = body("wide", client_key=str(uuid.uuid4()))
    details = assert_error(client_of(held.worker).post(address, sent), 400, "rules_broken")
    assert [finding["code"] for finding in details["findings"]][-1] == "pair_association"


@pytest.mark.parametrize("label", [True, False])
def test_nor_do_ones_own_twins_beside_a_single_other_one(held: Assignment, label: bool) -> None:
    theirs = written(held.campaign, "wide", first=label)
    for _ in range(SHOWN - 1):
        written(held.campaign, "wide")
    Twin.objects.exclude(pk=theirs.pk).update(author=held.worker)
    assert "pair_association" not in codes(advise(held, "wide"))


def test_ones_own_habit_and_a_public_one_are_still_told(held: Assignment) -> None:
    for number in range(SHOWN):
        written(held.campaign, "wide")
        written(held.campaign, "tall", split="train")
        assert ("pair_association" in codes(advise(held, "tall"))) == (number == SHOWN - 1)
    assert "pair_association" not in codes(advise(held, "wide"))
    Twin.objects.filter(draw=None).update(author=held.worker)
    assert "pair_association" in codes(advise(held, "wide"))


# -- sentences and numbers -------------------------------------------------------------------------


def answers(held: Assignment) -> list[str]:
    """Everything that tells of advice: asked for, refused, stored, listed; pages and API."""
    api, page = client_of(held.worker), Client()
    page.force_login(held.worker)
    fields = typed(sentence1=sentence("wide"), sentence2=sentence("unheard"))
    sent = body("wide", client_key=fields["client_key"])
    submit = f"{API}assignments/{held.public_id}/twin/"
    said = [
        advise(held, "wide"),
        page.post(reverse("advise-twin", args=[held.public_id]), fields),
    ]
    Campaign.objects.update(blocking=["near_duplicate", "pair_association", "trigger_overused"])
    said += [api.post(submit, sent)]
    said += [page.post(reverse("submit-twin", args=[held.public_id]), fields)]
    Campaign.objects.update(blocking=[])
    said += [api.post(submit, sent)]
    [twin] = Twin.objects.filter(author=held.worker)
    assert {"near_duplicate", "pair_association", "trigger_overused"} <= set(twin.warnings)
    said += [api.get(f"{API}twins/"), api.get(f"{API}twins/{twin.public_id}/")]
    said += [page.get(reverse("receipt", args=[twin.public_id]))]
    said += [api.get(f"{API}assignments/"), api.get(f"{API}assignments/{held.public_id}/")]
    return [response.content.decode() for response in said]


def test_no_answer_quotes_another_writer_or_counts_their_labels(held: Assignment) -> None:
    Campaign.objects.update(trigger_uses_max=7)
    for _ in range(7):
        sides = sentence("wide", SECRET), sentence("unheard", SECRET)
        twin = stored(held.campaign, sides)
        drawn(twin, "train")
    said = answers(held)
    for text in said:
        assert SECRET not in text
        for told in ("alike", "7 of 7", "right in", '"value":', '"example":', "7 other"):
            assert told not in text
    assert sum("very similar" in text for text in said) >= 5  # the control: it was advice


def test_curators_read_what_the_advice_rests_on(held: Assignment) -> None:
    stored(held.campaign, (sentence("wide", SECRET), sentence("unheard", SECRET)))
    answers_before = codes(advise(held, "wide"))
    assert answers_before == {"near_duplicate"}
    sent = body("wide", client_key=str(uuid.uuid4()))
    client_of(held.worker).post(f"{API}assignments/{held.public_id}/twin/", sent)
    [twin] = Twin.objects.filter(author=held.worker)
    seen = ok(client_of(UserFactory(curator=True)).get(f"{API}twins/{twin.public_id}/"))
    assert SECRET in seen["advice"][0]["example"]
    assert seen["advice"][0]["value"] > 0.6


# -- who may ask -----------------------------------------------------------------------------------


def test_nobody_asks_without_an_assignment_of_their_own(held: Assignment) -> None:
    stranger = client_of(UserFactory())
    assert stranger.post(f"{API}campaigns/winter/advise/", body("wide")).status_code == 404
    theirs = f"{API}assignments/{held.public_id}/advise/"
    assert_error(stranger.post(theirs, body("wide")), 404, "not_found")
    page = Client()
    page.force_login(UserFactory())
    fields = typed(sentence1=sentence("wide"), sentence2=sentence("unheard"))
    assert page.post(reverse("advise-twin", args=[held.public_id]), fields).status_code == 404


@pytest.mark.parametrize("label", [True, False])
def test_a_question_in_hand_tells_nothing_though_its_twin_is_in_train(
    held: Assignment, label: bool
) -> None:
    """Before: warned for one answer and not for the other, while the release withholds the twin."""
    for _ in range(SHOWN - 1):
        written(held.campaign, "wide", split="train")
    twin = written(held.campaign, "wide", first=label, split="train")
    SeatFactory(question=twin.questions.get(number=2), worker=held.worker)
    assert "pair_association" not in codes(advise(held, "wide"))
