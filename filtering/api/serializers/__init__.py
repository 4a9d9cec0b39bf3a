"""The shapes of filtering's requests and answers."""

from filtering.api.serializers.assessments import (
    AssessmentDetailSerializer,
    AssessmentPartSerializer,
    AssessmentSerializer,
    NewAssessmentSerializer,
)
from filtering.api.serializers.comparisons import (
    CloneSerializer,
    ComparisonSerializer,
    SeedsSerializer,
    WhichRunsSerializer,
)
from filtering.api.serializers.encodings import EncodingSerializer, NewEncodingSerializer
from filtering.api.serializers.filter_runs import (
    FilterRunDetailSerializer,
    FilterRunSerializer,
    NewFilterRunSerializer,
    PhaseSerializer,
)
from filtering.api.serializers.releases import (
    NewReleaseSerializer,
    ReleaseFileSerializer,
    ReleaseSerializer,
)
from filtering.api.serializers.snapshots import (
    FunnelSerializer,
    NewSnapshotSerializer,
    SnapshotSerializer,
)
from filtering.api.serializers.tunings import (
    NewTuningSerializer,
    TuningDetailSerializer,
    TuningEpochSerializer,
    TuningSerializer,
)

__all__ = [
    "AssessmentDetailSerializer",
    "AssessmentPartSerializer",
    "AssessmentSerializer",
    "CloneSerializer",
    "ComparisonSerializer",
    "EncodingSerializer",
    "FilterRunDetailSerializer",
    "FilterRunSerializer",
    "FunnelSerializer",
    "NewAssessmentSerializer",
    "NewEncodingSerializer",
    "NewFilterRunSerializer",
    "NewReleaseSerializer",
    "NewSnapshotSerializer",
    "NewTuningSerializer",
    "PhaseSerializer",
    "ReleaseFileSerializer",
    "ReleaseSerializer",
    "SeedsSerializer",
    "SnapshotSerializer",
    "TuningDetailSerializer",
    "TuningEpochSerializer",
    "TuningSerializer",
    "WhichRunsSerializer",
]
