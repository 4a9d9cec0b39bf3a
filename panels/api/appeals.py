"""Appeals of workers, and their answers."""

import uuid
from typing import Any

from rest_framework.request import Request

from panels import services
from validation.api.filters import AppealFilter
from validation.api.serializers import golds
from validation.models import Appeal
from validation.selectors.people import appeals_for
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, ListView
from winoplatform.http.rights import Right
from workers.api.callers import caller
from workers.models import AuditEvent

TAG = "review"


class Appeals(ListView):
    """List the user's appeals and their answers; curators see those of their campaigns."""

    audits = AuditEvent.Kind.LABELS

    queryset = Appeal.objects.select_related("worker")
    serializer_class = golds.AppealSerializer
    filterset_class = AppealFilter
    takes = golds.NewAppealSerializer
    refuses = [404, Refusal("appeal_too_late")]

    def visible(self, rows: Any) -> Any:
        return rows.filter(pk__in=appeals_for(caller(self.request)).values("pk"))

    def post(self, request: Request) -> Any:
        """Appeal a decision about the user's work, once for each decision."""
        return services.appeal(worker=caller(request), **self.body())


class AnswerAppeal(CuratorView):
    changes = Right.DECIDE
    takes = golds.AppealAnswerSerializer
    gives = golds.AppealSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Answer an appeal; an upheld appeal takes effect at once."""
        return services.answer_appeal(appeal_id=id, by=caller(request), **self.body())
