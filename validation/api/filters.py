from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django_filters import rest_framework as filters

from collection.models import Question, Twin
from validation.core.verdicts import REASONS, Reason
from validation.models import Vote
from workers.models import Pause, User


class VoteFilter(filters.FilterSet):
    campaign = filters.CharFilter(
        field_name="seat__campaign__slug", help_text="Slug of the campaign."
    )

    class Meta:
        model = Vote
        fields = ()


class TwinFilter(filters.FilterSet):
    campaign = filters.CharFilter(field_name="campaign__slug", help_text="Slug of the campaign.")
    domain = filters.ChoiceFilter(choices=Twin.Domain.choices)
    origin = filters.ChoiceFilter(choices=Twin.Origin.choices)
    withdrawn = filters.BooleanFilter(
        field_name="withdrawn_at",
        lookup_expr="isnull",
        exclude=True,
        help_text="Whether their writers took them back.",
    )

    class Meta:
        model = Twin
        fields = ()


class QuestionFilter(filters.FilterSet):
    campaign = filters.CharFilter(
        field_name="twin__campaign__slug", help_text="Slug of the campaign."
    )
    valid = filters.TypedChoiceFilter(
        field_name="verdict__valid",
        choices=[("true", "valid"), ("false", "not valid")],
        coerce=lambda value: value == "true",
        help_text="What its judges here decided.",
    )
    reason = filters.ChoiceFilter(
        choices=[(reason.value, sentence) for reason, sentence in REASONS.items()],
        method="failed",
        help_text="A part of the verdict that failed.",
    )

    class Meta:
        model = Question
        fields = ()

    def failed(self, rows: QuerySet[Question], name: str, value: Any) -> QuerySet[Question]:
        return rows.filter(verdict__reasons__contains=[Reason(value).value])


class WorkerFilter(filters.FilterSet):
    paused = filters.BooleanFilter(method="by_pause", help_text="Whether they get no new work.")

    class Meta:
        model = User
        fields = ()

    def by_pause(self, rows: QuerySet[User], name: str, value: bool) -> QuerySet[User]:
        paused = Exists(Pause.objects.open().filter(worker=OuterRef("pk")))
        return rows.filter(paused if value else ~paused)
