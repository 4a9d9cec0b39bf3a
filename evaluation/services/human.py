"""Human evaluations: what people are asked, and the state of an evaluation."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
from django.core.exceptions import ValidationError
from django.db import transaction

from collection.models import Campaign, Question
from collection.services.campaigns import budget
from corpora.core.items import Item
from corpora.core.publish import SPLITS
from corpora.models import ReferenceSet, Release, Snapshot
from corpora.provenance import data_sha256
from corpora.selectors import labelled
from corpora.services import refuse_unlabelled, usual_split
from evaluation.models import HumanEvaluation, HumanItem, HumanSeat
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User

Status = HumanEvaluation.Status
MOST_ITEMS = 5_000
TRANSITIONS = {
    Status.OPEN: (Status.PAUSED, Status.CLOSED),
    Status.PAUSED: (Status.OPEN, Status.CLOSED),
    Status.CLOSED: (),
}


@transaction.atomic
def start_human_evaluation(
    *,
    by: User | None,
    release: Release | None = None,
    snapshot: Snapshot | None = None,
    reference_set: ReferenceSet | None = None,
    split: str = "",
    campaign: Campaign | None = None,
    votes_per_item: int = 3,
    reward: Decimal | None = None,
    n_groups: int | None = None,
    seed: int = 0,
) -> HumanEvaluation:
    """Ask people for fresh votes on a split or snapshot, and reserve their pay.

    Parameters
    ----------
    split
        Empty for dev, for the only split of a reference set, and for a snapshot.
    campaign
        For a reference set: whose validators answer, and whose budget pays. A release and a
        snapshot have their own.
    reward
        For each vote; by default what the campaign pays for a validated question.
    n_groups
        Groups to draw by *seed*, each with all its items; all by default.

    Raises
    ------
    DomainError
        ``no_campaign``, ``not_done``, ``split_unknown``, ``labels_unknown``, ``no_items``,
        ``too_many_items`` or ``budget_exhausted``.
    ValidationError
        When not exactly one set is named, or a value is out of range.
    """
    made = planned(
        by=by, release=release, snapshot=snapshot, reference_set=reference_set, split=split,
        campaign=campaign, votes_per_item=votes_per_item, reward=reward, n_groups=n_groups,
        seed=seed,
    )  # fmt: skip
    items, questions = drawn(made)
    with budget.within(made.campaign):
        made.data_sha256 = data_sha256([replace(item, answer=None) for item in items])
        made.save()
        _store(made, items, questions)
    return made


def planned(
    *,
    by: User | None,
    release: Release | None,
    snapshot: Snapshot | None,
    reference_set: ReferenceSet | None,
    split: str,
    campaign: Campaign | None,
    reward: Decimal | None,
    **counts: Any,
) -> HumanEvaluation:
    """Return a human evaluation that is validated and not stored.

    *counts* are its votes_per_item, n_groups and seed.

    Raises
    ------
    DomainError, ValidationError
        As ``start_human_evaluation``.
    """
    if sum(data is not None for data in (release, snapshot, reference_set)) != 1:
        raise ValidationError("Name one release, snapshot or reference set.")
    payer = _payer(release, snapshot, campaign)
    made = HumanEvaluation(
        campaign=payer,
        release=release,
        snapshot=snapshot,
        reference_set=reference_set,
        split=split or usual_split(reference_set, snapshot),
        reward=payer.reward_vote if reward is None else reward,
        created_by=by,
        **counts,
    )
    _refuse_unasked(made)
    made.full_clean(exclude={"data_sha256"})
    return made


def _payer(
    release: Release | None, snapshot: Snapshot | None, campaign: Campaign | None
) -> Campaign:
    source = release.snapshot if release is not None else snapshot
    own = source.campaign if source is not None else campaign
    if own is None:
        raise DomainError(
            "no_campaign", "Name the campaign whose validators answer and whose budget pays."
        )
    if campaign is not None and campaign != own:
        raise DomainError(
            "no_campaign", "A release or snapshot is answered by the validators of its campaign."
        )
    return own


def _refuse_unasked(made: HumanEvaluation) -> None:
    """Refuse a set that is not ready, a split that it does not have, and unknown answers."""
    run = made.release or made.snapshot
    if run is not None and run.status != RunStatus.DONE:
        raise DomainError("not_done", "It has no questions yet: wait until it is done.", status=409)
    known = (HumanEvaluation.WHOLE,) if made.snapshot is not None else SPLITS
    if made.reference_set is None:
        if made.split not in known:
            raise DomainError("split_unknown", f"The split is one of: {', '.join(known)}.")
        return
    refuse_unlabelled(made.reference_set, made.split)


def drawn(evaluation: HumanEvaluation) -> tuple[list[Item], dict[str, Question]]:
    """Return the items that people are asked, in published order, and their questions by item id.

    Raises
    ------
    DomainError
        ``no_items`` or ``too_many_items``.
    """
    found = labelled(evaluation)
    items = _sample(found.items, evaluation.n_groups, evaluation.seed)
    if not items:
        raise DomainError("no_items", "There are no questions in this split.", status=409)
    if len(items) > MOST_ITEMS:
        raise DomainError(
            "too_many_items",
            f"A human evaluation has at most {MOST_ITEMS} questions, and these are {len(items)}: "
            "draw a sample.",
        )
    if evaluation.reference_set is not None:
        return items, {}
    ids = {
        item.id: found.origins[item.id].id if item.id in found.origins else item.id
        for item in items
    }
    rows = Question.objects.filter(public_id__in=ids.values()).select_related("twin")
    questions = {question.public_id: question for question in rows}
    return items, {item: questions[id] for item, id in ids.items() if id in questions}


def _sample(items: Sequence[Item], n_groups: int | None, seed: int) -> list[Item]:
    """Draw whole groups, so that twins are sampled together."""
    groups = sorted({item.group for item in items})
    if n_groups is None or n_groups >= len(groups):
        return list(items)
    chosen = np.random.default_rng([seed, 0]).choice(len(groups), n_groups, replace=False)
    names = {groups[at] for at in chosen}
    return [item for item in items if item.group in names]


def _store(
    evaluation: HumanEvaluation, items: Sequence[Item], questions: Mapping[str, Question]
) -> None:
    rows = [
        HumanItem(
            evaluation=evaluation,
            number=number,
            source_id=item.id,
            line=item.to_line(),
            question=questions.get(item.id),
        )
        for number, item in enumerate(items, 1)
    ]
    HumanItem.objects.bulk_create(rows, batch_size=1000)
    places = np.random.default_rng([evaluation.seed, 1]).permutation(len(rows))
    seats = (
        _seat(evaluation, row, item, place=int(place), number=number)
        for row, item, place in zip(rows, items, places, strict=True)
        for number in range(1, evaluation.votes_per_item + 1)
    )
    HumanSeat.objects.bulk_create(seats, batch_size=1000)


def option_order(item: Item) -> list[int]:
    """Return the order in which a seat shows the options, drawn for each seat."""
    order = list(range(1, len(item.options) + 1))
    if item.form != "truth":  # true and false say nothing by their order
        secrets.SystemRandom().shuffle(order)
    return order


def _seat(
    evaluation: HumanEvaluation, row: HumanItem, item: Item, *, place: int, number: int
) -> HumanSeat:
    twin = row.question.twin if row.question else None
    source = twin.public_id if twin else f"{evaluation.data}/{item.group}"
    return HumanSeat(
        evaluation=evaluation,
        item=row,
        number=number,
        place=place,
        group_key=hashlib.sha256(str(source).encode()).hexdigest(),
        twin=twin,
        author_id=twin.author_id if twin else None,
        order=option_order(item),
    )


@transaction.atomic
def change_human_status(*, evaluation: HumanEvaluation, status: str) -> HumanEvaluation:
    """Pause, reopen or close an evaluation; asking for its present status changes nothing.

    Holders of a seat may still vote. Closing is permanent and frees what is reserved for votes
    that nobody is about to cast.

    Raises
    ------
    DomainError
        ``transition_refused`` for a closed evaluation.
    """
    row = HumanEvaluation.objects.select_for_update(no_key=True).get(pk=evaluation.pk)
    if status not in (row.status, *TRANSITIONS[Status(row.status)]):
        raise DomainError(
            "transition_refused", "A closed evaluation cannot be opened again.", status=409
        )
    row.status = status
    row.save(update_fields=["status"])
    evaluation.status = status
    return evaluation
