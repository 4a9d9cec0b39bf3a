"""Plan human evaluations: what people would be asked, and what it pays."""

from collections.abc import Collection, Sequence
from decimal import Decimal

import numpy as np
from django.core.exceptions import ValidationError

from collection.models import Campaign, Question
from corpora.core.items import Item
from corpora.core.publish import SPLITS
from corpora.models import ReferenceSet, Release, Snapshot
from corpora.selectors import labelled
from corpora.services import refuse_unlabelled, usual_split
from panels.models import Panel
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User

MOST_ITEMS = 5_000


def planned(
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
    is_chosen: bool = False,
) -> Panel:
    """Return a human evaluation that is validated and not stored.

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
    is_chosen
        Whether its groups will be named, instead of drawn.

    Raises
    ------
    DomainError
        ``no_campaign``, ``not_done``, ``split_unknown`` or ``labels_unknown``.
    ValidationError
        When not exactly one set is named, or a value is out of range.
    """
    if sum(data is not None for data in (release, snapshot, reference_set)) != 1:
        raise ValidationError("Name one release, snapshot or reference set.")
    payer = _payer(release, snapshot, campaign)
    made = Panel(
        campaign=payer,
        release=release,
        snapshot=snapshot,
        reference_set=reference_set,
        split=split or usual_split(reference_set, snapshot),
        votes_per_item=votes_per_item,
        reward=payer.reward_vote if reward is None else reward,
        n_groups=n_groups,
        seed=seed,
        is_chosen=is_chosen,
        created_by=by,
    )
    _refuse_unasked(made)
    made.full_clean(exclude={"data_sha256", "n_items"})
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


def _refuse_unasked(made: Panel) -> None:
    """Refuse a set that is not ready, a split that it does not have, and unknown answers."""
    run = made.release or made.snapshot
    if run is not None and run.status != RunStatus.DONE:
        raise Conflict("not_done", "It has no questions yet: wait until it is done.")
    splits = (Panel.WHOLE,) if made.snapshot is not None else SPLITS
    if made.reference_set is None:
        if made.split not in splits:
            raise DomainError("split_unknown", f"The split is one of: {', '.join(splits)}.")
        return
    refuse_unlabelled(made.reference_set, made.split)


def items_and_questions(
    panel: Panel, groups: Collection[str] | None = None
) -> tuple[list[Item], dict[str, Question]]:
    """Return the items that people are asked, in published order, and their questions by item id.

    Of some *groups*, if they are named.

    Raises
    ------
    DomainError
        ``no_items`` or ``too_many_items``.
    """
    labelled_set = labelled(panel)
    items = _sample(labelled_set.items, panel.n_groups, panel.seed)
    if groups is not None:
        items = [item for item in items if item.group in groups]
    if not items:
        raise Conflict("no_items", "There are no questions in this split.")
    if len(items) > MOST_ITEMS:
        raise DomainError(
            "too_many_items",
            f"A human evaluation has at most {MOST_ITEMS} questions, and these are {len(items)}: "
            "draw a sample.",
        )
    if panel.reference_set is not None:
        return items, {}
    ids = {
        item.id: labelled_set.origins[item.id].id if item.id in labelled_set.origins else item.id
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
