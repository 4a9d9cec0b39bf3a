"""The REST resources of evaluations, fine-tuned models, detections, and releases.

A release tells how people did, so requesting one is a service of this app.
"""

from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters

from corpora.api import filters as release_filters
from corpora.api import serializers as releases
from corpora.models import Release, ReleasePreview
from evaluation import services
from evaluation.api import serializers, training
from evaluation.models import (
    ArtifactDetection,
    Evaluation,
    FineTuning,
    Grid,
    KeyAudit,
)
from evaluation.selectors import api_evaluations
from evaluation.selectors.key_audits import SUSPECTS
from winoplatform.api.filters import RunFilter
from winoplatform.api.permissions import AnyoneReads
from winoplatform.api.runs import register
from workers.models import AuditEvent


class OfOneSetFilter(RunFilter):
    """Runs over a release, a reference set or a snapshot."""

    release = filters.CharFilter(method="of_release", help_text="Name of the release.")
    reference_set = filters.CharFilter(
        field_name="reference_set__name", help_text="Name of the reference set."
    )
    snapshot = filters.UUIDFilter(field_name="snapshot__public_id")
    split = filters.CharFilter()

    def of_release(self, rows: "QuerySet[Any]", field: str, name: str) -> "QuerySet[Any]":
        return rows.filter(release__in=Release.objects.live().filter(name=name))


class ScoringFilter(OfOneSetFilter):
    method = filters.CharFilter()
    variant = filters.CharFilter()
    model = filters.CharFilter(help_text="The model as named in the request.")
    transformation = filters.CharFilter()
    knowledge_release = filters.UUIDFilter(field_name="knowledge_release__public_id")
    reasons = filters.CharFilter()


register(
    name="evaluations",
    rows=Evaluation.objects.select_related(
        "release",
        "reference_set",
        "snapshot",
        "encoding",
        "fine_tuning",
        "knowledge_release",
        "created_by",
    ).prefetch_related("members"),
    visible=api_evaluations,
    serializer=serializers.EvaluationSerializer,
    form=serializers.NewEvaluationSerializer,
    start=services.evaluate,
    filters=ScoringFilter,
    lists="List the {kinds}, newest first. Users who are not curators see those of knowledge "
    "releases that they may see.",
    creates="Test a method on one split of a release or of a reference set, on a snapshot, or "
    "on the statements of a knowledge release or imported reasons.",
)

register(
    name="artifact-detections",
    rows=ArtifactDetection.objects.select_related(
        "release", "reference_set", "snapshot", "encoding", "created_by"
    ).prefetch_related("evaluations"),
    serializer=serializers.ArtifactDetectionSerializer,
    form=serializers.NewArtifactDetectionSerializer,
    start=services.detect,
    filters=OfOneSetFilter,
    creates="Look for leaks of the answer in a release, a reference set or a snapshot.",
)

register(
    name="key-audits",
    rows=KeyAudit.objects.select_related(
        "release", "reference_set", "snapshot", "created_by"
    ).prefetch_related(SUSPECTS),
    serializer=serializers.KeyAuditSerializer,
    form=serializers.NewKeyAuditSerializer,
    start=services.audit_keys,
    filters=OfOneSetFilter,
    audits=AuditEvent.Kind.LABELS,
    creates="Audit the keys of a set by the answers of all systems evaluated on it, and by the "
    "votes of people.",
)

BEFORE = (
    "release", "reference_set", "dev_release", "dev_reference_set", "before", "grid", "created_by",
)  # fmt: skip

register(
    name="fine-tunings",
    rows=FineTuning.objects.select_related(*BEFORE),
    serializer=training.FineTuningSerializer,
    form=training.NewFineTuningSerializer,
    start=services.fine_tune,
    filters=training.FineTuningFilter,
    creates="Fine-tune a model as multiple choice on splits of a release or a reference set.",
)

register(
    name="grids",
    rows=Grid.objects.select_related("best", "created_by"),
    serializer=training.GridSerializer,
    form=training.NewGridSerializer,
    start=services.start_planned,
    filters=training.GridFilter,
    creates="Start a grid: a search for the best settings, a learning curve, a transfer or a "
    "comparison with training on artifacts. Its cells are shared by all workers.",
)
register(
    name="releases",
    rows=Release.objects.select_related("snapshot", "selection", "previous", "created_by"),
    visible=lambda user, rows: rows.visible_to(user),
    reads=AnyoneReads,
    serializer=releases.ReleaseSerializer,
    form=releases.NewReleaseSerializer,
    start=services.build_release,
    filters=release_filters.ReleaseFilter,
    lists="List the releases, newest first. Only curators see those not done; without an "
    "account, only public ones are listed.",
    creates="Publish a snapshot or a selection of it; each twin is in its stored split. A "
    "chosen version that is, or may be, too low for what changed is refused.",
)

register(
    name="release-previews",
    rows=ReleasePreview.objects.select_related("snapshot", "selection", "created_by"),
    serializer=releases.ReleasePreviewSerializer,
    form=releases.NewReleasePreviewSerializer,
    start=services.preview_release,
    filters=release_filters.OfSnapshotFilter,
    creates="Compute the figures of a release without building it.",
)
