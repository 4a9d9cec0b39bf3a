"""Knowledge sets, what is in one, and sweeps."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from knowledge import services
from knowledge.api import (
    filters,
    releases,  # noqa: F401  (registers releases)
    serializers,
)
from knowledge.models import KnowledgeSet, Sweep
from winoplatform.api.permissions import AnyoneReads
from winoplatform.api.runs import ResultFile
from winoplatform.api.schema import File
from winoplatform.api.views import DetailView, ListView, VisibleRows
from workers.api.callers import caller
from workers.models import AuditEvent


class KnowledgeSets(ListView):
    """List the knowledge sets over releases and reference sets that the user may see."""

    queryset = KnowledgeSet.objects.select_related("release", "reference_set", "campaign")
    serializer_class = serializers.KnowledgeSetSerializer
    permission_classes = [AnyoneReads]
    filterset_class = filters.KnowledgeSetFilter
    takes = serializers.NewKnowledgeSetSerializer
    refuses = 409

    def post(self, request: Request) -> Any:
        """Create an empty knowledge set over a release or a reference set."""
        return services.create_knowledge_set(by=caller(request), **self.body())


class OneKnowledgeSet(DetailView):
    """One knowledge set: what it is over, and what it pays."""

    queryset = KnowledgeSets.queryset
    serializer_class = serializers.KnowledgeSetSerializer
    permission_classes = [AnyoneReads]
    lookup_field = lookup_url_kwarg = "name"
    takes = {"PATCH": serializers.ChangedKnowledgeSetSerializer}
    refuses = 409

    def patch(self, request: Request, name: str) -> Any:
        """Change the title, the campaign that pays, or what workers are paid and asked."""
        data = self.body()
        return services.change_knowledge_set(knowledge_set=self.get_object(), **data)


class InSet(VisibleRows):
    """A view of the rows of one set, for those who may formalise its questions."""

    pagination_class: Any = None
    filter_backends: Any = []

    def knowledge_set(self) -> KnowledgeSet:
        """Return the set, or refuse as if it did not exist."""
        sets = KnowledgeSet.objects.formalised_by(self.request.user)
        return get_object_or_404(sets.select_related("campaign"), name=self.kwargs["name"])


class ListInSet(InSet, ListView):
    """A list of one set's rows."""

    pagination_class = ListView.pagination_class
    filter_backends = ListView.filter_backends  # type: ignore[misc]

    def visible(self, rows: Any) -> "QuerySet[Any]":
        return super().visible(rows).filter(knowledge_set=self.knowledge_set())


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
    stored = "report"
