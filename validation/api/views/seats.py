"""Validating: take a seat, answer from the local context, then from the whole sentence.

Every response here is blind: it does not reveal a question's author, answer, votes or twin.
Curators, who can look these up, do not validate.
"""

import uuid
from typing import Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.models import Campaign
from validation import services
from validation.api import serializers
from validation.models import Seat
from winoplatform.api.permissions import ValidatorsBlind
from winoplatform.api.schema import Refusal
from winoplatform.api.views import validated_quickly
from winoplatform.errors import DomainError
from workers.api.callers import caller

EXPIRED = Refusal(
    "lease_expired",
    "This question is no longer yours: its time ran out, and another validator may get it. Get "
    "the next one.",
    status=410,
)
SEAT = {
    "id": "1d6a2ac5-63b4-4a4f-8d6c-6f6f3a2f4c11",
    "campaign": "winter",
    "step": "local",
    "local_context": "because the _ was too large.",
    "options": ["suitcase", "trophy"],
    "sentence": None,
    "leased_until": "2026-01-01T12:03:00Z",
    "reward": "0.03",
    "currency": "USD",
}
NO_SEAT = {"seat": None, "reason": None, "message": None, "again_at": None}
ALL_LEASED = NO_SEAT | {
    "reason": "all_leased",
    "message": "Other validators are working on all remaining questions.",
    "again_at": "2026-01-01T12:02:30Z",
}
BALLOT: dict[str, Any] = {"option": 2, "ambiguous": False, "comment": "", "report": ""}
VOTE = {
    **BALLOT,
    "id": "7c9f0d5e-2c1b-4d57-9a39-0a8f0b7f5c21",
    "seat": SEAT["id"],
    "campaign": "winter",
    "sentence": "The trophy did not fit into the suitcase because the _ was too large.",
    "options": SEAT["options"],
    "local_option": None,
    "worker": None,
    "question": None,
    "correct": None,
    "gold": None,
    "created_at": "2026-01-01T12:01:00Z",
    "amended_at": None,
    "excluded_at": None,
    "exclusion_reason": "",
}


class BlindView(APIView):
    permission_classes = [ValidatorsBlind]


class ClaimSeat(BlindView):
    takes = serializers.ClaimRequestSerializer
    gives = serializers.ClaimSerializer
    refuses = Refusal(
        "daily_vote_limit",
        "You have validated as many questions as one person may in 24 hours: 200. Come back later.",
        limit=200,
        again_at="2026-01-02T09:30:00Z",
    )
    request_examples = {"the next one": {"ahead": False}}
    answer_examples = {"a seat": NO_SEAT | {"seat": SEAT}, "none now": ALL_LEASED}

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
    answer_examples = {"a seat": SEAT}

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
    answer_examples = {"prolonged": SEAT}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Extend the leases that the user holds in this campaign."""
        return Response(
            serializers.seat_body(services.beat(worker=caller(request), seat_id=id)),
        )


class AnswerLocal(BlindView):
    takes = serializers.LocalAnswerSerializer
    gives = serializers.SeatSerializer
    refuses = [
        Refusal(
            "already_answered",
            "You have already answered this differently. Your first answer counts.",
            option=1,
        ),
        EXPIRED,
    ]
    request_examples = {"cannot tell": {"option": None}}

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
    refuses = [
        Refusal("local_context_first", "Answer from the local context first."),
        Refusal(
            "already_answered",
            "You have already answered this differently. Your first answer counts.",
            **BALLOT,
        ),
        EXPIRED,
    ]
    request_examples = {"a vote": BALLOT}
    answer_examples = {"stored": VOTE}

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
    refuses = [
        410,
        Refusal(
            "undo_over",
            "This vote can no longer be changed: you have answered the next question, or the "
            "vote has been used.",
        ),
    ]
    request_examples = {"otherwise": BALLOT | {"option": 1}}
    answer_examples = {"amended": VOTE | {"option": 1, "amended_at": "2026-01-01T12:01:20Z"}}

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
    request_examples = {"something is wrong with it": {"report": "offensive"}}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Return a seat without a vote, so that another validator can claim it at once."""
        form = validated_quickly(serializers.SeatReturnSerializer, request)
        services.return_seat(worker=caller(request), seat_id=id, report=form["report"])
        return Response(status=204)
