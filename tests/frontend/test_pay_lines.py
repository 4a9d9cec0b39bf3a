"""Each line of a worker's pay leads to its work; where rewards are 0, no page states an amount."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection import services as collection
from collection.models import Campaign, CrowdSession, Participant, SessionCredit, Twin
from frontend.earnings import Today, written_today
from frontend.templatetags.pages import reward
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    LedgerEntryFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from tests.frontend.pages import source, words
from tests.frontend.test_setup import NEW
from tests.knowledge import annotating
from tests.knowledge.formalising import paying, qualified
from tests.panels.people import of_a_set
from validation import services as validation
from validation.models import Appeal, TwinReturn
from validation.selectors.free_seats import FEWEST, usual_gap
from validation.services.review import appeals
from workers.models import LedgerEntry, User

Kind = LedgerEntry.Kind


def paid(worker: User, campaign: Campaign, kind: str, unit: object, amount: str) -> LedgerEntry:
    return LedgerEntryFactory(
        worker=worker, kind=kind, unit=str(unit), amount=Decimal(amount), budget=campaign.public_id
    )


def test_a_line_links_to_its_twin_and_says_why_its_pay_was_taken_back(
    as_alice: Client, alice: User, campaign: Campaign
) -> None:
    twin = TwinFactory(campaign=campaign, author=alice, withdrawn_at=timezone.now())
    paid(alice, campaign, Kind.TWIN, twin.public_id, "0.40")
    paid(alice, campaign, Kind.ADJUSTMENT, twin.public_id, "-0.40")
    for name in ("my-pay", "my-work"):
        page = as_alice.get(reverse(name))
        assert source(page).count(f'href="{reverse("receipt", args=[twin.public_id])}"') >= 2
        assert "adjustment trophy / suitcase You withdrew this twin." in words(page)


def test_a_revised_twins_pay_says_that_the_new_text_is_paid(
    as_alice: Client, alice: User, campaign: Campaign
) -> None:
    old = TwinFactory(campaign=campaign, author=alice, withdrawn_at=timezone.now())
    TwinFactory(campaign=campaign, author=alice, revises=old)
    paid(alice, campaign, Kind.ADJUSTMENT, old.public_id, "-0.40")
    assert "You revised this text; the new one is paid" in words(as_alice.get(reverse("my-pay")))


def test_a_control_questions_line_looks_like_any_other(
    as_alice: Client, alice: User, campaign: Campaign
) -> None:
    twins = TwinFactory.create_batch(2, campaign=campaign)
    one, other = (VoteFactory(worker=alice, question=twin.questions.first()) for twin in twins)
    paid(alice, campaign, Kind.VOTE, one.public_id, "0.03")
    paid(alice, campaign, Kind.GOLD, other.public_id, "0.03")
    page = as_alice.get(reverse("my-pay"))
    assert words(page).count("question validated The trophy") == 2
    for vote in (one, other):
        link = f"{reverse('my-work')}?question={vote.public_id}"
        assert f'href="{link}#votes"' in source(page)
        shown = words(as_alice.get(link))
        assert "Show all" in shown
        assert shown.count("not ambiguous") == 1


def test_what_a_platform_pays_is_apart(as_alice: Client, alice: User, campaign: Campaign) -> None:
    paid(alice, campaign, Kind.TWIN, "own", "0.40")
    theirs = TwinFactory(campaign=campaign, author=alice)
    paid(alice, campaign, Kind.TWIN, theirs.public_id, "0.70")
    person = Participant.objects.create(provider="generic", external_id="p", worker=alice)
    session = CrowdSession.objects.create(
        study=StudyFactory(campaign=campaign),
        participant=person,
        external_id="1",
        status=CrowdSession.Status.COMPLETED,
        ended_at=timezone.now(),
    )
    SessionCredit.objects.create(session=session, unit=theirs.public_id)
    text = words(as_alice.get(reverse("my-pay")))
    assert "Pending $0.40" in text
    assert "$0.70 more is for work in sessions of a crowd platform" in text
    assert "by the platform $0.70" in text


@pytest.mark.long
def test_an_answer_to_an_appeal_is_news_and_shows_what_it_is_about(
    as_alice: Client, alice: User, dana: User, campaign: Campaign
) -> None:
    question = TwinFactory(campaign=campaign, author=alice).questions.first()
    made = Appeal.objects.create(
        worker=alice,
        campaign=campaign,
        subject="question",
        unit=question.public_id,
        text="It is clear.",
    )
    assert "Your appeal" not in words(as_alice.get(reverse("home")))
    appeals.answer_appeal(appeal_id=made.public_id, upheld=False, answer="It is not.", by=dana)
    assert "Your appeal was declined: “It is not.”" in words(as_alice.get(reverse("home")))
    shown = words(as_alice.get(reverse("my-appeals")))
    assert "The trophy did not fit" in shown
    assert "Your appeal: “It is clear.”" in shown
    as_alice.post(reverse("see-news"))
    assert "Your appeal was declined" not in words(as_alice.get(reverse("home")))


def test_a_returned_twins_note_stands_where_it_is_revised_with_its_pay(
    as_alice: Client, alice: User, dana: User, campaign: Campaign
) -> None:
    assignment = AssignmentFactory(worker=alice, campaign=campaign)
    twin = TwinFactory(campaign=campaign, author=alice, assignment=assignment)
    TwinReturn.objects.create(twin=twin, by=dana, note="Say who is taller.")
    text = words(as_alice.get(reverse("revise-twin", args=[twin.public_id])))
    assert "“Say who is taller.”" in text
    assert "The new text is not paid a second time" in text


def test_writers_see_their_twins_of_today(alice: User, campaign: Campaign) -> None:
    now = timezone.now()
    assert written_today(alice, campaign, now) == Today(0, Decimal("0.00"))
    twin = TwinFactory(campaign=campaign, author=alice, created_at=now)
    TwinFactory(campaign=campaign, author=alice, created_at=now - timedelta(days=2))
    paid(alice, campaign, Kind.TWIN, twin.public_id, "0.40")
    assert written_today(alice, campaign, now) == Today(1, Decimal("0.40"))


def test_the_usual_wait_is_of_past_days_only(campaign: Campaign) -> None:
    now = timezone.now()
    noon = (now - timedelta(days=1)).replace(hour=12, minute=0)
    for number in range(FEWEST + 1):
        TwinFactory(campaign=campaign, created_at=noon + timedelta(minutes=7 * number))
    assert usual_gap(campaign, now) == 7 * 60
    TwinFactory.create_batch(5, campaign=campaign, created_at=now)  # today's do not tell
    assert usual_gap(campaign, now) == 7 * 60
    Twin.objects.filter(created_at__gt=noon + timedelta(minutes=10)).update(created_at=now)
    assert usual_gap(campaign, now) is None


def test_an_empty_queue_looks_again_by_itself(as_bob: Client, campaign: Campaign) -> None:
    there = reverse("validate", args=[campaign.slug])
    nothing = as_bob.post(there)
    assert 'hx-trigger="every 60s"' in source(nothing)
    assert "This page looks again every minute." in words(nothing)
    waiting = as_bob.get(f"{there}?waiting", headers={"HX-Request": "true"})
    assert "Nothing to validate at the moment" in words(waiting)
    assert "data-focus" not in source(waiting)
    TwinFactory(campaign=campaign, seats=3)
    ready = as_bob.get(f"{there}?waiting", headers={"HX-Request": "true"})
    assert "There are questions for you." in words(ready)
    assert "every 60s" not in source(ready)


@pytest.mark.long
def test_the_wizard_warns_below_the_hourly_floor(as_dana: Client) -> None:
    proposed = words(as_dana.get(reverse("new-campaign")))
    assert "Validating pays about $4.91 an hour, at 22 seconds each." in proposed
    low = NEW | {"name": "Low", "reward_twin": "1.50", "hourly_floor": "12"}
    shown = words(as_dana.post(reverse("new-campaign"), low, follow=True))
    assert "Below the lowest hourly rate: Validating pays about $4.91 an hour" in shown
    fair = low | {"name": "Fair", "reward_vote": "0.10"}
    shown = words(as_dana.post(reverse("new-campaign"), fair, follow=True))
    assert "Below the lowest hourly rate" not in shown
    assert Campaign.objects.count() == 2


Browse = Callable[[User], Client]
FREE = {"reward_twin": 0, "reward_vote": 0, "reward_exercise": 0}


@pytest.fixture
def unpaid(db: None) -> Campaign:
    campaign = CampaignFactory(slug="free", **FREE)
    ArticleFactory(campaign=campaign)
    return campaign


def is_unpaid(client: Client, address: str, times: int = 1) -> bool:
    page = client.get(address)
    text = words(page)
    assert page.status_code == 200, address
    assert "0.00" not in text, text
    return text.count("unpaid") == times


@pytest.mark.long
def test_the_pages_before_the_work_say_that_it_is_unpaid(unpaid: Campaign, browse: Browse) -> None:
    worker = browse(UserFactory())
    assert is_unpaid(worker, "/", times=2)
    assert is_unpaid(worker, reverse("author", args=["free"]))
    assert is_unpaid(worker, reverse("validate", args=["free"]))
    collection.publish_guideline(campaign=unpaid, text="Be kind.")
    assert is_unpaid(worker, reverse("join", args=["free"]))
    assert is_unpaid(worker, reverse("join-validate", args=["free"]))
    curator = browse(UserFactory(curator=True))
    assert is_unpaid(curator, reverse("campaign-preview", args=["free"]))


def test_the_work_itself_states_no_amount(unpaid: Campaign, browse: Browse) -> None:
    writer, validator = UserFactory(), UserFactory()
    collection.request_assignment(worker=writer, campaign=unpaid)
    assert is_unpaid(browse(writer), reverse("author", args=["free"]), times=0)
    TwinFactory(campaign=unpaid, seats=3)
    validation.claim_seat(worker=validator, campaign=unpaid)
    assert is_unpaid(browse(validator), reverse("validate", args=["free"]))


def test_a_human_evaluation_says_that_it_is_unpaid(unpaid: Campaign, browse: Browse) -> None:
    evaluation = of_a_set(campaign=unpaid, reward=0)
    worker = browse(UserFactory())
    here = reverse("answer-human", args=[evaluation.public_id])
    assert is_unpaid(worker, "/", times=3)
    assert is_unpaid(worker, here, times=2)
    worker.post(here)
    assert is_unpaid(worker, here)


@pytest.mark.long
@pytest.mark.parametrize("price", [{"reward": 0}, {"whole_set": 0}])
def test_the_validation_of_a_set_says_that_it_is_unpaid(
    unpaid: Campaign, browse: Browse, price: dict[str, int]
) -> None:
    of = annotating.knowledge_set(campaign=unpaid)
    asked = annotating.validation(of=of, **price)
    worker = browse(UserFactory())
    assert is_unpaid(worker, "/", times=3)
    assert is_unpaid(worker, reverse("answer-human", args=[asked.public_id]))


def test_formalising_says_that_it_is_unpaid(unpaid: Campaign, browse: Browse) -> None:
    of = paying(campaign=unpaid, formalisation_reward=0, exercise=["t-1"])
    assert is_unpaid(browse(UserFactory()), reverse("knowledge-exercise", args=[of.name]))
    worker = browse(qualified(of))
    address = reverse("knowledge-question", args=[of.name, "t-1"])
    assert is_unpaid(worker, address)
    worker.post(reverse("take-question", args=[of.name, "t-1"]))
    assert is_unpaid(worker, address)


def test_a_studys_preview_states_no_amount(unpaid: Campaign, browse: Browse) -> None:
    study = StudyFactory(campaign=unpaid, skill="validate")
    page = browse(UserFactory()).get(reverse("arrive", args=[study.public_id]))
    assert "0.00" not in words(page)


def test_a_reward_is_its_amount_or_nothing() -> None:
    assert (reward(0, "USD"), reward(0.4, "USD")) == ("", "$0.40")  # type: ignore[arg-type]
