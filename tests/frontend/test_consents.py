"""Pages of consent: each person sees only their own, with the text they accepted."""

import json
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from collection import services
from collection.models import BackgroundQuestion, Campaign, Consent
from tests.factories import (
    BackgroundAnswerFactory,
    BackgroundQuestionFactory,
    ConsentFactory,
    CrowdSessionFactory,
    GuidelineFactory,
    TwinFactory,
    VoteFactory,
)
from tests.frontend.pages import words
from workers.models import User

TOLD = "a very rare option"


def accepted(worker: User, campaign: Campaign, skill: str = "write") -> Consent:
    guideline = campaign.guideline or GuidelineFactory(campaign=campaign, text="The first words.")
    consent: Consent = ConsentFactory(worker=worker, guideline=guideline, skill=skill)
    return consent


def test_a_person_reads_the_words_of_then(as_bob: Client, bob: User, campaign: Campaign) -> None:
    consent = accepted(bob, campaign)
    services.publish_guideline(campaign=campaign, text="Others.", contact="Erin", data_use="None.")
    page = words(as_bob.get(reverse("my-consent", args=[consent.public_id])))
    assert "The first words." in page
    assert "the person who invited you" in page
    assert "Erin" not in page
    assert "Version 1, write" in words(as_bob.get(reverse("my-consents")))


def test_another_persons_consent_is_not_there(
    as_carol: Client, bob: User, campaign: Campaign
) -> None:
    consent = accepted(bob, campaign)
    address = reverse("my-consent", args=[consent.public_id])
    assert as_carol.get(address).status_code == 404
    assert "Kitchen" not in words(as_carol.get(reverse("my-consents")))


@pytest.mark.long
def test_answers_are_read_by_their_person_alone(
    browse: Callable[[User], Client], bob: User, dana: User, campaign: Campaign
) -> None:
    accepted(bob, campaign)
    TwinFactory(author=bob, campaign=campaign)
    VoteFactory(worker=bob)
    question = BackgroundQuestionFactory(campaign=campaign, options=["left", TOLD])
    BackgroundAnswerFactory(worker=bob, question=question, options=[2])
    as_dana, slug = browse(dana), campaign.slug
    pages = ("campaign-background", "campaign", "quality", "data", "my-background")
    places = [reverse(name, args=[slug]) for name in pages]
    places += [reverse("person", args=[bob.public_id]), reverse("people")]
    api = "/api/v1/"
    places += [f"{api}campaigns/{slug}/background/{part}" for part in ("mine/", "counts/")]
    places += [f"{api}campaigns/{slug}/export/people", f"{api}campaigns/{slug}/export/consents"]
    for place in places:
        answer = as_dana.get(place)
        text = b"".join(answer).decode() if answer.streaming else answer.content.decode()
        assert '"chosen":[2]' not in text.replace(" ", "")
        # as a question with its options, and not as what one person said
        assert TOLD not in text or bob.public_id not in text


@pytest.mark.long
def test_a_curator_chooses_questions_and_sees_no_count_of_few(
    as_dana: Client, campaign: Campaign
) -> None:
    address = reverse("campaign-background", args=[campaign.slug])
    own = "* Which hands?\n- left\n- right\n\nWhich foot?\n- left\n- right"
    assert as_dana.post(address, {"codes": ["age"], "own": own}).status_code == 302
    rows = BackgroundQuestion.objects.asked_in(campaign)
    assert [(row.text, row.many) for row in rows] == [
        ("How old are you?", False), ("Which hands?", True), ("Which foot?", False),
    ]  # fmt: skip
    assert own in as_dana.get(address).content.decode().replace("\r", "")
    wrong = as_dana.post(address, {"codes": [], "own": "- left"})
    assert wrong.status_code == 400
    assert "Write a question before its options." in words(wrong)
    assert "when 10 or more people have answered" in words(as_dana.get(address))
    as_dana.post(address, {"publish": ""})
    assert not campaign.background_editions.exists()


def test_questions_are_asked_after_the_first_consent_alone(
    as_bob: Client, bob: User, campaign: Campaign
) -> None:
    GuidelineFactory(campaign=campaign)
    BackgroundQuestionFactory(campaign=campaign)
    accept = reverse("accept-guidelines", args=[campaign.slug])
    first = as_bob.post(accept, {"version": 1, "skill": "validate"})
    assert first["Location"].endswith("/about-me/?skill=validate")
    second = as_bob.post(accept, {"version": 1, "skill": "write"})
    assert second["Location"] == reverse("join", args=[campaign.slug])


def test_a_participant_withdraws_and_reads_the_code(
    browse: Callable[[User], Client], campaign: Campaign
) -> None:
    session = CrowdSessionFactory(study__campaign=campaign)
    worker = session.participant.worker
    accepted(worker, campaign)
    client = browse(worker)
    store = client.session
    store["crowd_session"] = str(session.public_id)
    store.save()
    address = reverse("withdraw-consent", args=[campaign.slug])
    assert "Your session ends" in words(client.get(address))
    done = client.post(address, follow=True)
    assert session.study.failure_code in words(done)


def test_the_api_accepts_withdraws_and_lists(as_bob: Client, bob: User, campaign: Campaign) -> None:
    accepted(bob, campaign)
    gone = as_bob.post(f"/api/v1/campaigns/{campaign.slug}/guidelines/withdraw/")
    assert gone.status_code == 200
    [row] = json.loads(as_bob.get("/api/v1/consents/").content)["results"]
    assert (row["version"], row["campaign"], bool(row["withdrawn_at"])) == (1, campaign.slug, True)
