from typing import Any

from rest_framework import serializers

from collection.api.serializers.campaigns import FindingSerializer, UnfinishedTwinSerializer
from filtering.models import Guess


class GuessedTwinSerializer(UnfinishedTwinSerializer):
    assignment = serializers.UUIDField(help_text="One's own: what the twin is written for.")


class GuessSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(
        choices=[*Guess.Status.values, "impossible"],
        help_text="impossible: there is nothing to guess by, or the text may not be guessed.",
    )
    reason = serializers.CharField(
        allow_blank=True, help_text="Why there is no answer, where there will be none."
    )
    served = serializers.BooleanField(
        allow_null=True,
        help_text="While it waits: whether a live worker takes guesses. Null otherwise.",
    )
    finding = FindingSerializer(
        allow_null=True, help_text="The advice machine_guesses, where both are guessed."
    )
