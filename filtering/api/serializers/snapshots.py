from typing import Any

from rest_framework import serializers

from collection.models import Campaign
from filtering.models import Snapshot
from winoplatform.api.fields import BySlug
from winoplatform.api.runs import RUN_FIELDS, RunSerializer


class FunnelSerializer(serializers.Serializer[Any]):
    twins = serializers.IntegerField()
    written = serializers.IntegerField(help_text="Questions written.")
    judged = serializers.IntegerField(help_text="Questions with a verdict.")
    valid = serializers.IntegerField()
    filtered = serializers.IntegerField(
        allow_null=True, help_text="Questions that the latest finished filter run saw."
    )
    kept = serializers.IntegerField(allow_null=True, help_text="Questions that it kept.")


class SnapshotSerializer(RunSerializer):
    campaign = serializers.SlugField(source="campaign.slug")
    sha256 = serializers.CharField(
        source="questions_id", allow_null=True, help_text="Content hash of the frozen questions."
    )

    class Meta:
        model = Snapshot
        fields = (*RUN_FIELDS, "campaign", "n_questions", "n_pairs", "sha256")


class NewSnapshotSerializer(serializers.Serializer[Any]):
    campaign = BySlug(Campaign.objects.all(), help_text="Slug of the campaign.")
