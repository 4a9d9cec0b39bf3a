"""Serializers of filtering's requests and responses."""

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
from filtering.api.serializers.funnel import FunnelSerializer
from filtering.api.serializers.tunings import (
    NewTuningSerializer,
    TuningDetailSerializer,
    TuningEpochSerializer,
    TuningSerializer,
)
