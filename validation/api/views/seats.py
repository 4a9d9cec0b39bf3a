"""Validating: take a seat, answer from the local context, then from the whole sentence.

Every response here is blind: it does not reveal a question's author, answer, votes or twin.
Curators, who can look these up, do not validate.
"""

import uuid
from typing import Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from collection.models import Campaign
from validation import services
from validation.api.serializers import seats as serializers
from validation.models import Seat
from winoplatform.api.permissions import ValidatorsBlind
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ApiView, validated_quickly
from winoplatform.errors import DomainError
from workers.api.callers import caller

EXPIRED = Refusal("lease_expired", status=410)
NO_SEAT = {"seat": None, "reason": None, "message": None, "again_at": None}


class BlindView(ApiView):
    permission_classes = [ValidatorsBlind]


class ClaimSeat(BlindView):
    takes = serializers.ClaimRequestSerializer
    gives = serializers.ClaimSerializer
    refuses = Refusal("daily_vote_limit")

    def post(self, request: Request, slug: str) -> Response:
        """Claim the next question to validate, or return the one already held."""
        ahead = validated_quickly(serializers.ClaimRequestSerializer, request)["ahead"]
        worker, campaign = caller(request), services.campaign_named(slug)
        if campaign is None or campaign.status == Campaign.Status.DRAFT:
            raise Http404
        try:
            seat = services.claim_seat(worker=worker, campaign=campaign, ahead=ahead)
        except DomainError as refusal:
            # An empty queue is an ordinary response, not an error.
            if refusal.code != "queue_empty":
                raise
            return Response(NO_SEAT | {"message": refusal.message, **refusal.details})
        return Response(NO_SEAT | {"seat": serializers.seat_body(seat)})


class OneSeat(BlindView):
    gives = serializers.SeatSerializer

    def get(self, request: Request, id: uuid.UUID) -> Response:
        """Return one of the user's seats."""
        seats = Seat.objects.select_related("campaign", "question", "twin")
        seat = seats.filter(worker=caller(request), public_id=id).first()
        if seat is None:
            raise Http404
        return Response(serializers.seat_body(seat))


class Beat(BlindView):
    gives = serializers.SeatSerializer
    refuses = EXPIRED

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Extend the leases that the user holds in this campaign."""
        return Response(
            serializers.seat_body(services.beat(worker=caller(request), seat_id=id)),
        )


class AnswerLocal(BlindView):
    takes = serializers.LocalAnswerSerializer
    gives = serializers.SeatSerializer
    refuses = [Refusal("already_answered"), EXPIRED]

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Answer from the local context, which reveals the sentence.

        The same answer again returns the same seat; a different answer is refused.
        """
        option = validated_quickly(serializers.LocalAnswerSerializer, request)["option"]
        seat = services.answer_local(worker=caller(request), seat_id=id, shown_option=option)
        return Response(serializers.seat_body(seat))


class CastVote(BlindView):
    takes = serializers.BallotSerializer
    gives = serializers.VoteSerializer
    success = (201, 200)
    refuses = [Refusal("local_context_first"), Refusal("already_answered"), EXPIRED]

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Cast the vote: 201, or 200 if the same vote was cast before.

        A different vote is refused with the stored one; `amend/` changes the last vote.
        """
        ballot = validated_quickly(serializers.BallotSerializer, request)
        vote = services.cast_vote(worker=caller(request), seat_id=id, **_words(ballot))
        return Response(serializers.vote_body(vote), status=201 if vote.is_new else 200)


class AmendVote(BlindView):
    takes = serializers.BallotSerializer
    gives = serializers.VoteSerializer
    refuses = [410, Refusal("undo_over")]

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Replace the user's last vote, until they answer the next question."""
        ballot = validated_quickly(serializers.BallotSerializer, request)
        vote = services.amend_vote(worker=caller(request), seat_id=id, **_words(ballot))
        return Response(serializers.vote_body(vote))


def _words(ballot: dict[str, Any]) -> dict[str, Any]:
    return {"shown_option": ballot.pop("option"), **ballot}


class ReturnSeat(BlindView):
    takes = serializers.SeatReturnSerializer
    gives = None
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> None:
        """Return a seat without a vote, so that another validator can claim it at once."""
        form = validated_quickly(serializers.SeatReturnSerializer, request)
        services.return_seat(worker=caller(request), seat_id=id, report=form["report"])
