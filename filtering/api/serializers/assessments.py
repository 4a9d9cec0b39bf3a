from typing import Any

from rest_framework import serializers

from filtering.models import Assessment, AssessmentPart, FilterRun
from winoplatform.api.fields import ByPublicId
from winoplatform.api.runs import RUN_FIELDS, RunSerializer, setting


class AssessmentSerializer(RunSerializer):
    report_sha256 = serializers.CharField(
        source="report_id", allow_null=True, help_text="Content hash of the report."
    )

    class Meta:
        model = Assessment
        fields: tuple[str, ...] = (*RUN_FIELDS, "filter_run", "seed", "report_sha256")


class AssessmentPartSerializer(serializers.ModelSerializer[AssessmentPart]):
    figures = serializers.JSONField(help_text="As in the report.")

    class Meta:
        model = AssessmentPart
        fields = ("number", "name", "figures", "seconds", "created_at")


class AssessmentDetailSerializer(AssessmentSerializer):
    parts = AssessmentPartSerializer(source="steps", many=True)

    class Meta(AssessmentSerializer.Meta):
        fields = (*AssessmentSerializer.Meta.fields, "parts")


class NewAssessmentSerializer(serializers.Serializer[Any]):
    filter_run = ByPublicId(FilterRun.objects.all())
    seed = setting(Assessment, "seed")
