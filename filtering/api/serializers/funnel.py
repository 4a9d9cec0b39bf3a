from typing import Any

from rest_framework import serializers


class FunnelSerializer(serializers.Serializer[Any]):
    twins = serializers.IntegerField()
    written = serializers.IntegerField(help_text="Questions written.")
    validated = serializers.IntegerField(help_text="Questions with a verdict.")
    valid = serializers.IntegerField()
    filtered = serializers.IntegerField(
        allow_null=True, help_text="Questions that the latest finished filter run saw."
    )
    kept = serializers.IntegerField(allow_null=True, help_text="Questions that it kept.")
