"""What the validation page says around the question: receipt, undo, lease, notices, refusals."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection import services as collection
from collection.models import Campaign, Twin
from tests.factories import (
    CrowdSessionFactory,
    ExerciseItemFactory,
    PauseFactory,
    QualificationFactory,
    TwinFactory,
    VoteFactory,
)
from tests.frontend.pages import HTMX, source, words
from validation import services
from validation.models import Case, PassedSeat, QualityNotice, Seat, Vote
from workers.models import User

pytestmark = pytest.mark.usefixtures("noon")
VOTE = {"option": "1", "clarity": "clear"}


@pytest.fixture
def twins(campaign: Campaign, alice: User) -> list[Twin]:
    return [TwinFactory(campaign=campaign, author=alice, seats=3) for _ in range(2)]


@pytest.fixture
def seat(twins: list[Twin], bob: User, campaign: Campaign) -> Seat:
    """A question whose sentence Bob has uncovered."""
    seat = services.claim_seat(worker=bob, campaign=campaign)
    return services.answer_local(worker=bob, seat_id=seat.public_id, shown_option=None)


def page(client: Client, name: str = "validate", *args: object, **options: Any) -> HttpResponse:
    return client.get(reverse(name, args=["kitchen", *args]), **options)


def post(
    client: Client, name: str, *args: object, data: dict[str, str] | None = None
) -> HttpResponse:
    return client.post(reverse(name, args=["kitchen", *args]), data or {}, headers=HTMX)


def test_a_vote_that_comes_after_the_next_question_gets_a_receipt_alone(
    as_bob: Client, seat: Seat
) -> None:
    response = post(as_bob, "cast-vote", seat.public_id, data=VOTE | {"shown": "1"})
    assert words(response) == "Your vote is recorded. Undo U 1 validated today · $0.03"
    assert not Seat.objects.filter(answered_at=None).exclude(worker=None).exists()


def test_sent_again_it_is_acknowledged_again_and_otherwise_it_is_said(
    as_bob: Client, seat: Seat
) -> None:
    sent = VOTE | {"shown": "1"}
    first, again = (post(as_bob, "cast-vote", seat.public_id, data=sent) for _ in range(2))
    assert (again.status_code, words(again)) == (200, words(first))
    other = post(as_bob, "cast-vote", seat.public_id, data=sent | {"option": "2"})
    assert other.status_code == 409
    assert "Your answer to the last question was not saved." in words(other)


def test_the_next_question_can_be_had_ahead_and_only_that_one(
    as_bob: Client, seat: Seat, bob: User
) -> None:
    first, again = (post(as_bob, "validate-ahead") for _ in range(2))
    assert "Step 1 of 2" in words(first)
    assert Seat.objects.filter(worker=bob, answered_at=None).count() == 2
    ahead = Seat.objects.filter(worker=bob, local_at=None).get()
    assert str(ahead.public_id) in source(first)
    assert str(ahead.public_id) in source(again)
    assert "Step 2 of 2" in words(page(as_bob))


def test_with_nothing_ahead_there_is_nothing_to_show(as_bob: Client, seat: Seat) -> None:
    Seat.objects.filter(worker=None).delete()
    assert post(as_bob, "validate-ahead").status_code == 204


def test_a_beat_prolongs_the_lease_and_says_until_when(as_bob: Client, seat: Seat) -> None:
    Seat.objects.filter(pk=seat.pk).update(leased_until=timezone.now() + timedelta(seconds=9))
    response = post(as_bob, "beat", seat.public_id)
    later = Seat.objects.get(pk=seat.pk).leased_until
    assert later > timezone.now() + timedelta(minutes=2)
    assert f"yours until {later:%H:%M} UTC" in words(response)
    assert 'data-every="60"' in source(response)


def test_a_beat_that_comes_too_late_shows_the_way_on(as_bob: Client, seat: Seat) -> None:
    Seat.objects.filter(pk=seat.pk).update(leased_until=timezone.now() - timedelta(seconds=9))
    response = post(as_bob, "beat", seat.public_id)
    assert response.status_code == 410
    assert "no longer yours" in words(response)
    assert "Next question" in words(response)


def test_undo_shows_what_was_said_and_stores_what_is_said_now(as_bob: Client, seat: Seat) -> None:
    said = {"option": "2", "clarity": "both", "comment": "A <b>", "report": "offensive"}
    post(as_bob, "cast-vote", seat.public_id, data=said | {"shown": "1"})
    undo = source(page(as_bob, "validate-undo"))
    assert 'value="2" data-key="2" required checked' in undo
    assert 'name="clarity" value="both"' in undo
    assert "your answer" in undo
    assert "A &lt;b&gt;" in undo
    after = post(as_bob, "amend-vote", seat.public_id, data=VOTE)
    assert "Your vote is changed." in words(after)
    assert "Step 1 of 2" in words(after)
    vote = Vote.objects.get()
    assert (vote.ambiguous, vote.comment, vote.report) == (False, "", "")


def test_half_an_amendment_keeps_the_page_open(as_bob: Client, seat: Seat) -> None:
    post(as_bob, "cast-vote", seat.public_id, data=VOTE | {"shown": "1"})
    response = post(as_bob, "amend-vote", seat.public_id, data={"option": "1"})
    assert response.status_code == 400
    assert "Choose whether the question is ambiguous." in words(response)
    assert "Change your last answer" in words(response)


def test_too_late_to_undo_is_said_calmly(as_bob: Client, seat: Seat, bob: User) -> None:
    post(as_bob, "cast-vote", seat.public_id, data=VOTE)
    following = Seat.objects.get(worker=bob, answered_at=None)
    assert "Undo" in words(page(as_bob))
    post(as_bob, "answer-local", following.public_id, data={"option": "0"})
    assert "Undo" not in words(page(as_bob))
    assert "can no longer be changed" in words(page(as_bob, "validate-undo"))
    late = post(as_bob, "amend-vote", seat.public_id, data=VOTE | {"option": "2"})
    assert late.status_code == 409


@pytest.mark.parametrize("step", [1, 2])
def test_a_question_given_back_with_a_report_lies_on_the_desk(
    step: int, as_bob: Client, seat: Seat
) -> None:
    if step == 1:
        Seat.objects.filter(pk=seat.pk).update(local_at=None)
    post(as_bob, "return-seat", seat.public_id, data={"report": "no_sentence"})
    passed = PassedSeat.objects.get()
    assert (passed.report, passed.question, passed.blocked) == ("no_sentence", seat.question, True)
    case = Case.objects.get()
    assert (case.question, case.reports, case.closed_at) == (seat.question, 1, None)


@pytest.mark.parametrize("report", ["", "nonsense"])
def test_without_a_reason_it_is_given_back_all_the_same(
    report: str, as_bob: Client, seat: Seat
) -> None:
    post(as_bob, "return-seat", seat.public_id, data={"report": report})
    assert PassedSeat.objects.get().report == ""
    assert not Case.objects.exists()


def test_a_warning_is_shown_until_it_was_read(
    as_bob: Client, seat: Seat, bob: User, campaign: Campaign
) -> None:
    Campaign.objects.update(gold_share="0.10")
    QualityNotice.objects.create(
        worker=bob, campaign=campaign, kind="warning", n_right=2, n_answers=9
    )
    voted = post(as_bob, "cast-vote", seat.public_id, data=VOTE | {"shown": "1"})
    for text in (words(voted), words(page(as_bob))):
        assert "Some of your recent answers were wrong." in text
    post(as_bob, "see-notice")
    assert QualityNotice.objects.get().seen_at is not None
    assert "Some of your recent answers" not in words(page(as_bob))


def test_todays_count_is_of_this_campaign_and_day(
    as_bob: Client, bob: User, campaign: Campaign, twins: list[Twin]
) -> None:
    VoteFactory(worker=bob)
    for days in (0, 2):
        question = TwinFactory(campaign=campaign).questions.first()
        given = VoteFactory(worker=bob, question=question)
        moment = timezone.now() - timedelta(days=days)
        Seat.objects.filter(pk=given.seat_id).update(
            answered_at=moment, local_at=moment, reward="0.05"
        )
    assert "1 validated today · $0.05" in words(page(as_bob))


# -- what is in the way ----------------------------------------------------------------------------


@pytest.mark.long
def test_a_paused_validator_reads_the_reason_and_how_to_appeal(
    as_bob: Client, bob: User, twins: list[Twin]
) -> None:
    pause = PauseFactory(worker=bob, by=None, reason="Too hasty.")
    appeal = reverse("make-appeal", args=["pause", pause.pk])
    for response in (page(as_bob), post(as_bob, "validate"), as_bob.get("/")):
        assert "Too hasty." in words(response)
        assert appeal in source(response)
    assert "curator’s reason" not in words(page(as_bob))


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("votes_per_worker_max", "limit of 0 questions per person"),
        ("votes_per_day_max", "limit of 0 questions in 24 hours"),
    ],
)
def test_a_limit_is_said_with_the_way_out(
    limit: str, said: str, as_bob: Client, twins: list[Twin]
) -> None:
    Campaign.objects.update(**{limit: 0})
    response = post(as_bob, "validate")
    assert response.status_code == 409
    assert said in words(response)
    assert "My work" in words(response)
    assert "Check again" not in words(response)


def test_when_to_come_back_is_said(
    as_bob: Client, bob: User, campaign: Campaign, seat: Seat
) -> None:
    Campaign.objects.update(votes_per_day_max=1)
    response = post(as_bob, "cast-vote", seat.public_id, data=VOTE)
    assert response.status_code == 200  # the vote itself was well
    assert "Your vote is recorded." in words(response)
    assert "You can continue at" in words(response)


@pytest.mark.long
def test_what_is_to_do_first_leads_to_the_joining_page(
    as_bob: Client, bob: User, campaign: Campaign, twins: list[Twin]
) -> None:
    collection.publish_guideline(campaign=campaign, text="Read me.")
    ExerciseItemFactory(campaign=campaign, skill="validate", part="training")
    join = reverse("join-validate", args=["kitchen"])
    assert join in source(page(as_bob))
    assert post(as_bob, "validate")["HX-Redirect"] == join
    assert as_bob.post(reverse("validate", args=["kitchen"]))["Location"] == join
    assert "First read the guidelines." in words(as_bob.get("/"))
    collection.accept_guideline(worker=bob, campaign=campaign, version=1, skill="validate")
    assert "First do a short training" in words(as_bob.get("/"))


@pytest.mark.long
def test_a_failed_test_is_said_at_home_and_on_the_page(
    as_bob: Client, bob: User, campaign: Campaign, twins: list[Twin]
) -> None:
    QualificationFactory(worker=bob, campaign=campaign, skill="validate", failed=True)
    assert ("You did not pass the test, so you cannot validate in this campaign.") in words(
        as_bob.get("/")
    )
    assert "You did not pass the test of this campaign, so you cannot validate" in words(
        page(as_bob)
    )
    assert "Get a question" not in words(page(as_bob))
    assert post(as_bob, "validate").status_code == 403


def test_between_sessions_a_validator_is_sent_to_the_platform(
    browse: Callable[[User], Client], campaign: Campaign, twins: list[Twin]
) -> None:
    session = CrowdSessionFactory(
        study__campaign=campaign, study__skill="validate", status="returned"
    )
    client = browse(session.participant.worker)
    assert "You have no active session." in words(page(client))
    assert post(client, "validate").status_code == 409


def test_a_vote_that_was_excluded_is_told_with_its_reason(as_bob: Client, bob: User) -> None:
    vote = VoteFactory(worker=bob, excluded_at=timezone.now(), exclusion_reason="Within a second.")
    mine = as_bob.get("/my-work/")
    assert "excluded, still paid Within a second." in words(mine)
    assert reverse("make-appeal", args=["vote", vote.public_id]) in source(mine)


@pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "without scripts"])
def test_a_report_chosen_in_step_1_is_shown_again_in_step_2(
    as_bob: Client, twins: list[Twin], bob: User, campaign: Campaign, headers: dict[str, str]
) -> None:
    seat = services.claim_seat(worker=bob, campaign=campaign)
    address = reverse("answer-local", args=["kitchen", seat.public_id])
    said = {"option": "0", "report": "no_sentence"}
    response = as_bob.post(address, said, headers=headers, follow=True)
    assert "Step 2 of 2" in words(response)
    checked = re.findall(r'value="(\w*)"\s+form="vote"\s+checked', source(response))
    assert checked == ["no_sentence"]
