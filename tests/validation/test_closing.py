"""Questions that wait for votes which nobody gives, and seats left after a decision."""

from collections.abc import Callable
from typing import Any

import pytest

from collection.models import Campaign, Question
from collection.services import change_status
from tests.factories import CampaignFactory, TwinFactory, UserFactory, VoteFactory
from tests.refusals import refusal
from tests.validation.claiming import claim, expire
from tests.validation.deciding import a_question, audit_log, give, waiting
from validation import services
from validation.models import PassedSeat, Seat, Verdict, VerdictEvent
from validation.selectors.free_seats import ungiven_votes
from validation.services.review.adjudication import decide_question, reopen
from validation.services.verdicts import closing
from validation.services.verdicts.questions import revision_of
from winoplatform.celery import app
from workers.models import User

Action = VerdictEvent.Action


def close(question: Question, capture: Any) -> None:
    with capture(execute=True):
        change_status(campaign=question.twin.campaign, status=Campaign.Status.CLOSED)


@pytest.fixture
def split() -> Question:
    """A question with the three votes that everyone gets, waiting for a fourth."""
    question = a_question(extra_votes_max=2)
    give(question, True, True, False)
    assert waiting(question) == 1
    return question


def test_the_votes_that_are_there_decide(
    split: Question, django_capture_on_commit_callbacks: Any
) -> None:
    close(split, django_capture_on_commit_callbacks)
    assert Verdict.objects.get().counts["votes"] == 3
    assert waiting(split) == 0
    assert audit_log(split) == [Action.ASKED_ONE_MORE, Action.DECIDED_BY_VOTES]


def test_what_a_process_left_that_died_after_closing_is_done_at_the_next_beat(
    split: Question, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def dies(**_: Any) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(closing, "settle", dies)
        close(split, django_capture_on_commit_callbacks)
    assert split.twin.campaign.status == Campaign.Status.CLOSED
    assert not Verdict.objects.exists()
    app.loader.import_default_modules()
    [task] = [row["task"] for row in app.conf.beat_schedule.values() if "settle" in row["task"]]
    for _ in range(2):
        app.tasks[task]()
        assert Verdict.objects.get().counts["votes"] == 3
        assert audit_log(split) == [Action.ASKED_ONE_MORE, Action.DECIDED_BY_VOTES]


def test_asking_again_changes_nothing_while_the_extra_seat_is_held(
    split: Question, django_capture_on_commit_callbacks: Any
) -> None:
    claim(UserFactory(), split.twin.campaign)
    close(split, django_capture_on_commit_callbacks)
    before = audit_log(split)
    closing.settle_all_closed()
    assert audit_log(split) == before


def test_a_question_that_lacks_its_first_votes_stays_open(
    split: Question, django_capture_on_commit_callbacks: Any
) -> None:
    sibling = split.twin.questions.get(number=2)
    give(sibling, True, True)
    close(split, django_capture_on_commit_callbacks)
    assert not Verdict.objects.filter(question=sibling).exists()
    assert waiting(sibling) == 1


def test_who_sits_in_the_extra_seat_may_end_and_is_counted(
    split: Question, django_capture_on_commit_callbacks: Any
) -> None:
    seat = claim(UserFactory(), split.twin.campaign)
    assert seat.question == split
    close(split, django_capture_on_commit_callbacks)
    assert Verdict.objects.get().counts["votes"] == 3
    mine = {"worker": seat.worker, "seat_id": seat.public_id}
    services.answer_local(**mine, shown_option=None)
    right = services.as_shown(seat, split.answer)
    services.cast_vote(**mine, shown_option=right, ambiguous=False)
    assert Verdict.objects.get().counts["votes"] == 4


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(votes_per_question=3)


def test_with_its_writer_alone_nobody_gives_the_six_votes_of_a_pair(campaign: Campaign) -> None:
    TwinFactory(campaign=campaign, seats=3)
    assert ungiven_votes(campaign) == 6


def test_who_votes_on_one_question_cannot_vote_on_its_twin(campaign: Campaign) -> None:
    twin = TwinFactory(campaign=campaign, seats=3)
    UserFactory.create_batch(2)
    assert ungiven_votes(campaign) == 4
    seat = twin.seats.filter(number=1).earliest("pk")
    VoteFactory(seat=seat, question=seat.question)  # by a third person
    assert ungiven_votes(campaign) == 3
    UserFactory.create_batch(3)
    assert ungiven_votes(campaign) == 0


def look(question: Question, dana: User) -> dict[str, object]:
    revision = revision_of(question)
    return {"question_id": question.public_id, "note": "Read.", "revision": revision, "by": dana}


def only(question: Question) -> None:
    """Leave no other question in the queue."""
    Seat.objects.filter(twin=question.twin).exclude(question=question).delete()


def returned(seat: Seat) -> None:
    services.return_seat(worker=seat.worker, seat_id=seat.public_id)


def lapsed(seat: Seat) -> None:
    expire(seat)
    other = TwinFactory(campaign=seat.campaign, seats=3)
    assert claim(seat.worker, seat.campaign).twin == other


def left(seat: Seat) -> None:
    services.free_seats_of(worker=seat.worker, campaign=seat.campaign)


@pytest.mark.parametrize("leave", [returned, lapsed, left])
def test_a_seat_that_is_left_after_the_decision_goes(
    dana: User, leave: Callable[[Seat], None], question: Question
) -> None:
    only(question)
    give(question, True)
    campaign = question.twin.campaign
    seats = [claim(UserFactory(), campaign) for _ in range(2)]
    decide_question(**look(question, dana), valid=True)
    mine = {"worker": seats[0].worker, "seat_id": seats[0].public_id}
    services.answer_local(**mine, shown_option=None)
    services.cast_vote(**mine, shown_option=1, ambiguous=False)
    leave(seats[1])
    assert not Seat.objects.filter(pk=seats[1].pk).exists()
    assert PassedSeat.objects.filter(worker=seats[1].worker, twin=question.twin).exists()
    assert Verdict.objects.get().counts["votes"] == 2


def test_nobody_gets_a_seat_whose_lease_ended_after_the_decision(dana: User, carol: User) -> None:
    question = a_question()
    only(question)
    campaign = question.twin.campaign
    seat = claim(UserFactory(), campaign)
    decide_question(**look(question, dana), valid=True)
    expire(seat)
    empty = refusal(claim, worker=carol, campaign=campaign)
    # No lease that ends later is worth waiting for.
    assert (empty.code, empty.details["again_at"]) == ("queue_empty", None)
    reopen(**look(question, dana))
    assert claim(carol, campaign).question == question


def test_what_was_lapsed_when_the_curator_decided_goes_at_once(dana: User) -> None:
    question = a_question()
    seat = claim(UserFactory(), question.twin.campaign)
    expire(seat)
    decide_question(**look(question, dana), valid=True)
    assert not Seat.objects.filter(question=question).exists()
