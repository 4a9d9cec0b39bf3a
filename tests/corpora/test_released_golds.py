"""What a validator learns who has an account and the public files of a release."""

import random
from decimal import Decimal
from typing import Any

import pytest

from collection.models import Campaign, Question, Twin
from corpora.models import Release
from tests.api.calls import API, assert_error, client_of, ok
from tests.corpora.test_blind_for_ever import Outsider, plain, released, snapshot_of_campaign
from tests.factories import (
    SENTENCES,
    CampaignFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.filtering.stages import contents, rows
from validation.models import GoldQuestion, Seat
from validation.services import golds
from winoplatform import clock

GOLDS = 8


def distinct(number: int) -> list[str]:
    return [sentence.replace("bed", f"bed number {number}") for sentence in SENTENCES]


def a_valid_question(campaign: Campaign, number: int, *, seats: int = 0) -> Question:
    """The first question of a twin; seats wait for votes on the second."""
    twin = TwinFactory(campaign=campaign, sentences=distinct(number), seats=seats)
    question = twin.questions.get(number=1)
    question.seats.all().delete()
    VerdictFactory(question=question)
    return question


def a_gold(campaign: Campaign, number: int) -> GoldQuestion:
    question = a_valid_question(campaign, number)
    return GoldQuestion.objects.create(campaign=campaign, question=question, origin="grown")


def kitchen() -> Campaign:
    return CampaignFactory(slug="kitchen", gold_share=Decimal("0.5"))


def validate_all(campaign: Campaign) -> list[tuple[Seat, str]]:
    """Validate whatever one is given over the interface; return each seat and its sentence."""
    bob, asked = client_of(UserFactory(username="bob")), []
    while seat := bob.post(f"{API}campaigns/{campaign.slug}/seats/").json()["seat"]:
        path = f"{API}seats/{seat['id']}/"
        shown = ok(bob.post(path + "local/", {"option": None}))
        asked.append((Seat.objects.get(public_id=shown["id"]), plain(shown["sentence"])))
        assert bob.post(path + "vote/", {"option": 1, "ambiguous": False}).status_code < 300
    return asked


@pytest.fixture(autouse=True)
def coin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golds._dice, "random", random.Random(7).random)


def test_the_files_of_a_release_unmask_no_gold_question() -> None:
    """Before: all golds that were asked were recognised, each with its answer."""
    campaign, rest = kitchen(), range(GOLDS, 20)
    for number in range(GOLDS):
        a_gold(campaign, number)
    released(snapshot_of_campaign(campaign), "first", keep=1)
    unpublished = [a_gold(campaign, number).pk for number in range(100, 104)]
    for number in rest:
        TwinFactory(campaign=campaign, sentences=distinct(number), seats=1)

    asked, outsider = validate_all(campaign), Outsider().read_everything()

    assert len(asked) >= len(rest)
    assert len(outsider.answers) + len(outsider.blind) == GOLDS
    public = outsider.answers.keys() | outsider.blind
    assert [seat.gold_id for seat, sentence in asked if sentence in public] == []
    assert {seat.gold_id for seat, _ in asked} - {None} == set(unpublished)


@pytest.mark.long
def test_a_release_tells_no_answer_of_a_question_that_validators_still_have() -> None:
    """Before: the answer of each, as that of its twin is in train."""
    campaign = kitchen()
    for number in range(10):
        a_valid_question(campaign, number, seats=1)
    decided = [a_valid_question(campaign, number) for number in range(10, 20)]
    release = released(snapshot_of_campaign(campaign), "first", keep=1)
    outsider = Outsider().read_everything()
    assert len(validate_all(campaign)) == 10
    public = outsider.answers.keys() | outsider.blind
    assert public == {plain(question.sentence) for question in decided}
    assert manifest(release)["left_out"] == {"in_validation": 10}


@pytest.mark.long
def test_a_release_tells_no_answer_of_a_sentence_that_another_campaign_validates() -> None:
    """Before: 5 of 5, as only the very same twin was looked at."""
    campaign, elsewhere = kitchen(), CampaignFactory(slug="elsewhere")
    for number in range(5):
        a_valid_question(campaign, number)
        a_valid_question(elsewhere, number, seats=1)
    decided = a_valid_question(campaign, 5)
    released(snapshot_of_campaign(campaign), "first", keep=1)
    outsider = Outsider().read_everything()
    assert outsider.answers.keys() | outsider.blind == {plain(decided.sentence)}


