"""The list of questions, with the filters of the Data tab, for curators."""

from typing import Any

from rest_framework import serializers

from collection.models import Campaign, Question, Twin, of_member
from evaluation.core.facets import votes_of
from evaluation.selectors.question_list import (
    FACETS,
    LONGEST_SENTENCE,
    QuestionList,
    QuestionQuery,
)
from validation.api.serializers.validated import CuratorQuestionSerializer
from validation.core.verdicts import REASONS
from validation.selectors import QuestionState
from winoplatform.api.filters import campaign_field, named
from winoplatform.api.runs import CuratorRows
from winoplatform.api.views import ListView, validated_query
from workers.api.callers import caller
from workers.models import AuditEvent

MOST_VALUES = 50


def _many(child: serializers.Field[Any, Any, Any, Any], help_text: str) -> Any:
    return serializers.ListField(
        child=child, required=False, max_length=MOST_VALUES, help_text=help_text
    )


def _texts(help_text: str) -> Any:
    return _many(serializers.CharField(max_length=120), help_text)


def _agreement(value: str) -> None:
    try:
        votes_of(value)
    except ValueError as error:
        raise serializers.ValidationError(str(error)) from error


class QuestionQuerySerializer(serializers.Serializer[Any]):
    """Filters; a parameter that is given several times takes any of its values."""

    campaign = campaign_field()
    q = serializers.CharField(
        required=False,
        max_length=300,
        help_text='Words of the sentence in any inflection, `"a phrase"`, `-without`, `or`; or the '
        "id of a question.",
    )
    like = serializers.CharField(
        required=False,
        max_length=1000,
        help_text="A sentence, or the id of a question: the 200 most similar ones.",
    )
    near = serializers.CharField(
        max_length=LONGEST_SENTENCE,
        required=False,
        help_text="The id of a question, or with a campaign a sentence, which a worker encodes: "
        "the 200 nearest in meaning, by the newest sentence encoding of the campaign.",
    )
    id = _texts("Id of a question.")
    valid = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="What was decided here."
    )
    verdict = _many(serializers.ChoiceField([str(state) for state in QuestionState]), "State.")
    reason = _many(
        serializers.ChoiceField([(code.value, reason) for code, reason in REASONS.items()]),
        "A part of the verdict that failed.",
    )
    agreement = _many(
        serializers.CharField(max_length=12, validators=[_agreement]),
        "Counted votes for the author's answer of all, as `2/3`; or `none`.",
    )
    domain = _many(serializers.ChoiceField(Twin.Domain.choices), "Domain.")
    run = _many(serializers.UUIDField(), "Filter run that keeps it.")
    release = _texts("Name of a release that it is in.")
    writer = _texts("Pseudonym of its writer.")
    validator = _texts("Pseudonym of one whose vote counts.")
    anchor = _texts("Anchor, in lower case.")


class Questions(CuratorRows, ListView):
    """List questions with their verdicts, reasons and counts.

    All filters have to match; of a parameter that is given several times, one of its values.
    """

    audits = AuditEvent.Kind.LABELS

    queryset = Question.objects.select_related(
        "twin__campaign", "twin__author", "verdict__decided_by"
    )
    serializer_class = CuratorQuestionSerializer
    query = QuestionQuerySerializer

    def visible(self, rows: Any) -> Any:
        query = validated_query(QuestionQuerySerializer, self.request)
        rows = rows.filter(of_member(self.request.user, "twin__campaign"))
        name, campaign = query.get("campaign"), None
        if name is not None:
            campaigns = Campaign.objects.visible_to(self.request.user)
            campaign = campaigns.filter(named(name)).first()
            if campaign is None:
                return rows.none()
        if query["valid"] is not None:
            rows = rows.filter(verdict__valid=query["valid"])
        chosen = {name: tuple(query.get(name, ())) for name in ("id", *FACETS)}
        texts: dict[str, Any] = {name: query.get(name, "") for name in ("q", "like", "near")}
        question_query = QuestionQuery(**(texts | chosen))
        questions = QuestionList(question_query, campaign, reader=caller(self.request))
        return rows.filter(pk__in=questions.facts().values("question"))
