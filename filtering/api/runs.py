"""API resources of tunings, encodings, filter runs and assessments."""

from django_filters import rest_framework as filters

from corpora.api.filters import OfSnapshotFilter
from filtering import services
from filtering.api import serializers
from filtering.models import Assessment, Encoding, FilterRun, SentenceEncoding, Tuning
from winoplatform.api.filters import RunFilter, of_campaign
from winoplatform.api.runs import register


class FilterRunFilter(RunFilter):
    campaign = of_campaign("encoding__snapshot__campaign")


class SentencesFilter(RunFilter):
    campaign = of_campaign("campaign")


class AssessmentFilter(RunFilter):
    filter_run = filters.UUIDFilter(field_name="filter_run__public_id")


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
    name="sentence-encodings",
    rows=SentenceEncoding.objects.select_related("campaign", "created_by"),
    serializer=serializers.SentenceEncodingSerializer,
    form=serializers.NewSentenceEncodingSerializer,
    start=services.encode_sentences,
    filters=SentencesFilter,
    creates="Encode the sentences of all questions of a campaign, to find questions by meaning.",
)
register(
    name="filter-runs",
    rows=FilterRun.objects.select_related("encoding", "reference", "selection", "created_by"),
    serializer=serializers.FilterRunSerializer,
    detail=serializers.FilterRunDetailSerializer,
    form=serializers.NewFilterRunSerializer,
    start=services.start_filter_run,
    filters=FilterRunFilter,
    creates="Filter by AFLite; settings left out are the preset's.",
)
register(
    name="assessments",
    rows=Assessment.objects.select_related("filter_run", "created_by"),
    serializer=serializers.AssessmentSerializer,
    detail=serializers.AssessmentDetailSerializer,
    form=serializers.NewAssessmentSerializer,
    start=services.start_assessment,
    filters=AssessmentFilter,
    creates="Measure the effect of a filter run on the biases; each run is assessed once by "
    "default.",
)