@pytest.mark.long
def test_no_vote_is_asked_for_on_a_question_that_is_public() -> None:
    campaign = kitchen()
    question = a_valid_question(campaign, 1)
    released(snapshot_of_campaign(campaign), "first", keep=1)
    dana = client_of(UserFactory(curator=True))
    case = ok(dana.get(f"{API}questions/{question.public_id}/case/"))
    more = {"note": "Doubtful.", "revision": case["revision"]}
    answer = dana.post(f"{API}questions/{question.public_id}/one-more/", more)
    assert_error(answer, 409, "is_public")
    assert not Seat.objects.exists()


@pytest.mark.long
def test_once_their_campaign_is_closed_their_twins_are_published() -> None:
    campaign = kitchen()
    a_valid_question(campaign, 1, seats=1)
    snapshot = snapshot_of_campaign(campaign)
    Campaign.objects.update(status=Campaign.Status.CLOSED)
    assert sum(split_sizes(released(snapshot, "first", keep=1))) == 1


def manifest(release: Release) -> Any:
    return rows(contents(release)["manifest.json"].replace("\n", ""))[0]


def split_sizes(release: Release) -> list[int]:
    counts = dict(release.files.values_list("name", "rows"))
    return [counts[f"{split}.jsonl"] for split in ("train_xl", "dev", "test")]


@pytest.mark.long
@pytest.mark.parametrize("share", ["dev_share", "test_share", ""])
def test_questions_of_every_split_are_gold_no_more(share: str) -> None:
    campaign = CampaignFactory(
        gold_share="0.5", **{"dev_share": 0, "test_share": 0, **({share: 0.5} if share else {})}
    )
    for number in range(4):
        a_gold(campaign, number)
    assert all(split_sizes(released(snapshot_of_campaign(campaign), "first", keep=1))[:1])
    assert not GoldQuestion.objects.in_use().exists()
    assert set(GoldQuestion.objects.values_list("retired_for", flat=True)) == {"public"}


@pytest.mark.long
def test_a_release_of_another_campaign_with_the_same_sentence_retires_a_gold() -> None:
    here, elsewhere = kitchen(), CampaignFactory(slug="elsewhere")
    a_gold(here, 1)
    sentence = distinct(1)[1].upper()  # of the gold's twin, and typed otherwise
    twin = TwinFactory(campaign=elsewhere, sentences=[sentence])
    VerdictFactory(question=twin.questions.get())
    released(snapshot_of_campaign(elsewhere), "elsewhere", keep=1)
    assert not GoldQuestion.objects.in_use().exists()


@pytest.mark.long
@pytest.mark.parametrize("steps", [1, 2])
def test_a_gold_that_revises_what_is_released_is_asked_no_more(steps: int) -> None:
    """Before: nearly the same sentence stood in the release, with its answer."""
    campaign = kitchen()
    twin = a_valid_question(campaign, 1).twin
    snapshot = snapshot_of_campaign(campaign)
    for number in range(2, 2 + steps):
        Twin.objects.filter(pk=twin.pk).update(withdrawn_at=clock.now())
        twin = TwinFactory(campaign=campaign, sentences=distinct(number), revises=twin)
    question = twin.questions.get(number=1)
    VerdictFactory(question=question)
    gold = GoldQuestion.objects.create(campaign=campaign, question=question, origin="grown")
    released(snapshot, "first", keep=1)
    assert not GoldQuestion.objects.in_use().exists()
    gold.refresh_from_db()
    assert gold.retired_for == "public"


def test_what_was_answered_after_the_release_is_held_against_nobody() -> None:
    campaign, bob = kitchen(), UserFactory()
    gold = a_gold(campaign, 1)
    seat = SeatFactory(question=gold.question, number=None, gold=gold, worker=bob, opened=True)
    golds.note_published([gold.question.sentence])
    seat.refresh_from_db()
    assert (seat.worker, seat.gold_id) == (bob, gold.pk)  # nothing is taken from their hands
    VoteFactory(seat=seat, worker=bob, question=gold.question, is_gold=True)
    assert not golds._answers(bob, campaign).exists()
