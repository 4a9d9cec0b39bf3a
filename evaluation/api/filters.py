from django_filters import rest_framework as filters

from evaluation.models import Evaluation
from filtering.api.filters import RunFilter


class EvaluationFilter(RunFilter):
    release = filters.CharFilter(field_name="release__name", help_text="Name of the release.")
    model = filters.ChoiceFilter(choices=Evaluation.Model.choices)
    split = filters.ChoiceFilter(choices=Evaluation.Split.choices)

    class Meta:
        model = Evaluation
        fields = ()
