"""Serializers of filtering's requests and responses."""

from filtering.api.serializers.comparisons import (
    CloneSerializer,
    ComparisonSerializer,
    SeedsSerializer,
    WhichRunsSerializer,
)
from filtering.api.serializers.encodings import (
    AssessmentDetailSerializer,
    AssessmentPartSerializer,
    AssessmentSerializer,
    EncodingSerializer,
    NewAssessmentSerializer,
    NewEncodingSerializer,
)
from filtering.api.serializers.filter_runs import (
    FilterRunDetailSerializer,
    FilterRunSerializer,
    FunnelSerializer,
    NewFilterRunSerializer,
    NewTuningSerializer,
    PhaseSerializer,
    TuningDetailSerializer,
    TuningEpochSerializer,
    TuningSerializer,
)
