"""Actions on many questions over HTTP."""

from typing import Any

from rest_framework import serializers

from validation.core.verdicts import REASONS
from validation.models import BulkAction, BulkItem
from validation.services.review.adjudication import GIVEN_BY_CURATORS
from validation.services.review.bulk import MOST, outcomes_of
from winoplatform.api.rows import RowSerializer

Outcome = BulkItem.Outcome


class NewBulkSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(BulkAction.Kind.choices, help_text="What is done.")
    questions = serializers.ListField(
        child=serializers.CharField(max_length=32),
        max_length=MOST,
        help_text="Ids of questions of the campaign.",
    )


class ConfirmBulkSerializer(serializers.Serializer[Any]):
    note = serializers.CharField(
        max_length=500,
        default="",
        allow_blank=True,
        help_text="The reason, for the audit log. Not needed for control questions.",
    )
    reasons = serializers.ListField(
        child=serializers.ChoiceField([(code.value, REASONS[code]) for code in GIVEN_BY_CURATORS]),
        default=list,
        help_text="Why the questions are not valid; only for the kind `invalid`.",
    )


class RefusedItemSerializer(RowSerializer):
    message = serializers.CharField(help_text="Why it was refused.")

    class Meta:
        model = BulkItem
        fields = ("question", "message")


class BulkSerializer(RowSerializer):
    """An action, and how far it is."""

    done = serializers.IntegerField()
    refused = serializers.IntegerField(
        help_text="Questions that were refused; `/bulk-actions/{id}/refusals/` says why."
    )
    left = serializers.IntegerField(help_text="Questions that are not acted on yet.")

    class Meta:
        model = BulkAction
        fields = (
            "id", "campaign", "kind", "note", "reasons", "created_at", "confirmed_at", "done",
            "refused", "left",
        )  # fmt: skip

    def to_representation(self, action: Any) -> dict[str, Any]:
        counts = outcomes_of(action)
        action.done, action.refused = counts[Outcome.DONE], counts[Outcome.REFUSED]
        action.left = counts[Outcome.WAITING]
        shown: dict[str, Any] = super().to_representation(action)
        return shown
