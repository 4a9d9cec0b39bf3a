"""Workers as curators see them: their work, and how their texts were typed."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, QuerySet
from django.utils.translation import gettext_lazy as _

from collection.core.origin import Origin, origin_flag, pasted_share
from collection.models import Campaign, ExerciseItem, Provenance, Twin
from frontend.twins import TwinState, twin_states
from workers.models import Qualification, User
from workers.selectors import Balance, balances

ORIGINS = {
    Origin.TYPED: _("typed here"),
    Origin.PASTED: _("mostly pasted"),
    Origin.UNKNOWN: _("not measured"),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the page counted while a twin was written; ``flag`` is a hint, not a verdict."""

    flag: Origin
    words: str
    counts: Provenance
    share: float | None


@dataclass(frozen=True, slots=True)
class TwinRow:
    state: TwinState
    evidence: Evidence | None


def twin_rows(twins: Sequence[Twin]) -> list[TwinRow]:
    """Summarize twins that were fetched with their questions and provenance."""
    states = twin_states(twins)
    return [TwinRow(state, _evidence(getattr(state.twin, "provenance", None))) for state in states]


def _evidence(counts: Provenance | None) -> Evidence | None:
    if counts is None:
        return None
    flag = origin_flag(
        typed_characters=counts.typed_characters,
        pasted_characters=counts.pasted_characters,
        largest_insert=counts.largest_insert,
        active_seconds=counts.active_seconds,
    )
    share = pasted_share(counts.typed_characters, counts.pasted_characters)
    return Evidence(flag, str(ORIGINS[flag]), counts, share)


@dataclass(frozen=True, slots=True)
class Joined:
    """A worker's qualification in one campaign."""

    campaign: str
    qualification: Qualification
    attempts: int
    best: int | None
    has_test: bool
    """Whether the campaign has a test of this skill now."""


Campaigns = Mapping[uuid.UUID, Campaign]


def pay_by_campaign(worker: User, campaigns: Campaigns) -> list[tuple[Campaign | None, Balance]]:
    """Return what each campaign, by its public id, owes and has paid a worker."""
    return [(campaigns.get(row.budget), row) for row in balances(worker.ledger.all())]


def joined(worker: User, campaigns: Campaigns) -> list[Joined]:
    """Return the worker's qualifications, also those not passed."""
    mine: QuerySet[Any] = worker.qualifications.annotate(
        made=Count("attempts"), best=Max("attempts__n_right")
    )
    items = ExerciseItem.objects.filter(part=ExerciseItem.Part.TEST, retired_at=None).order_by()
    tests = set(items.values_list("campaign__public_id", "skill").distinct())
    names = {key: campaign.name for key, campaign in campaigns.items()}
    return [
        Joined(names.get(one.scope, ""), one, one.made, one.best, (one.scope, one.skill) in tests)
        for one in mine
    ]
