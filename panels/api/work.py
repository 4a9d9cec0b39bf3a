"""Answering the questions of panels: for validators, who see no label."""

import uuid
from typing import Any

from django.db.models import Q
from rest_framework.request import Request

from panels import services
from panels.api import serializers
from panels.models import Enrolment, Panel, PanelSeat
from winoplatform.api.permissions import ValidatorsBlind
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ListView, VisibleRows
from workers.api.callers import caller

EXPIRED = Refusal("lease_expired", status=410)
ROWS = Panel.objects.select_related("campaign")


class OpenPanels(ListView):
    """List the panels that ask people now, and those in which the user is enrolled."""

    queryset = ROWS
    serializer_class = serializers.OfferedPanelSerializer
    permission_classes = [ValidatorsBlind]

    def visible(self, rows: Any) -> Any:
        taken = Enrolment.objects.active().filter(worker=caller(self.request))
        now = Q(status=Panel.Status.OPEN) | Q(pk__in=taken.values("panel"))
        return rows.visible_to(self.request.user).filter(now)


class WorkView(VisibleRows):
    """A change of a panel's seats by who answers."""

    queryset = ROWS
    permission_classes = [ValidatorsBlind]
    refuses: Any = (403, 409)


class Enrol(WorkView):
    gives = serializers.EnrolmentSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Take part in a panel, under the first free number; again, it returns the enrolment."""
        return services.enrol(worker=caller(request), panel=self.get_object())


class Claim(WorkView):
    gives = serializers.PanelSeatSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Claim the next question, or return the one already held."""
        return services.claim_seat(worker=caller(request), panel=self.get_object())


class SeatView(VisibleRows):
    """A change of one of the user's own seats."""

    queryset = PanelSeat.objects.select_related("item", "panel__campaign")
    permission_classes = [ValidatorsBlind]
    gives: Any = serializers.PanelSeatSerializer
    refuses: Any = EXPIRED


class Beat(SeatView):
    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Extend the lease of a seat."""
        return services.beat_seat(worker=caller(request), seat_id=id)


class Answer(SeatView):
    takes = serializers.PanelAnswerSerializer
    refuses = [EXPIRED, 409]

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Answer the question of a seat; the seat's id makes a repeated answer count once."""
        data = self.body()
        return services.cast_vote(
            worker=caller(request),
            seat_id=id,
            shown_option=data["option"],
            fails=data["fails"],
            report=data["report"],
        )


class Amend(SeatView):
    takes = serializers.PanelAnswerSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Change the user's last answer of a panel, until the next one; its pay stays."""
        data = self.body()
        return services.amend_vote(
            worker=caller(request),
            seat_id=id,
            shown_option=data["option"],
            fails=data["fails"],
            report=data["report"],
        )


class Return(SeatView):
    gives = None
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> None:
        """Return a seat without an answer; the question may come back."""
        services.return_seat(worker=caller(request), seat_id=id)
