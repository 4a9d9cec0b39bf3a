"""Seats, as their holders see them, and votes, as their validators saw them."""

from typing import Any

from rest_framework import serializers

from collection.api.serializers.campaigns import PairField
from validation import services
from validation.models import Seat, Vote
from winoplatform.api.rows import RowSerializer

STEPS = ("local", "sentence", "voted")


def seat_body(seat: Seat) -> dict[str, Any]:
    """Return the response that ``SeatSerializer`` describes.

    Built by hand, as this is the most frequent response. It has no author, answer, votes, twin or
    question.
    """
    seat_view = services.view(seat)
    return {
        "id": seat_view.seat,
        "campaign": seat.campaign.slug,
        "step": "voted" if seat.answered_at else "sentence" if seat.local_at else "local",
        "local_context": seat_view.local_context,
        "options": seat_view.options,
        "sentence": seat_view.sentence,
        "leased_until": seat_view.leased_until,
        "reward": str(seat.reward),  # a plain Decimal would go out as a number
        "currency": seat.campaign.currency,
    }


class SeatSerializer(serializers.Serializer[Any]):
    """The right to cast one vote, as its holder sees it."""

    id = serializers.UUIDField()
    campaign = serializers.SlugField()
    step = serializers.ChoiceField(
        choices=STEPS, help_text="The next step: the local context, then the sentence."
    )
    local_context = serializers.CharField()
    options = PairField(child=serializers.CharField(), help_text="In this seat's random order.")
    sentence = serializers.CharField(
        allow_null=True, help_text="Null until the local context has been answered."
    )
    leased_until = serializers.DateTimeField(help_text="A heartbeat before this time extends it.")
    reward = serializers.DecimalField(
        max_digits=8, decimal_places=2, help_text="What the vote pays, as promised at the claim."
    )
    currency = serializers.CharField()


class ClaimRequestSerializer(serializers.Serializer[Any]):
    ahead = serializers.BooleanField(
        default=False,
        help_text="Get the seat after the current one, to prefetch it. A worker holds at most two.",
    )


class ClaimSerializer(serializers.Serializer[Any]):
    """A seat, or the reason why there is none."""

    seat = SeatSerializer(allow_null=True)
    reason = serializers.ChoiceField(
        choices=["all_validated", "yours_or_validated", "all_leased"], allow_null=True
    )
    message = serializers.CharField(allow_null=True)
    again_at = serializers.DateTimeField(allow_null=True, help_text="When to look again.")


class LocalAnswerSerializer(serializers.Serializer[Any]):
    option = serializers.IntegerField(
        min_value=1,
        max_value=2,
        allow_null=True,
        help_text="1 or 2 in the order shown; null for “cannot tell”.",
    )


class BallotSerializer(serializers.Serializer[Any]):
    option = serializers.IntegerField(
        min_value=1, max_value=2, help_text="1 or 2 in the order shown."
    )
    ambiguous = serializers.BooleanField(help_text="Whether both options seem plausible.")
    comment = serializers.CharField(max_length=500, allow_blank=True, default="")
    report = serializers.ChoiceField(
        choices=Vote.Report.choices,
        allow_blank=True,
        default="",
        help_text="What is wrong with the question itself, if anything.",
    )


class SeatReturnSerializer(serializers.Serializer[Any]):
    report = serializers.ChoiceField(
        choices=Vote.Report.choices,
        default="",
        allow_blank=True,
        help_text="What is wrong with the question, if anything.",
    )


def vote_body(vote: Vote, *, for_curator: bool = False) -> dict[str, Any]:
    """What ``VoteSerializer`` describes, ready to be sent."""
    seat, local = vote.seat, vote.local_option
    options = seat.twin.options
    return {
        "id": vote.public_id,
        "seat": seat.public_id,
        "campaign": seat.campaign.slug,
        "sentence": vote.question.sentence,
        "options": options[::-1] if seat.swapped else options,
        "option": services.as_shown(seat, vote.option),
        "local_option": None if local is None else services.as_shown(seat, local),
        "ambiguous": vote.ambiguous,
        "comment": vote.comment,
        "report": vote.report,
        "worker": vote.worker.public_id if for_curator else None,
        "question": vote.question.public_id if for_curator else None,
        "correct": vote.option == vote.question.answer if for_curator else None,
        "gold": vote.is_gold if for_curator else None,
        "created_at": vote.created_at,
        "amended_at": vote.amended_at,
        "excluded_at": vote.excluded_at,
        "exclusion_reason": vote.exclusion_reason,
    }


class VoteSerializer(RowSerializer):
    """A vote as its validator saw it; worker, question and correctness are for curators."""

    seat = serializers.UUIDField()
    campaign = serializers.SlugField()
    sentence = serializers.CharField()
    options = PairField(child=serializers.CharField())
    option = serializers.IntegerField(help_text="1 or 2 in the order shown.")
    local_option = serializers.IntegerField(
        allow_null=True,
        help_text="The answer from the local context alone; null for “cannot tell”.",
    )
    worker = serializers.CharField(allow_null=True, help_text="Null unless a curator asks.")
    question = serializers.CharField(allow_null=True, help_text="Null unless a curator asks.")
    correct = serializers.BooleanField(
        allow_null=True,
        help_text="Whether it is the author's answer. Null unless a curator asks.",
    )
    gold = serializers.BooleanField(
        allow_null=True,
        help_text="Whether it answers a control question. Null unless a curator asks.",
    )

    class Meta:
        model = Vote
        fields = (
            "id", "seat", "campaign", "sentence", "options", "option", "local_option",
            "ambiguous", "comment", "report", "worker", "question", "correct", "gold",
            "created_at", "amended_at", "excluded_at", "exclusion_reason",
        )  # fmt: skip

    def to_representation(self, instance: Vote) -> dict[str, Any]:
        return vote_body(instance, for_curator=bool(self.context.get("for_curator")))
