from typing import Any

from rest_framework import serializers


class FunnelSerializer(serializers.Serializer[Any]):
    twins = serializers.IntegerField()
    written = serializers.IntegerField(help_text="Questions written.")
    validated = serializers.IntegerField(help_text="Questions with a verdict.")
    valid = serializers.IntegerField()
    filtered = serializers.IntegerField(
        allow_null=True, help_text="Questions before the campaign's chosen filter run."
    )
    kept = serializers.IntegerField(allow_null=True, help_text="Questions that this run kept.")
    run = serializers.UUIDField(
        allow_null=True, help_text="The filter run: the chosen one, or that of the latest release."
    )
