"""The last answer of a panel may be changed until the next one; its pay and its time stay."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from panels import selectors, services
from panels.models import PanelSeat
from tests.factories import UserFactory
from tests.panels import toy
from tests.panels.people import claim, of_a_set, vote
from tests.refusals import refusal
from validation.services.validating.amendments import UNDO_FOR
from workers.models import LedgerEntry, User


def amend(seat: PanelSeat, shown: int = 2, **more: str) -> PanelSeat:
    assert seat.worker is not None
    return services.amend_vote(
        worker=seat.worker, seat_id=seat.public_id, shown_option=shown, **more
    )


def test_an_answer_is_changed_and_the_first_one_its_pay_and_time_stay(bob: User) -> None:
    panel = of_a_set()
    given = vote(claim(bob, panel))
    assert services.amendable(worker=bob, panel=panel) == given
    changed = amend(given, report="offensive")
    assert (changed.option, changed.report) == (given.order[1], "offensive")
    assert (changed.first_option, changed.answered_at) == (given.order[0], given.answered_at)
    assert amend(changed, shown=1).first_option == given.order[0]
    assert LedgerEntry.objects.filter(worker=bob).count() == 1


def test_the_same_answer_again_changes_nothing_even_when_it_is_too_late(bob: User) -> None:
    panel = of_a_set()
    given = vote(claim(bob, panel))
    vote(claim(bob, panel))
    assert amend(given, shown=1).amended_at is None


def answer_next(seat: PanelSeat) -> None:
    vote(claim(seat.worker, seat.panel))  # type: ignore[arg-type]


def wait(seat: PanelSeat) -> None:
    assert seat.answered_at is not None
    earlier = seat.answered_at - UNDO_FOR - timedelta(seconds=1)
    PanelSeat.objects.filter(pk=seat.pk).update(answered_at=earlier)


def close(seat: PanelSeat) -> None:
    services.change_panel_status(panel=seat.panel, status="closed")


def exclude(seat: PanelSeat) -> None:
    services.exclude_vote(vote_id=seat.public_id, reason="In one second.", by=UserFactory())


@pytest.mark.parametrize("happen", [answer_next, wait, close, exclude])
def test_it_is_too_late_after(happen: Callable[[PanelSeat], None], bob: User) -> None:
    panel = of_a_set()
    given = vote(claim(bob, panel))
    happen(given)
    asked: dict[str, Any] = {"worker": bob, "seat_id": given.public_id, "shown_option": 2}
    assert refusal(services.amend_vote, **asked).code == "undo_over"
    given.refresh_from_db()
    assert given.option == given.order[0]
    last = services.amendable(worker=bob, panel=panel)
    assert last is None or last != given


def test_nobody_changes_the_answer_of_another_or_a_seat_without_one(bob: User) -> None:
    seat = claim(bob, of_a_set())
    asked: dict[str, Any] = {"seat_id": seat.public_id, "shown_option": 2}
    assert refusal(services.amend_vote, worker=bob, **asked).code == "undo_over"
    vote(seat)
    assert refusal(services.amend_vote, worker=UserFactory(), **asked).code == "not_found"


def test_a_queue_asks_a_person_one_question_of_a_group() -> None:
    assert selectors.most_answers(of_a_set()) == 3
    assert selectors.most_answers(toy.enrolled(1)) == 2
