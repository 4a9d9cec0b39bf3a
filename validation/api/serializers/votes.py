"""Votes, as their validators saw them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from collection.api.serializers.campaigns import PairField
from validation import services
from validation.models import Vote


def vote_body(vote: Vote) -> dict[str, Any]:
    """Return the response that ``VoteSerializer`` describes to the vote's validator."""
    seat, twin = vote.seat, vote.seat.twin
    options = [twin.option1, twin.option2]
    local = vote.local_option
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
        "worker": None,
        "question": None,
        "correct": None,
        "gold": None,
        "created_at": vote.created_at,
        "amended_at": vote.amended_at,
        "excluded_at": vote.excluded_at,
        "exclusion_reason": vote.exclusion_reason,
    }


class VoteSerializer(serializers.ModelSerializer[Vote]):
    """A vote as its validator saw it; worker, question and correctness are for curators."""

    id = serializers.UUIDField(source="public_id")
    seat = serializers.UUIDField(source="seat.public_id")
    campaign = serializers.SlugField(source="seat.campaign.slug")
    sentence = serializers.CharField(source="question.sentence")
    options = serializers.SerializerMethodField()
    option = serializers.SerializerMethodField(help_text="1 or 2 in the order shown.")
    local_option = serializers.SerializerMethodField(
        help_text="The answer from the local context; null for “cannot tell”."
    )
    worker = serializers.SerializerMethodField(help_text="For curators; null for others.")
    question = serializers.SerializerMethodField(help_text="For curators; null for others.")
    correct = serializers.SerializerMethodField(
        help_text="Whether it is the author's answer. For curators; null for others."
    )

    gold = serializers.SerializerMethodField(
        help_text="Whether it answers a gold question. For curators; null for others."
    )

    class Meta:
        model = Vote
        fields = (
            "id", "seat", "campaign", "sentence", "options", "option", "local_option",
            "ambiguous", "comment", "report", "worker", "question", "correct", "gold",
            "created_at", "amended_at", "excluded_at", "exclusion_reason",
        )  # fmt: skip

    @extend_schema_field(PairField(child=serializers.CharField()))
    def get_options(self, vote: Vote) -> list[str]:
        twin = vote.seat.twin
        options = [twin.option1, twin.option2]
        return options[::-1] if vote.seat.swapped else options

    def get_option(self, vote: Vote) -> int:
        return services.as_shown(vote.seat, vote.option)

    def get_local_option(self, vote: Vote) -> int | None:
        local = vote.local_option
        return None if local is None else services.as_shown(vote.seat, local)

    def get_worker(self, vote: Vote) -> str | None:
        return vote.worker.public_id if self._for_curator else None

    def get_question(self, vote: Vote) -> str | None:
        return vote.question.public_id if self._for_curator else None

    def get_correct(self, vote: Vote) -> bool | None:
        return vote.option == vote.question.answer if self._for_curator else None

    def get_gold(self, vote: Vote) -> bool | None:
        return vote.is_gold if self._for_curator else None

    @property
    def _for_curator(self) -> bool:
        return bool(self.context.get("for_curator"))
