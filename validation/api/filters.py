from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters

from collection.models import Question, Twin
from validation.core.verdicts import REASONS, Reason
from validation.models import Vote


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
