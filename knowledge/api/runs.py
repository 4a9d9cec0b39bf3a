"""The REST resource of sweeps; that of releases is registered by its own module."""

from typing import Any

from knowledge import services
from knowledge.api import filters, releases, serializers  # noqa: F401  (registers releases)
from knowledge.models import Sweep
from winoplatform.api.runs import ResultFile, RunResource, register
from winoplatform.api.schema import File
from winoplatform.models import Artifact
from workers.models import AuditEvent

register(
    RunResource(
        name="sweeps",
        rows=Sweep.objects.select_related("knowledge_set", "created_by"),
        serializer=serializers.SweepSerializer,
        form=serializers.NewSweepSerializer,
        start=services.start_sweep,
        filters=filters.SweepFilter,
        creates="Prove the newest version of every formalised question of a set again.",
    )
)


class SweepReport(ResultFile):
    """What the prover found, one JSON object per formalisation."""

    audits = AuditEvent.Kind.LABELS_FILE

    queryset = Sweep.objects.select_related("report")
    gives = File(
        "application/x-ndjson",
        "JSON lines of question, version, fingerprint and what was found.",
        has_etag=True,
    )
    file_name = "sweep-{id}.jsonl"

    def result(self, run: Any) -> Artifact | None:
        report: Artifact | None = run.report
        return report
