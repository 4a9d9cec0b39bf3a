from typing import Any

from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters

from winoplatform.api.filters import of_budget
from workers.models import LedgerEntry
from workers.selectors import SILENT


class LedgerFilter(filters.FilterSet):
    kind = filters.ChoiceFilter(choices=LedgerEntry.Kind.choices, method="of_kind")
    state = filters.ChoiceFilter(choices=LedgerEntry.State.choices, method="in_state")
    campaign = of_budget()
    worker = filters.CharFilter(
        field_name="worker__public_id", help_text="Public id of the worker."
    )

    awaits_second_approval = filters.BooleanFilter(
        method="awaiting", help_text="Only entries that wait for a second curator, or only others."
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if not self._is_curator:
            kinds = [choice for choice in LedgerEntry.Kind.choices if choice[0] not in SILENT]
            self.filters["kind"].extra["choices"] = kinds
            # The copy keeps the form field, with all kinds, that describing the API has made.
            self.filters["kind"].__dict__.pop("_field", None)

    @property
    def _is_curator(self) -> bool:
        return bool(getattr(getattr(self.request, "user", None), "is_curator", False))

    def of_kind(self, rows: QuerySet[LedgerEntry], name: str, kind: str) -> Any:
        """Filter by the kind as it is shown to the user."""
        hidden = [] if self._is_curator else [own for own, seen in SILENT.items() if seen == kind]
        return rows.filter(kind__in=[kind, *hidden])

    def awaiting(self, rows: QuerySet[LedgerEntry], name: str, value: bool) -> Any:
        waiting = LedgerEntry.objects.all().awaiting_second_approval().values("pk")
        return rows.filter(pk__in=waiting) if value else rows.exclude(pk__in=waiting)

    def in_state(self, rows: QuerySet[LedgerEntry], name: str, state: str) -> Any:
        is_accrued = state == LedgerEntry.State.ACCRUED
        return rows.filter(Q(settlement=None) if is_accrued else Q(settlement__state=state))


class StatementFilter(filters.FilterSet):
    campaign = of_budget()
    since = filters.IsoDateTimeFilter(
        field_name="created_at",
        lookup_expr="gte",
        help_text="Entries written at or after this time.",
    )
    until = filters.IsoDateTimeFilter(
        field_name="created_at", lookup_expr="lt", help_text="Entries written before this time."
    )
