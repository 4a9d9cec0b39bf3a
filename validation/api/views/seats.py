"""Judging: take a seat, answer from the local context, then from the whole sentence.

Every answer here is blind: nothing says who wrote a question, what its answer is, how others
judged it or which questions are twins.
"""

import uuid

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.api.views.campaigns import visible_campaign
from validation import services
from validation.api import serializers
from validation.models import Seat, Vote
from winoplatform.api.schema import answer_example, operation, refusal_example, request_example
from winoplatform.api.views import validated
from winoplatform.errors import DomainError
from workers.api.callers import caller

TAG = "validation"
EXPIRED = refusal_example(
    410,
    "lease_expired",
    "Your time for this question is over and it may go to somebody else. Take the next question.",
)
SEAT = {
    "id": "1d6a2ac5-63b4-4a4f-8d6c-6f6f3a2f4c11",
    "campaign": "winter",
    "step": "local",
    "local_context": "because the _ was too large.",
    "options": ["suitcase", "trophy"],
    "sentence": None,
    "leased_until": "2026-01-01T12:10:00Z",
}


def _seat(seat: Seat) -> Response:
    return Response(serializers.SeatSerializer(serializers.seat_view(seat)).data)


class ClaimSeat(APIView):
    @operation(
        "seats_claim",
        tag=TAG,
        request=None,
        answers={200: serializers.ClaimSerializer},
        refusals=[403, 404, 409],
        examples=[
            answer_example(
                "a seat", {"seat": SEAT, "reason": None, "message": None, "again_at": None}
            ),
            answer_example(
                "none now",
                {
                    "seat": None,
                    "reason": "all_leased",
                    "message": "Every question left is in another judge's hands right now.",
                    "again_at": "2026-01-01T12:07:30Z",
                },
            ),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take the next question to judge, or get the one that one holds already."""
        campaign = visible_campaign(request, slug)
        try:
            seat = services.claim_seat(worker=caller(request), campaign=campaign)
        except DomainError as refusal:
            # An empty queue is an everyday answer, not an error.
            if refusal.code != "queue_empty":
                raise
            body = {"seat": None, "message": refusal.message, **refusal.details}
        else:
            body = {"seat": serializers.seat_view(seat), "reason": None, "message": None}
        return Response(serializers.ClaimSerializer({"again_at": None, **body}).data)


class OneSeat(APIView):
    @operation("seats_retrieve", tag=TAG, answers={200: serializers.SeatSerializer}, refusals=[404])
    def get(self, request: Request, id: uuid.UUID) -> Response:
        """One's own seat as it stands."""
        return _seat(_own_seat(request, id))


class AnswerLocal(APIView):
    @operation(
        "seats_local",
        tag=TAG,
        request=serializers.LocalAnswerSerializer,
        answers={200: serializers.SeatSerializer},
        refusals=[400, 404, 410],
        examples=[request_example("cannot tell", {"option": None}), EXPIRED],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Answer from the local context alone, which uncovers the sentence. The first stands."""
        option = validated(serializers.LocalAnswerSerializer, request)["option"]
        services.answer_local(worker=caller(request), seat_id=id, shown_option=option)
        return _seat(_own_seat(request, id))


class CastVote(APIView):
    @operation(
        "seats_vote",
        tag=TAG,
        request=serializers.BallotSerializer,
        answers={201: serializers.VoteSerializer, 200: serializers.VoteSerializer},
        refusals=[400, 404, 409, 410],
        examples=[
            request_example("a vote", {"option": 2, "ambiguous": False, "comment": ""}),
            refusal_example(409, "local_context_first", "Answer from the local context first."),
            EXPIRED,
        ],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Judge the question: 201, or 200 with the first vote where one was given already."""
        ballot = validated(serializers.BallotSerializer, request)
        again = Vote.objects.filter(seat__public_id=id, worker=caller(request)).exists()
        vote = services.cast_vote(
            worker=caller(request),
            seat_id=id,
            shown_option=ballot["option"],
            ambiguous=ballot["ambiguous"],
            comment=ballot["comment"],
        )
        body = serializers.VoteSerializer(vote).data
        return Response(body, status=200 if again else 201)


class ReturnSeat(APIView):
    @operation("seats_return", tag=TAG, request=None, answers={204: None}, refusals=[404, 409])
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Give a question back unjudged, so that somebody else can take it at once."""
        services.return_seat(worker=caller(request), seat_id=id)
        return Response(status=204)


def _own_seat(request: Request, seat_id: uuid.UUID) -> Seat:
    """A seat is its holder's alone, so that a curator who judges is blind like everybody."""
    seats = Seat.objects.select_related("campaign", "question", "twin")
    seat = seats.filter(worker=caller(request), public_id=seat_id).first()
    if seat is None:
        raise Http404
    return seat
