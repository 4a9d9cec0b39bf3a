from typing import Any

from rest_framework import serializers

from winoplatform.api.fields import VerbatimField
from workers.models import ApiToken, LedgerEntry, Pause, User


class TokenRequestSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    password = VerbatimField(max_length=4096)
    name = serializers.CharField(
        max_length=80, default="api", help_text="What it is for, to tell tokens apart."
    )


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    """A token as its owner may see it later: only the beginning of its text."""

    created_at = serializers.DateTimeField(source="created")

    class Meta:
        model = ApiToken
        fields: tuple[str, ...] = ("token_key", "name", "created_at")


class NewTokenSerializer(TokenSerializer):
    token = serializers.CharField(help_text="The token's text. It is shown this once.")

    class Meta(TokenSerializer.Meta):
        fields = ("token", *TokenSerializer.Meta.fields)


class MeSerializer(serializers.ModelSerializer[User]):
    id = serializers.CharField(source="public_id", help_text="The pseudonym that data carries.")

    class Meta:
        model = User
        fields = ("id", "username", "role")


class LedgerEntrySerializer(serializers.ModelSerializer[LedgerEntry]):
    worker = serializers.CharField(source="worker.public_id")
    campaign = serializers.UUIDField(source="budget")

    class Meta:
        model = LedgerEntry
        fields = ("worker", "kind", "unit", "amount", "currency", "campaign", "created_at")


class LedgerSumSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=LedgerEntry.Kind.choices)
    currency = serializers.CharField()
    count = serializers.IntegerField()
    sum = serializers.DecimalField(max_digits=24, decimal_places=2)


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500, help_text="What the worker is told.")


class PauseSerializer(serializers.ModelSerializer[Pause]):
    worker = serializers.CharField(source="worker.public_id")
    by = serializers.CharField(source="by.public_id", help_text="Public id of the curator.")

    class Meta:
        model = Pause
        fields = ("worker", "reason", "by", "created_at", "ended_at")
