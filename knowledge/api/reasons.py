"""Reasons that were imported with their votes. For curators: a reason names the answer."""

from knowledge.api import filters, serializers
from knowledge.models import Reason
from winoplatform.api.permissions import IsCurator
from winoplatform.api.views import ListView


class Reasons(ListView):
    """List the imported reasons, with how many people accepted each."""

    queryset = Reason.objects.all()
    serializer_class = serializers.KnowledgeReasonSerializer
    permission_classes = [IsCurator]
    filterset_class = filters.ReasonFilter
