"""API resources of tunings, encodings, filter runs and assessments."""

from corpora.api.filters import OfSnapshotFilter
from filtering import services
from filtering.api import filters, serializers
from filtering.models import Assessment, Encoding, FilterRun, Tuning
from winoplatform.api.runs import register

register(
    name="tunings",
    rows=Tuning.objects.select_related("snapshot", "created_by"),
    serializer=serializers.TuningSerializer,
    detail=serializers.TuningDetailSerializer,
    form=serializers.NewTuningSerializer,
    start=services.tune,
    filters=OfSnapshotFilter,
    creates="Fine-tune an encoder on some of a snapshot's questions, which are then removed "
    "from the data set.",
)
register(
    name="encodings",
    rows=Encoding.objects.select_related("snapshot", "tuning", "created_by"),
    serializer=serializers.EncodingSerializer,
    form=serializers.NewEncodingSerializer,
    start=services.encode,
    filters=OfSnapshotFilter,
    creates="Encode every question of a snapshot; it starts when the snapshot is done.",
)
register(
    name="filter-runs",
    rows=FilterRun.objects.select_related("encoding", "reference", "selection", "created_by"),
    serializer=serializers.FilterRunSerializer,
    detail=serializers.FilterRunDetailSerializer,
    form=serializers.NewFilterRunSerializer,
    start=services.start_filter_run,
    filters=filters.FilterRunFilter,
    creates="Filter by AFLite; settings left out are the preset's.",
)
register(
    name="assessments",
    rows=Assessment.objects.select_related("filter_run", "created_by"),
    serializer=serializers.AssessmentSerializer,
    detail=serializers.AssessmentDetailSerializer,
    form=serializers.NewAssessmentSerializer,
    start=services.start_assessment,
    filters=filters.AssessmentFilter,
    creates="Measure the effect of a filter run on the biases; each run is assessed once by "
    "default.",
)
