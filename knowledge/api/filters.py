from typing import Any

from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters

from knowledge import selectors
from knowledge.core.reasons import TYPES, Flag, Validity
from knowledge.models import Formalisation, Reason, Sentence
from winoplatform.api.filters import RunFilter

FOLDS = 5
MOST_NUMBER = 2**31 - 1


class KnowledgeSetFilter(filters.FilterSet):
    release = filters.UUIDFilter(field_name="release__public_id")
    reference_set = filters.CharFilter(
        field_name="reference_set__name", help_text="Name of the reference set."
    )


class FormulaFilter(filters.FilterSet):
    name = filters.CharFilter()


class FormalisationFilter(filters.FilterSet):
    question = filters.CharFilter(help_text="Id of the question.")
    newest = filters.BooleanFilter(
        method="only_newest", help_text="Whether it is the newest version of its question."
    )
    verified = filters.BooleanFilter(field_name="verified")

    def only_newest(
        self, rows: "QuerySet[Formalisation]", field: str, wanted: bool
    ) -> "QuerySet[Formalisation]":
        newest = Formalisation.objects.newest().values("pk")
        return rows.filter(pk__in=newest) if wanted else rows.exclude(pk__in=newest)


class SentenceFilter(filters.FilterSet):
    kind = filters.ChoiceFilter(choices=Sentence.Kind.choices)
    question = filters.CharFilter(
        field_name="formalisation__question", help_text="Id of the question."
    )
    formula = filters.CharFilter(field_name="formula__name", help_text="Name of the formula.")


class TaskFilter(filters.FilterSet):
    knowledge_set = filters.CharFilter(field_name="knowledge_set__name")
    verified = filters.BooleanFilter(field_name="verified_at", lookup_expr="isnull", exclude=True)


class ReasonFilter(filters.FilterSet):
    collection = filters.CharFilter()
    question = filters.NumberFilter(min_value=0, max_value=MOST_NUMBER)
    source = filters.ChoiceFilter(choices=Reason.Source.choices)
    validity = filters.ChoiceFilter(
        choices=[(validity.value, validity.value) for validity in Validity], method="of_validity"
    )
    flag = filters.ChoiceFilter(
        choices=[(flag.value, flag.value) for flag in Flag], method="with_one_of"
    )
    type = filters.ChoiceFilter(choices=[(name, name) for name in TYPES], method="with_one_of")
    fold = filters.NumberFilter(
        min_value=0,
        max_value=FOLDS - 1,
        method="of_fold",
        help_text=f"One of {FOLDS} folds, with all reasons of a question and of its twin.",
    )

    def of_validity(self, rows: "QuerySet[Reason]", field: str, wanted: str) -> "QuerySet[Reason]":
        return rows.that_are(Validity(wanted))  # type: ignore[attr-defined]  # of its manager

    def with_one_of(self, rows: "QuerySet[Reason]", field: str, wanted: str) -> "QuerySet[Reason]":
        return rows.filter(**{f"{field}s__contains": [wanted]})

    def of_fold(self, rows: "QuerySet[Reason]", field: str, wanted: Any) -> "QuerySet[Reason]":
        chosen = Q(pk=None)
        for collection, groups in selectors.groups_of_fold(int(wanted), n=FOLDS):
            chosen |= Q(collection=collection, group__in=groups)
        return rows.filter(chosen)


class SweepFilter(RunFilter):
    knowledge_set = filters.CharFilter(
        field_name="knowledge_set__name", help_text="Name of the knowledge set."
    )
