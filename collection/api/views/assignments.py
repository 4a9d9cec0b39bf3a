"""Writing: get an article, submit a twin."""

import uuid
from typing import Any

from rest_framework.request import Request

from collection import services
from collection.api.filters import AssignmentFilter
from collection.api.serializers import authoring as serializers
from collection.api.views.campaigns import visible_campaign
from collection.models import Assignment
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ApiView, DetailView, ListView
from workers.api.callers import caller


class RequestAssignment(ApiView):
    gives = serializers.AssignmentSerializer
    refuses = [403, Refusal("campaign_not_open")]

    def post(self, request: Request, slug: str) -> Any:
        """Lease a random article, or return the assignment already held."""
        campaign = visible_campaign(request, slug)
        return services.request_assignment(worker=caller(request), campaign=campaign)


class Assignments(ListView):
    """List the user's assignments; curators see all."""

    queryset = Assignment.objects.select_related("campaign", "worker", "article").only(
        "public_id", "status", "leased_until", "created_at", "campaign__slug",
        "worker__public_id", "article__title",
    ).with_twin()  # fmt: skip
    serializer_class = serializers.AssignmentLineSerializer
    filterset_class = AssignmentFilter


class OneAssignment(DetailView):
    """Return one assignment with its article and ranked anchors."""

    queryset = Assignment.objects.select_related("campaign", "worker", "article").with_twin()
    serializer_class = serializers.AssignmentSerializer


class ReturnAssignment(ApiView):
    takes = serializers.ReturnSerializer
    gives = serializers.AssignmentSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Return an article without a twin; returning it again changes nothing."""
        return services.return_assignment(worker=caller(request), assignment_id=id, **self.body())


class AnotherArticle(ApiView):
    takes = serializers.AnotherSerializer
    gives = serializers.AssignmentSerializer
    refuses = [403, 409]

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Exchange the article for another one; returns the new assignment."""
        return services.another_article(worker=caller(request), assignment_id=id, **self.body())


class RenewAssignment(ApiView):
    gives = serializers.AssignmentSerializer
    refuses = [403, 409]

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Restart the lease, even after it has ended."""
        return services.renew_assignment(worker=caller(request), assignment_id=id)
