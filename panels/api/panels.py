"""Panels: votes of people on questions. For curators."""

import uuid
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from panels import selectors, services
from panels.api import serializers
from panels.exports import votes_csv
from panels.models import Enrolment, Panel
from validation.api.serializers.review import DoneSerializer, WhySerializer
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import File
from winoplatform.api.views import CuratorFile, CuratorView, ListView, validated
from winoplatform.errors import NotFound
from workers.api.callers import caller
from workers.models import AuditEvent
from workers.services import worker_named

ROWS = Panel.objects.select_related("campaign", "release", "snapshot", "reference_set")


def _panel(public_id: uuid.UUID) -> Panel:
    found = ROWS.filter(public_id=public_id).first()
    if found is None:
        raise NotFound("human evaluation")
    return found


class Panels(CuratorRows, ListView):
    """List the human evaluations and other panels, newest first."""

    queryset = ROWS
    serializer_class = serializers.PanelSerializer
    takes = serializers.NewHumanEvaluationSerializer
    refuses = 409

    def post(self, request: Request) -> Response:
        """Ask people for fresh votes on a split or a snapshot, and reserve their pay."""
        asked = validated(serializers.NewHumanEvaluationSerializer, request)
        made = services.start_human_evaluation(by=caller(request), **asked)
        return Response(serializers.PanelSerializer(made).data, status=201)


class OnePanel(CuratorView):
    gives = serializers.PanelResultSerializer

    def get(self, request: Request, id: uuid.UUID) -> Response:
        """Return a human evaluation with its progress and its results so far."""
        found: Any = _panel(id)
        items = selectors.panel_answers(found)
        found.people = selectors.voters_people(found)
        found.progress = selectors.progress_of(found)
        found.scores = selectors.scores_of(items)
        found.by_domain = selectors.scores_by_domain(items)
        return Response(serializers.PanelResultSerializer(found).data)


class ChangeStatus(CuratorView):
    takes = serializers.PanelStatusSerializer
    gives = serializers.PanelSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Pause, reopen or close a human evaluation; a closed one cannot be opened again."""
        status = validated(serializers.PanelStatusSerializer, request)["status"]
        changed = services.change_panel_status(panel=_panel(id), status=status)
        return Response(serializers.PanelSerializer(changed).data)


class EndEnrolment(CuratorRows):
    queryset = Enrolment.objects.all()
    gives = None

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End an enrolment: another worker may take its number; answers and pay stand."""
        services.end_enrolment(enrolment=self.get_object())
        return Response(status=204)


class Votes(CuratorFile):
    audits = AuditEvent.Kind.LABELS_FILE
    gives = File("text/csv", "One vote per line; workers are pseudonyms.")

    def get(self, request: Request, id: uuid.UUID) -> StreamingHttpResponse:
        """Download every vote of a human evaluation."""
        return votes_csv(_panel(id))


class ExcludeVote(CuratorView):
    takes = WhySerializer
    gives = serializers.PanelVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Exclude a vote: it stays paid, its worker is notified, another person is asked."""
        why = validated(WhySerializer, request)
        vote = services.exclude_vote(vote_id=id, by=caller(request), **why)
        return Response(serializers.PanelVoteSerializer(vote).data)


class RestoreVote(CuratorView):
    takes = WhySerializer
    gives = serializers.PanelVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Restore an excluded vote; one that was cast in its place becomes spare."""
        why = validated(WhySerializer, request)
        vote = services.restore_vote(vote_id=id, by=caller(request), **why)
        return Response(serializers.PanelVoteSerializer(vote).data)


class ExcludeVotes(CuratorView):
    takes = serializers.WhyWhoseSerializer
    gives = DoneSerializer

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Exclude the votes of a worker in a human evaluation; call again while any are left."""
        why = validated(serializers.WhyWhoseSerializer, request)
        worker = worker_named(why.pop("worker"))
        done = services.exclude_votes_of(worker=worker, panel=_panel(id), by=caller(request), **why)
        return Response(DoneSerializer(done).data)
