"""Workers with counts of their work."""

from typing import Any

from rest_framework import serializers

from workers.models import User


class PausedSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    since = serializers.DateTimeField(source="created_at")


class WorkerSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(
        source="user.public_id", help_text="The pseudonym used in data files."
    )
    origin = serializers.ChoiceField(
        source="user.origin",
        choices=User.Origin.choices,
        allow_blank=True,
        help_text="Who is behind the account, if its creation tells it; else empty.",
    )
    platform = serializers.CharField(source="user.platform", help_text="The crowd platform.")
    joined_at = serializers.DateTimeField(source="user.date_joined")
    paused = PausedSerializer(source="pause", allow_null=True)
    twins = serializers.IntegerField(source="counts.twins", help_text="Not withdrawn.")
    withdrawn = serializers.IntegerField(source="counts.withdrawn", help_text="Twins withdrawn.")
    votes = serializers.IntegerField(source="counts.votes")
    validated = serializers.IntegerField(
        source="counts.validated", help_text="Their questions that have a verdict."
    )
    valid = serializers.IntegerField(source="counts.valid")
    valid_share = serializers.FloatField(source="counts.valid_share", allow_null=True)
    typed = serializers.IntegerField(source="counts.typed", help_text="Characters.")
    pasted = serializers.IntegerField(source="counts.pasted", help_text="Characters.")
    pasted_share = serializers.FloatField(source="counts.pasted_share", allow_null=True)
