"""What the database itself refuses of panels, items, seats and enrolments."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from panels.models import (
    Enrolment,
    Panel,
    PanelItem,
    PanelSeat,
    PanelVoteEvent,
    ShownItem,
)
from tests.factories import PanelFactory, PanelItemFactory, PanelSeatFactory, UserFactory
from tests.panels import toy
from tests.panels.people import enrol
from tests.refusals import again

MODELS = (Panel, PanelItem, PanelSeat, Enrolment, ShownItem, PanelVoteEvent)


def queue(**fields: Any) -> None:
    PanelFactory(**fields)


def enrolments(**fields: Any) -> None:
    Panel.objects.filter(pk=toy.enrolled(1).pk).update(**fields)


def items(**fields: Any) -> None:
    of = PanelItemFactory().panel
    PanelItemFactory(panel=of, **fields)
    PanelItemFactory(panel=of, **fields)


def enrolled_twice() -> None:
    of, bob = toy.enrolled(1), UserFactory()
    enrol(bob, of)
    Enrolment.objects.free().filter(panel=of).update(worker=bob, enrolled_at=timezone.now())


def without_a_time() -> None:
    toy.enrolled(1).enrolments.filter(number=1).update(worker=UserFactory())


def seat(**fields: Any) -> None:
    PanelSeatFactory(**({"worker": UserFactory(), "option": 2} | fields))


def author_sits(field: str) -> None:
    alice = UserFactory()
    seat(**{"worker": alice, field: alice})


def shown_twice() -> None:
    bob = UserFactory()
    for _ in range(2):
        ShownItem.objects.create(worker=bob, item=PanelItemFactory(), group_key="g")


def event() -> None:
    PanelVoteEvent.objects.create(seat=PanelSeatFactory(), action="odd", by=UserFactory())


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("panel_status_is_known", lambda: queue(status="lost")),
    ("panel_has_three_or_five_votes", lambda: queue(mode="odd")),
    ("panel_is_of_one_set", lambda: queue(reference_set=None)),
    ("panel_is_of_one_set", lambda: queue(purpose="jokes", title="x")),
    ("panel_is_of_one_set", lambda: enrolments(purpose="", title="")),
    ("panel_snapshot_is_whole", lambda: enrolments(split="dev")),
    ("panel_has_three_or_five_votes", lambda: queue(votes_per_item=4)),
    ("panel_needs_more_than_half", lambda: enrolments(needed=1)),
    ("panel_needs_more_than_half", lambda: enrolments(needed=3)),
    ("panel_needs_more_than_half", lambda: queue(needed=2)),
    ("panel_pays_the_set_or_each_answer", lambda: enrolments(reward=Decimal(1))),
    ("panel_pays_the_set_or_each_answer", lambda: queue(reward=None, whole_set=Decimal(1))),
    ("panel_pays_no_less_than_zero", lambda: enrolments(whole_set=Decimal(-1))),
    ("panel_rewards_no_less_than_zero", lambda: queue(reward=Decimal("-0.01"))),
    ("panel_draws_some_groups", lambda: queue(n_groups=0)),
    ("panelitem_is_numbered", lambda: items(number=7)),
    ("panelitem_is_asked_once", lambda: items(source_id="x")),
    ("panelseat_is_numbered", lambda: again(PanelSeatFactory, "item", "number")),
    (
        "panelseat_worker_sits_once",
        lambda: again(PanelSeatFactory, "worker", "group_key", "panel", worker=UserFactory()),
    ),
    ("panelseat_taken_has_lease", lambda: seat(leased_until=None)),
    ("panelseat_author_does_not_answer", lambda: author_sits("author")),
    ("panelseat_author_does_not_answer", lambda: author_sits("other_author")),
    ("panelseat_answered_has_a_vote", lambda: seat(answered_at=None)),
    ("panelseat_vote_is_an_option", lambda: seat(option=3)),
    ("panelseat_fails_is_known", lambda: seat(fails="taste")),
    ("panelseat_only_a_no_fails", lambda: seat(option=1, fails="sense")),
    ("panelseat_report_is_known", lambda: seat(report="dull")),
    (
        "panelseat_reported_and_amended_have_a_vote",
        lambda: seat(option=None, answered_at=None, report="offensive"),
    ),
    ("panelseat_amended_had_another_vote", lambda: seat(amended_at=timezone.now())),
    (
        "panelseat_excluded_has_a_vote_and_a_reason",
        lambda: seat(excluded_at=timezone.now(), excluded_by=UserFactory()),
    ),
    (
        "enrolment_number_is_taken_once",
        lambda: Enrolment.objects.create(panel=toy.enrolled(1), number=1),
    ),
    ("enrolment_worker_enrols_once", enrolled_twice),
    ("enrolment_taken_has_a_time", without_a_time),
    ("shownitem_is_the_only_one", shown_twice),
    ("panelvoteevent_action_is_known", event),
]


@pytest.mark.long
@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=f"panels_{constraint}"), transaction.atomic():
        break_it()


def test_every_constraint_of_these_tables_is_tried() -> None:
    named = {constraint.name for model in MODELS for constraint in model._meta.constraints}
    assert named == {f"panels_{constraint}" for constraint, _ in REFUSED}
