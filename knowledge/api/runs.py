"""The REST resources of sweeps and of releases of knowledge sets."""

from knowledge import services
from knowledge.api import filters, releases, serializers
from knowledge.models import KnowledgeRelease, Sweep
from winoplatform.api.permissions import CuratorsChange
from winoplatform.api.runs import register

register(
    name="knowledge-releases",
    rows=KnowledgeRelease.objects.select_related("knowledge_set", "created_by"),
    visible=lambda user, rows: rows.visible_to(user),
    reads=CuratorsChange,
    serializer=releases.KnowledgeReleaseSerializer,
    form=releases.NewKnowledgeReleaseSerializer,
    start=services.build_knowledge_release,
    filters=releases.KnowledgeReleaseFilter,
    lists="List the releases of knowledge sets, newest first. Only curators see those not "
    "done, or over questions that others may not see.",
    creates="Release the pairs of a knowledge set as files; those about questions whose labels "
    "are held back are left out.",
)
register(
    name="sweeps",
    rows=Sweep.objects.select_related("knowledge_set", "created_by"),
    serializer=serializers.SweepSerializer,
    form=serializers.NewSweepSerializer,
    start=services.start_sweep,
    filters=filters.SweepFilter,
    creates="Prove the newest version of every formalised question of a set again.",
)
