"""Releases of knowledge sets: the run, its files, and retraction."""

from typing import Any

from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated

from corpora.api import releases as of_questions
from corpora.api.serializers import ProposedSerializer
from knowledge.models import KnowledgeRelease, KnowledgeSet
from winoplatform.api.fields import ByText
from winoplatform.api.filters import RunFilter
from winoplatform.api.runs import RUN_FIELDS, setting
from winoplatform.api.views import VisibleRows
from winoplatform.runs.models import RunStatus


class KnowledgeReleaseFilter(RunFilter):
    name = filters.CharFilter(help_text="The name of the release.")
    knowledge_set = filters.CharFilter(
        field_name="knowledge_set__name", help_text="Name of the knowledge set."
    )


class KnowledgeReleaseSerializer(ProposedSerializer):
    knowledge_set = serializers.SlugField(source="knowledge_set.name")
    authors = serializers.ListField(child=serializers.CharField())
    problems_sha256 = serializers.CharField(
        source="problems_id",
        allow_null=True,
        read_only=True,
        help_text="Of data/problems.parquet, which names what an evaluation scores.",
    )
    # A column with a default would be optional in the description.
    status = serializers.ChoiceField(choices=RunStatus.choices)

    class Meta:
        model = KnowledgeRelease
        fields = (
            *RUN_FIELDS, "knowledge_set", "name", "title", "authors", "licence", "n_pairs",
            "n_valid", "problems_sha256", "content_hash", "is_public", "retracted_at",
            "retraction_reason", "proposals",
        )  # fmt: skip


class NewKnowledgeReleaseSerializer(serializers.Serializer[Any]):
    knowledge_set = ByText(
        KnowledgeSet.objects.all(), key="name", help_text="Name of the knowledge set."
    )
    name = setting(KnowledgeRelease, "name")
    title = setting(
        KnowledgeRelease, "title", allow_blank=False, help_text="That of the set by default."
    )
    authors = serializers.ListField(
        child=serializers.CharField(max_length=200), max_length=200, required=False
    )
    licence = setting(KnowledgeRelease, "licence")


class OfKnowledgeRelease(VisibleRows):
    """A view of a knowledge release that the user may see."""

    queryset: Any = KnowledgeRelease.objects.select_related("knowledge_set", "created_by")
    permission_classes = [IsAuthenticated]


class KnowledgeReleaseFiles(OfKnowledgeRelease, of_questions.ReleaseFiles):
    pass


class OneKnowledgeReleaseFile(OfKnowledgeRelease, of_questions.OneReleaseFile):
    pass


class RetractKnowledge(of_questions.Retraction):
    queryset = OfKnowledgeRelease.queryset
    serializer_class = KnowledgeReleaseSerializer
