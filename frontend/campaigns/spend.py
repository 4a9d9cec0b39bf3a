"""What a campaign has spent, and what a valid pair and a kept pair have cost."""

import logging
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID

from collection.models import Campaign, Twin
from corpora.selectors import kept_ids, question_groups
from filtering.models import FilterRun
from filtering.selectors import chosen_run

log = logging.getLogger(__name__)
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Kept:
    """Pairs written here in the snapshot of the chosen filter run, and how many it kept whole.

    Imported pairs cost nothing here, so they are not counted.
    """

    pairs: int
    kept: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Spend:
    """Money owed and committed, and what a pair has cost; None without pairs.

    A kept pair has cost its share of all pairs of the snapshot, each at the cost of a valid pair
    now: later pairs, which the run has not seen, do not make it more expensive.
    """

    owed: Decimal
    committed: Decimal
    share: float | None
    per_pair: Decimal | None
    kept: Kept | None
    per_kept: Decimal | None


def spend_of(campaign: Campaign, found: Mapping[str, Any]) -> Spend:
    owed = Decimal(found["owed"])
    # A report of an earlier version has no overpaid sum; it is shown until the next one is ready.
    committed = owed + Decimal(found.get("overpaid", 0)) + Decimal(found["promised"])
    cap, pairs = campaign.budget_cap, found["pairs"]
    kept = kept_pairs(campaign)
    return Spend(
        owed=owed,
        committed=committed,
        share=None if cap is None else float(committed / cap) if cap else 1.0,
        per_pair=_each(owed, pairs),
        kept=kept,
        per_kept=None if kept is None else _each(owed * kept.pairs, pairs * kept.kept),
    )


def _each(amount: Decimal, number: int) -> Decimal | None:
    return (amount / number).quantize(CENT) if number else None


def kept_pairs(campaign: Campaign) -> Kept | None:
    """Return the pairs of the chosen filter run; None without one, or if its files are lost."""
    run = chosen_run(campaign)
    if run is None:
        return None
    try:
        return _kept_pairs(run.public_id)
    except (OSError, EOFError, ValueError):
        log.exception("filter run %s: its files cannot be read; no cost is shown", run.public_id)
        return None


@lru_cache(maxsize=64)
def _kept_pairs(public_id: UUID) -> Kept:
    """Count the pairs of a finished run, which never changes."""
    run = FilterRun.objects.select_related("encoding__snapshot", "selection").get(
        selection__public_id=public_id
    )
    snapshot = run.encoding.snapshot
    imported = Twin.objects.filter(campaign=snapshot.campaign_id, origin=Twin.Origin.PUBLISHED)
    left_out = {str(twin) for twin in imported.order_by().values_list("public_id", flat=True)}
    kept = kept_ids(run.selection)
    twins: dict[str, list[bool]] = defaultdict(list)
    for id, group in question_groups(snapshot).items():
        if group not in left_out:
            twins[group].append(id in kept)
    pairs = [both for both in twins.values() if len(both) == 2]
    return Kept(len(pairs), sum(map(all, pairs)), snapshot.created_at)
