"""Twins and questions with their validation state."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from collection.api.serializers import authoring
from collection.api.serializers.campaigns import EvidenceSerializer, FindingSerializer
from collection.models import Provenance, Question, Twin
from validation.core.verdicts import REASONS, Reason
from validation.models import Verdict
from validation.selectors import QuestionState, question_state
from winoplatform.api.rows import RowSerializer


class ReasonSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=[reason.value for reason in Reason])
    sentence = serializers.CharField()


class ValidatedQuestionSerializer(authoring.QuestionSerializer):
    """A question with its validation state."""

    state = serializers.SerializerMethodField()
    reasons = serializers.SerializerMethodField(help_text="Parts of the verdict that failed.")

    class Meta(authoring.QuestionSerializer.Meta):
        fields: tuple[str, ...] = (
            *authoring.QuestionSerializer.Meta.fields,
            "state",
            "reasons",
        )

    @extend_schema_field(
        serializers.ChoiceField(choices=[(state.value, state.name) for state in QuestionState])
    )
    def get_state(self, question: Question) -> str:
        return question_state(question).value

    @extend_schema_field(ReasonSerializer(many=True))
    def get_reasons(self, question: Question) -> list[dict[str, str]]:
        verdict: Verdict | None = getattr(question, "verdict", None)
        codes = verdict.reasons if verdict else []
        return [{"code": code, "sentence": REASONS[Reason(code)]} for code in codes]


class ProvenanceSerializer(RowSerializer):
    class Meta:
        model = Provenance
        paths = {"guidelines": "guideline.version"}
        help = {"guidelines": "Accepted version."}
        fields = (
            "typed_characters", "pasted_characters", "largest_insert", "edits",
            "active_seconds", "guidelines",
        )  # fmt: skip


class ValidatedTwinSerializer(authoring.TwinSerializer):
    questions = ValidatedQuestionSerializer(many=True)
    provenance = serializers.SerializerMethodField(
        help_text="How its text was typed: for curators only; null if sent by a program."
    )

    class Meta(authoring.TwinSerializer.Meta):
        fields = (*authoring.TwinSerializer.Meta.fields, "provenance")

    @extend_schema_field(EvidenceSerializer(many=True))
    def get_advice(self, twin: Twin) -> Any:
        serializer = EvidenceSerializer if self.context.get("for_curator") else FindingSerializer
        return serializer(twin.advice, many=True).data

    @extend_schema_field(ProvenanceSerializer(allow_null=True))
    def get_provenance(self, twin: Twin) -> Any:
        provenance = getattr(twin, "provenance", None) if self.context.get("for_curator") else None
        return ProvenanceSerializer(provenance).data if provenance else None


class VerdictSerializer(RowSerializer):
    reasons = serializers.ListField(child=serializers.CharField())
    counts = serializers.DictField(child=serializers.IntegerField())

    class Meta:
        model = Verdict
        fields = ("valid", "reasons", "counts", "policy", "version", "decided_by", "created_at")
        paths = {"decided_by": "decided_by.public_id"}
        help = {"decided_by": "The curator who decided; null if the votes did."}


class CuratorQuestionSerializer(ValidatedQuestionSerializer):
    """A question with all fields, for curators."""

    verdict = VerdictSerializer(allow_null=True, default=None)

    class Meta(ValidatedQuestionSerializer.Meta):
        fields = (
            *ValidatedQuestionSerializer.Meta.fields, "twin.campaign", "twin", "twin.author",
            "twin.domain", "twin.options", "verdict", "created_at",
        )  # fmt: skip
