"""Votes, as their validators saw them."""

from typing import Any

from rest_framework import serializers

from collection.api.serializers.campaigns import PairField
from validation import services
from validation.models import Vote
from winoplatform.api.rows import RowSerializer


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
