"""Gold questions, appeals and notices over HTTP."""

from datetime import UTC
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from validation.models import Appeal, GoldQuestion, QualityNotice
from validation.selectors.golds import why_retired
from winoplatform.api.rows import RowSerializer

RETIRED_FOR = GoldQuestion.Retirement.choices


class GoldSerializer(RowSerializer):
    sentence = serializers.CharField(source="question.sentence")
    answers = serializers.IntegerField(source="n_answers", default=0)
    right = serializers.IntegerField(source="n_right", default=0)
    retired_for = serializers.SerializerMethodField(help_text="Why it is no longer asked.")

    class Meta:
        model = GoldQuestion
        fields = (
            "id", "campaign", "question", "sentence", "origin", "answers", "right",
            "created_at", "retired_at", "retired_for",
        )  # fmt: skip

    @extend_schema_field(serializers.ChoiceField(choices=[*RETIRED_FOR, ("", "in use")]))
    def get_retired_for(self, gold: GoldQuestion) -> str:
        return why_retired(gold)


class NewGoldSerializer(serializers.Serializer[Any]):
    question = serializers.CharField(max_length=32, help_text="Public id of a valid question.")


class AppealSerializer(RowSerializer):
    class Meta:
        model = Appeal
        fields = (
            "id", "worker", "subject", "unit", "text", "status", "answer", "created_at",
            "decided_at",
        )  # fmt: skip


class NewAppealSerializer(serializers.Serializer[Any]):
    subject = serializers.ChoiceField(choices=Appeal.Subject.choices)
    unit = serializers.CharField(
        max_length=64,
        help_text="Public id of the question or vote; of a pause, its number.",
    )
    text = serializers.CharField(max_length=1000, help_text="Why you appeal.")


class AppealAnswerSerializer(serializers.Serializer[Any]):
    upheld = serializers.BooleanField()
    answer = serializers.CharField(max_length=1000, help_text="Message to the worker.")


class NoticeSerializer(RowSerializer):
    # No time: compared with the times of the votes, it would reveal the gold question.
    day = serializers.SerializerMethodField(help_text="In UTC.")

    class Meta:
        model = QualityNotice
        fields = ("campaign", "kind", "unit", "text", "day", "seen_at")

    @extend_schema_field(serializers.DateField())
    def get_day(self, notice: QualityNotice) -> str:
        return notice.created_at.astimezone(UTC).date().isoformat()
