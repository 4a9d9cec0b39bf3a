from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django_filters import rest_framework as filters

from collection.models import Twin
from validation.core.validator_figures import FLAGS, Flag
from validation.core.verdicts import REASONS, Reason
from validation.models import (
    Appeal,
    Case,
    CaseQuerySet,
    GoldQuerySet,
    ValidatorFigures,
)
from validation.selectors.review_queue import DOUBT, OPEN, STATES, in_state
from winoplatform.api.filters import of_campaign
from workers.models import Pause, User


class VoteFilter(filters.FilterSet):
    campaign = of_campaign("seat__campaign")


class TwinFilter(filters.FilterSet):
    campaign = of_campaign("campaign")
    domain = filters.ChoiceFilter(choices=Twin.Domain.choices)
    origin = filters.ChoiceFilter(choices=Twin.Origin.choices)
    withdrawn = filters.BooleanFilter(
        field_name="withdrawn_at",
        lookup_expr="isnull",
        exclude=True,
        help_text="Whether their authors withdrew them.",
    )


class WorkerFilter(filters.FilterSet):
    paused = filters.BooleanFilter(method="by_pause", help_text="Whether they get no new work.")

    def by_pause(self, rows: QuerySet[User], name: str, value: bool) -> QuerySet[User]:
        paused = Exists(Pause.objects.open().filter(worker=OuterRef("pk")))
        return rows.filter(paused if value else ~paused)


class CaseFilter(filters.FilterSet):
    state = filters.ChoiceFilter(
        choices=[(state, state) for state in STATES],
        method="in_state",
        help_text="Open cases, which no curator has handled, by default.",
    )
    reason = filters.ChoiceFilter(
        choices=[(reason.value, sentence) for reason, sentence in REASONS.items()],
        method="failed",
        help_text="A part of the verdict that failed.",
    )
    doubt = filters.NumberFilter(
        method="no_filter",
        min_value=0,
        max_value=50,
        help_text=f"Least doubt of open cases, in percent of the votes; {DOUBT} by default.",
    )
    domain = filters.ChoiceFilter(choices=Twin.Domain.choices)
    reported = filters.BooleanFilter(method="by_reports", help_text="Whether it was reported.")
    appealed = filters.BooleanFilter()
    suspected = filters.BooleanFilter()
    flagged = filters.BooleanFilter(help_text="Whether its words may be obscene or hateful.")

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        params = data.copy() if data is not None else {}
        params.setdefault("state", OPEN)
        super().__init__(params, *args, **kwargs)

    def in_state(self, rows: CaseQuerySet, name: str, value: str) -> CaseQuerySet:
        doubt = self.form.cleaned_data.get("doubt")
        return in_state(rows, value, doubt=DOUBT if doubt is None else int(doubt))

    def no_filter(self, rows: CaseQuerySet, name: str, value: Any) -> CaseQuerySet:
        """Change nothing: ``state`` applies the threshold."""
        return rows

    def failed(self, rows: QuerySet[Case], name: str, value: Any) -> QuerySet[Case]:
        return rows.filter(question__verdict__reasons__contains=[Reason(value).value])

    def by_reports(self, rows: QuerySet[Case], name: str, value: bool) -> QuerySet[Case]:
        return rows.filter(reports__gt=0) if value else rows.filter(reports=0)


class GoldFilter(filters.FilterSet):
    retired = filters.BooleanFilter(method="by_use", help_text="Whether it is no longer asked.")

    def by_use(self, rows: GoldQuerySet, name: str, value: bool) -> GoldQuerySet:
        return rows.out_of_use() if value else rows.in_use()


class AppealFilter(filters.FilterSet):
    status = filters.ChoiceFilter(choices=Appeal.Status.choices)
    subject = filters.ChoiceFilter(choices=Appeal.Subject.choices)


class ValidatorFilter(filters.FilterSet):
    flag = filters.ChoiceFilter(
        choices=[(flag.value, sentence) for flag, sentence in FLAGS.items()],
        method="flagged",
        help_text="A flag for curators.",
    )

    def flagged(
        self, rows: QuerySet[ValidatorFigures], name: str, value: Any
    ) -> QuerySet[ValidatorFigures]:
        return rows.filter(flags__contains=[Flag(value).value])
