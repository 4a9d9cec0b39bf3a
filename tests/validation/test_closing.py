"""A campaign that is closed while questions wait for an extra vote: what is there decides."""

from typing import Any

import pytest

from collection.models import Campaign, Question
from collection.services import change_status
from tests.factories import UserFactory
from tests.validation.claiming import claim
from tests.validation.deciding import a_question, audit_log, give, waiting
from validation import services
from validation.models import Verdict, VerdictEvent
from validation.services.verdicts import closing
from winoplatform.celery import app

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
