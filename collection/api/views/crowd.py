"""Studies on crowd platforms, their sessions, and the events that the platforms send."""

import time
import uuid
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from collection.api.filters import SessionFilter, StudyFilter
from collection.api.serializers import crowd as serializers
from collection.exports.sessions import sessions_csv
from collection.models import CrowdSession, Study, of_member
from collection.selectors.crowd import with_places, with_units
from collection.services import crowd
from collection.services.crowd import studies
from winoplatform.api.permissions import Anyone, IsCurator
from winoplatform.api.schema import File, Refusal
from winoplatform.api.views import ApiView, CuratorView, ListView
from winoplatform.errors import existing
from winoplatform.http.rights import Right
from workers.api.callers import caller
from workers.models import AuditEvent

TAG = "crowd platforms"
FORGED = Refusal("signature_wrong", status=403)


def visible_study(request: Request, study_id: uuid.UUID) -> Study:
    rows = Study.objects.select_related("campaign").filter(of_member(caller(request)))
    return existing(rows.filter(public_id=study_id).first(), "study")


class Studies(ListView):
    """List the studies with the settings for their platforms."""

    reads = Right.MANAGE
    queryset = Study.objects.select_related("campaign")
    serializer_class = serializers.StudySerializer
    filterset_class = StudyFilter
    permission_classes = [IsCurator]
    takes = serializers.NewStudySerializer

    def visible(self, rows: Any) -> QuerySet[Study]:
        return with_places(rows.filter(of_member(caller(self.request))))

    def post(self, request: Request) -> Any:
        """Offer a campaign's work on a crowd platform; codes and secret default to new ones."""
        return studies.create_study(**self.body())


class OneStudy(CuratorView):
    reads = Right.MANAGE
    takes = serializers.StudyChangesSerializer(partial=True)
    gives = serializers.StudySerializer

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """Return one study with the settings for its platform; secrets are never shown."""
        return visible_study(request, id)

    def patch(self, request: Request, id: uuid.UUID) -> Any:
        """Change places, codes, addresses or secrets; a new secret invalidates all older links."""
        return studies.update_study(study=visible_study(request, id), **self.body())


class CloseStudy(CuratorView):
    reads = Right.MANAGE
    gives = serializers.StudySerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Refuse new participants; sessions that have begun continue. Idempotent."""
        return studies.close_study(study=visible_study(request, id))


class StudyLinks(CuratorView):
    reads = Right.MANAGE
    takes = serializers.LinksSerializer
    gives = [serializers.LinkSerializer]
    refuses = Refusal("links_not_signed")

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Sign a link for each participant of a generic study; nothing is stored."""
        data = self.body()
        more = {
            name: str(data[name])
            for name in ("approvals", "approval_rate", "return_to")
            if name in data
        }
        return studies.make_links(
            study=visible_study(request, id),
            participants=data["participants"],
            hours=data["hours"],
            **more,
        )


class StudySessions(ListView):
    """List a study's sessions, for comparison with the platform's list."""

    reads = Right.MANAGE
    audits = AuditEvent.Kind.PEOPLE_FILE

    queryset = CrowdSession.objects.select_related("study", "participant__worker")
    serializer_class = serializers.SessionSerializer
    filterset_class = SessionFilter
    permission_classes = [IsCurator]

    def visible(self, rows: Any) -> QuerySet[CrowdSession]:
        sessions: QuerySet[CrowdSession] = rows.filter(
            study=visible_study(self.request, self.kwargs["id"])
        )
        return with_units(sessions)


class SessionsFile(CuratorView):
    reads = Right.MANAGE
    audits = AuditEvent.Kind.PEOPLE_FILE
    gives = File("text/csv")

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """Return all sessions of a study as CSV, oldest first."""
        return sessions_csv(visible_study(request, id))


def _header(name: str, what: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, description=what)


class StudyEvents(ApiView):
    """Webhook for the platforms, which are authenticated by signature."""

    authentication_classes = []
    permission_classes = [Anyone]
    takes = serializers.EventSerializer
    gives = serializers.EventAnswerSerializer
    query = [
        _header("X-Wino-Timestamp", "Time of signing, in seconds since 1970."),
        _header("X-Wino-Signature", "HMAC-SHA256 of timestamp, full stop and body, in hex."),
    ]
    refuses = [409, FORGED]

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Receive a signed event, also in Prolific's format; repeating it changes nothing."""
        row = Study.objects.select_related("campaign").filter(public_id=id).first()
        study = existing(row, "study")
        headers = {name.lower(): value for name, value in request.headers.items()}
        event = studies.provider_of(study).event(
            studies.facts(study), headers, request._request.body, int(time.time())
        )
        session = crowd.end_by_event(study=study, event=event) if event else None
        status = session.status if session else None
        return {"session_status": status}
