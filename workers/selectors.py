"""Queries about pay."""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from tabular.writing import csv_lines
from workers.models import AuditEvent, LedgerEntry, User
from workers.models.ledger import LedgerQuerySet

Kind, State = LedgerEntry.Kind, LedgerEntry.State
SILENT = {Kind.GOLD.value: Kind.VOTE.value}
"""Kinds shown to workers as another: a gold question must not be recognizable."""


def kind_for(user: User, kind: str) -> str:
    """Return the kind of an entry as it is shown to *user*."""
    return kind if user.is_curator else SILENT.get(kind, kind)


def ledger_sums(entries: LedgerQuerySet, *, reader: User) -> list[dict[str, Any]]:
    """Count and sum *entries* by kind, state and currency."""
    groups: Any = entries.with_state().order_by()
    rows = groups.values("kind", "state", "currency").annotate(count=Count("pk"), sum=Sum("amount"))
    sums: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in rows:
        row["kind"] = kind_for(reader, row["kind"])
        key = (row["kind"], row["currency"], row["state"])
        sums_of_key = sums.setdefault(key, row | {"count": 0, "sum": Decimal("0.00")})
        sums_of_key["count"] += row["count"]
        sums_of_key["sum"] += row["sum"]
    return [sums[key] for key in sorted(sums)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """What one campaign owes a worker, by state; voided pay is not included."""

    budget: uuid.UUID
    currency: str
    entries: int
    accrued: Decimal
    approved: Decimal
    exported: Decimal
    paid: Decimal

    @property
    def owed(self) -> Decimal:
        """Pay that is earned and not yet exported."""
        return self.accrued + self.approved

    @property
    def earned(self) -> Decimal:
        return self.owed + self.exported + self.paid


def balances(entries: QuerySet[LedgerEntry]) -> list[Balance]:
    """Sum one worker's *entries* by campaign and currency, in one query."""
    stands = {
        "accrued": Q(settlement=None),
        **{state: Q(settlement__state=state) for state in ("approved", "exported", "paid")},
    }
    sums = {name: Sum("amount", filter=q, default=Decimal("0.00")) for name, q in stands.items()}
    groups = entries.order_by("budget", "currency").values("budget", "currency")
    rows: Any = groups.annotate(entries=Count("pk", filter=~Q(settlement__state="void")), **sums)
    return [Balance(**row) for row in rows]


def statement_entries(
    worker: User,
    *,
    budget: uuid.UUID | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> LedgerQuerySet:
    """Return a worker's entries of one campaign or all, in [*since*, *until*), oldest first."""
    conditions = {"budget": budget, "created_at__gte": since, "created_at__lt": until}
    wanted = {name: value for name, value in conditions.items() if value is not None}
    return LedgerEntry.objects.filter(worker=worker, **wanted).order_by("pk")


COLUMNS = ("written_at", "kind", "unit", "campaign", "amount", "currency", "state", "note")


def statement_lines(
    entries: Any, *, reader: User, names: Mapping[uuid.UUID, str] | None = None
) -> Iterator[str]:
    """Yield a statement as CSV; *names* maps public ids of campaigns to their names."""
    rows = entries.with_state().values_list(
        "created_at", "kind", "unit", "budget", "amount", "currency", F("state"), "note"
    )
    titles = names or {}
    return csv_lines(
        COLUMNS,
        (
            (at.isoformat(), kind_for(reader, kind), unit, titles.get(by, str(by)), *rest)
            for at, kind, unit, by, *rest in rows.iterator(chunk_size=1000)
        ),
    )


AUDIT_COLUMNS = (
    "at", "kind", "by", "by_name", "account", "account_name", "what", "facts", "via", "address",
    "request_id",
)  # fmt: skip


def audit_events(
    *,
    person: str = "",
    kind: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[AuditEvent]:
    """Return events of the audit log, newest first.

    Parameters
    ----------
    person
        A user name or pseudonym: of who did it, or whose account it was done to.
    """
    rows = AuditEvent.objects.select_related("by", "account")
    conditions = {"kind": kind or None, "created_at__gte": since, "created_at__lt": until}
    rows = rows.filter(**{name: value for name, value in conditions.items() if value is not None})
    if person:
        named = User.objects.filter(Q(username=person) | Q(public_id=person))
        people = list(named.values_list("pk", flat=True))
        rows = rows.filter(Q(by__in=people) | Q(account__in=people))
    return rows
