"""Panels: votes of people on questions. For curators."""

import uuid
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework.request import Request

from collection.models import of_member
from collection.selectors.known_people import known_worker
from panels import selectors, services
from panels.api import serializers
from panels.exports import votes_csv
from panels.models import Enrolment, Panel, PanelSeat
from validation.api.serializers.review import DoneSerializer, WhySerializer
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import File
from winoplatform.api.views import CuratorFile, CuratorView, ListView
from winoplatform.errors import NotFound, existing
from winoplatform.http.rights import Right
from workers.api.callers import caller
from workers.models import AuditEvent

ROWS = Panel.objects.select_related("campaign", "release", "snapshot", "reference_set")


def _panel(request: Request, public_id: uuid.UUID) -> Panel:
    rows = ROWS.filter(of_member(caller(request)))
    return existing(rows.filter(public_id=public_id).first(), "human evaluation")


def _refuse_unseen(request: Request, vote_id: uuid.UUID) -> None:
    rows = PanelSeat.objects.filter(of_member(caller(request), "panel__campaign"))
    if not rows.filter(public_id=vote_id).exists():
        raise NotFound("vote")


class Panels(CuratorRows, ListView):
    """List the human evaluations and other panels, newest first."""

    queryset = ROWS
    serializer_class = serializers.PanelSerializer
    takes = serializers.NewHumanEvaluationSerializer
    refuses = 409

    def post(self, request: Request) -> Any:
        """Ask people for fresh votes on a split or a snapshot, and reserve their pay."""
        return services.start_human_evaluation(by=caller(request), **self.body())


class OnePanel(CuratorView):
    gives = serializers.PanelResultSerializer

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """Return a human evaluation with its progress and its results so far."""
        panel: Any = _panel(request, id)
        items = selectors.panel_answers(panel)
        panel.people = selectors.voters_people(panel)
        panel.progress = selectors.progress_of(panel)
        panel.scores = selectors.scores_of(items)
        panel.by_domain = selectors.scores_by_domain(items)
        return panel


class ChangeStatus(CuratorView):
    takes = serializers.PanelStatusSerializer
    gives = serializers.PanelSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Pause, reopen or close a human evaluation; a closed one cannot be opened again."""
        status = self.body()["status"]
        return services.change_panel_status(panel=_panel(request, id), status=status)


class EndEnrolment(CuratorRows):
    queryset = Enrolment.objects.all()
    gives = None

    def visible(self, rows: Any) -> Any:
        return rows.filter(of_member(self.request.user, "panel__campaign"))

    def post(self, request: Request, id: uuid.UUID) -> None:
        """End an enrolment: another worker may take its number; answers and pay stand."""
        services.end_enrolment(enrolment=self.get_object())


class Votes(CuratorFile):
    audits = AuditEvent.Kind.LABELS_FILE
    gives = File("text/csv", "One vote per line; workers are pseudonyms.")

    def get(self, request: Request, id: uuid.UUID) -> StreamingHttpResponse:
        """Download every vote of a human evaluation."""
        return votes_csv(_panel(request, id))


class ExcludeVote(CuratorView):
    changes = Right.DECIDE
    takes = WhySerializer
    gives = serializers.PanelVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Exclude a vote: it stays paid, its worker is notified, another person is asked."""
        _refuse_unseen(request, id)
        return services.exclude_vote(vote_id=id, by=caller(request), **self.body())


class RestoreVote(CuratorView):
    changes = Right.DECIDE
    takes = WhySerializer
    gives = serializers.PanelVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Restore an excluded vote; one that was cast in its place becomes spare."""
        _refuse_unseen(request, id)
        return services.restore_vote(vote_id=id, by=caller(request), **self.body())


class ExcludeVotes(CuratorView):
    changes = Right.DECIDE
    takes = serializers.WhyWhoseSerializer
    gives = DoneSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Exclude the votes of a worker in a human evaluation; call again while any are left."""
        why = self.body()
        worker = known_worker(caller(request), why.pop("worker"))
        return services.exclude_votes_of(
            worker=worker, panel=_panel(request, id), by=caller(request), **why
        )
