"""The validation of a set's sentences: for curators, and for annotators, who see no label."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge import selectors, services
from knowledge.api import serializers
from knowledge.api.bodies import figures_body
from knowledge.api.sets import InSet
from knowledge.models import Enrolment, KnowledgeSet, SentenceSeat, SetValidation
from winoplatform.api.permissions import IsCurator, ValidatorsBlind
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ListView, VisibleRows, validated
from winoplatform.errors import NotFound
from workers.api.callers import caller

EXPIRED = Refusal("lease_expired", status=410)
ROWS = SetValidation.objects.select_related("campaign", "knowledge_set")


class Validation(InSet):
    queryset = KnowledgeSet.objects.all()
    serializer_class = serializers.ValidationSerializer
    permission_classes = [IsCurator]
    takes = {"POST": serializers.NewValidationSerializer}
    success = {"POST": 201}
    refuses = 409

    def get(self, request: Request, name: str) -> Response:
        """The validation of a set's sentences: who answers, and what it pays."""
        found = ROWS.filter(knowledge_set=self.knowledge_set()).first()
        if found is None:
            raise NotFound("validation")
        return Response(self.get_serializer(found).data)

    def post(self, request: Request, name: str) -> Response:
        """Ask annotators about every sentence, and reserve their pay; sentences are frozen."""
        asked = validated(serializers.NewValidationSerializer, request)
        made = services.begin_validation(
            knowledge_set=self.knowledge_set(), by=caller(request), **asked
        )
        return Response(self.get_serializer(made).data, status=201)


class ChangeStatus(CuratorRows):
    queryset = ROWS
    takes = serializers.ValidationStatusSerializer
    gives = serializers.ValidationSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Pause, reopen or close a validation; closing is permanent."""
        asked = validated(serializers.ValidationStatusSerializer, request)
        changed = services.change_validation_status(validation=self.get_object(), **asked)
        return Response(serializers.ValidationSerializer(changed).data)


class ValidationFigures(CuratorRows):
    queryset = ROWS
    gives = serializers.ValidationFiguresSerializer

    def get(self, request: Request, id: uuid.UUID) -> Response:
        """The figures of the answers so far: agreement, kappa, valid problems, by kind."""
        row = self.get_object()
        body = figures_body(selectors.set_figures(row), selectors.progress(row))
        body["people"] = selectors.knowledge_people(row.knowledge_set)
        return Response(serializers.ValidationFiguresSerializer(body).data)


class EndEnrolment(CuratorRows):
    queryset = Enrolment.objects.all()
    gives = None

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End an enrolment: another worker may take its number; answers and pay stand."""
        services.end_enrolment(enrolment=self.get_object())
        return Response(status=204)


class BlindRows(VisibleRows):
    """Rows as annotators see them."""

    permission_classes = [ValidatorsBlind]
    pagination_class: Any = None
    filter_backends: Any = []

    def visible(self, rows: Any) -> Any:
        return rows.visible_to(self.request.user)


class OpenValidations(BlindRows, ListView):
    """List the sets that ask annotators now, and those that the user takes part in."""

    queryset = ROWS
    serializer_class = serializers.OpenValidationSerializer
    pagination_class = ListView.pagination_class
    filter_backends = ListView.filter_backends  # type: ignore[misc]


class Enrol(BlindRows):
    queryset = ROWS
    gives = serializers.EnrolmentSerializer
    refuses = (403, 409)

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Take part in a set, under the first free number; again, it returns the enrolment."""
        made = services.enrol(worker=caller(request), validation=self.get_object())
        return Response(serializers.EnrolmentSerializer(made).data)


class ClaimSentence(BlindRows):
    queryset = ROWS
    gives = serializers.SentenceSeatSerializer
    refuses = (403, 409)

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Claim the next problem in the annotator's own order, or return the one already held."""
        seat = services.claim_sentence(worker=caller(request), validation=self.get_object())
        return Response(serializers.SentenceSeatSerializer(seat).data)


class SeatView(VisibleRows):
    """A change of one of the annotator's seats."""

    queryset = SentenceSeat.objects.select_related("sentence", "validation__campaign")
    permission_classes = [ValidatorsBlind]
    gives: Any = serializers.SentenceSeatSerializer
    refuses: Any = EXPIRED

    def shown(self, seat: SentenceSeat) -> Response:
        return Response(serializers.SentenceSeatSerializer(seat).data)


class BeatSentence(SeatView):
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Extend the lease of a seat."""
        return self.shown(services.beat_sentence(worker=caller(request), seat_id=id))


class AnswerSentence(SeatView):
    takes = serializers.SentenceAnswerSerializer
    refuses = [EXPIRED, 409]

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Answer the problem of a seat; the seat's id makes a repeated answer count once."""
        asked = validated(serializers.SentenceAnswerSerializer, request)
        return self.shown(services.answer_sentence(worker=caller(request), seat_id=id, **asked))


class ReturnSentence(SeatView):
    gives = None
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Return a seat without an answer; it comes first again."""
        services.return_sentence(worker=caller(request), seat_id=id)
        return Response(status=204)
