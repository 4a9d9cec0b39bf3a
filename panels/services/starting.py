"""Start panels, and change their state."""

import hashlib
import secrets
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.db import transaction

from collection.models import Question
from collection.services.campaigns import budget
from corpora.core.items import FIXED_OPTIONS, Item
from corpora.core.pair_order import annotators_order
from corpora.provenance import data_sha256
from panels.adapters import adapter_of
from panels.models import Enrolment, Panel, PanelItem, PanelSeat
from panels.services.planning import items_and_questions, planned
from winoplatform.errors import Conflict

Status = Panel.Status
TRANSITIONS = {
    Status.OPEN: (Status.PAUSED, Status.CLOSED),
    Status.PAUSED: (Status.OPEN, Status.CLOSED),
    Status.CLOSED: (),
}


@dataclass(frozen=True, slots=True)
class AskedItem:
    """An item that people are asked about, with keys of its authors, who are not asked."""

    item: Item
    question: Question | None = None
    author: int | None = None
    other_author: int | None = None


@transaction.atomic
def start_human_evaluation(*, groups: Collection[str] | None = None, **given: Any) -> Panel:
    """Ask people for fresh votes on a split or snapshot, and reserve their pay.

    Of some *groups* of its items, if they are named; the other parameters are those of `planned`.

    Raises
    ------
    DomainError
        Those of `planned` and `items_and_questions`, and ``budget_exhausted``.
    ValidationError
        When not exactly one set is named, or a value is out of range.
    """
    made = planned(is_chosen=groups is not None, **given)
    items, questions = items_and_questions(made, groups)
    return _store(made, [AskedItem(item, *_written(questions.get(item.id))) for item in items])


def _written(question: Question | None) -> tuple[Question | None, int | None]:
    return question, question.twin.author_id if question else None


@transaction.atomic
def start_panel(panel: Panel, asked: Sequence[AskedItem]) -> Panel:
    """Ask people about items that the panel's maker has copied, and reserve their pay.

    Parameters
    ----------
    panel
        Not stored yet, with the ``purpose`` of a registered adapter.
    asked
        At least one; in published order.

    Raises
    ------
    DomainError
        ``budget_exhausted``.
    ValidationError
        When a value of the panel is out of range.
    """
    panel.split, panel.pay_kind = Panel.WHOLE, adapter_of(panel).pay_kind
    panel.full_clean(exclude={"data_sha256", "n_items"})
    return _store(panel, asked)


def _store(panel: Panel, items: Sequence[AskedItem]) -> Panel:
    with budget.within(panel.campaign):
        panel.n_items = len(items)
        panel.data_sha256 = data_sha256([replace(item.item, answer=None) for item in items])
        panel.save()
        rows = [
            PanelItem(
                panel=panel,
                number=number,
                source_id=item.item.id,
                line=item.item.to_line(),
                question=item.question,
            )
            for number, item in enumerate(items, 1)
        ]
        PanelItem.objects.bulk_create(rows, batch_size=1000)
        numbers = range(1, panel.votes_per_item + 1)
        if not panel.is_queue:
            Enrolment.objects.bulk_create(Enrolment(panel=panel, number=n) for n in numbers)
        seats = (
            _seat(panel, rows[at], items[at], place=place, number=number)
            for at, place, number in _places(panel, [item.item.group for item in items])
        )
        PanelSeat.objects.bulk_create(seats, batch_size=1000)
    return panel


def _places(panel: Panel, groups: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the row, place and number of each seat; an enrolment has an order of its own."""
    numbers = range(1, panel.votes_per_item + 1)
    if panel.is_queue:
        places = np.random.default_rng([panel.seed, 1]).permutation(len(groups))
        for at, place in enumerate(places):
            yield from ((at, int(place), number) for number in numbers)
        return
    for number in numbers:
        order = annotators_order(groups, seed=panel.seed, annotator=number)
        yield from ((at, place, number) for place, at in enumerate(order))


def option_order(item: Item) -> list[int]:
    """Return the order in which a seat shows the options, drawn for each seat."""
    order = list(range(1, len(item.options) + 1))
    if item.form not in FIXED_OPTIONS:
        secrets.SystemRandom().shuffle(order)
    return order


def _seat(panel: Panel, row: PanelItem, item: AskedItem, *, place: int, number: int) -> PanelSeat:
    twin = row.question.twin if row.question else None
    return PanelSeat(
        panel=panel,
        item=row,
        number=number,
        place=place,
        group_key=_group_key(panel, item),
        twin=twin,
        author_id=item.author,
        other_author_id=item.other_author,
        order=option_order(item.item),
    )


def _group_key(panel: Panel, item: AskedItem) -> str:
    """Return what only one seat of a worker has: the group, or in an enrolment the item."""
    if not panel.is_queue:
        source = f"{panel.public_id}/{item.item.id}"
    elif item.question is not None:
        source = str(item.question.twin.public_id)
    else:
        source = f"{panel.data or panel.purpose}/{item.item.group}"
    return hashlib.sha256(source.encode()).hexdigest()


@transaction.atomic
def change_panel_status(*, panel: Panel, status: str) -> Panel:
    """Pause, reopen or close a panel; asking for its present status changes nothing.

    Holders of a seat may still vote. Closing is permanent and frees what is reserved for votes
    that nobody is about to cast.

    Raises
    ------
    DomainError
        ``transition_refused`` for a closed panel.
    """
    row = Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
    if status not in (row.status, *TRANSITIONS[Status(row.status)]):
        raise Conflict("transition_refused", "A closed evaluation cannot be opened again.")
    row.status = status
    row.save(update_fields=["status"])
    panel.status = status
    return panel
