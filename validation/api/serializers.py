from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from collection.api.serializers import authoring
from collection.api.serializers.campaigns import PairField
from collection.models import Provenance, Question, Twin
from validation import services
from validation.core.verdicts import REASONS, Reason
from validation.models import Seat, Verdict, Vote
from validation.selectors import QuestionState, question_state

STEPS = ("local", "sentence", "voted")


def seat_view(seat: Seat) -> dict[str, Any]:
    """What the seat's holder may see: no author, answer, votes, twin or question behind it."""
    step = "voted" if seat.voted_at else "sentence" if seat.local_at else "local"
    return {**asdict(services.view(seat)), "campaign": seat.campaign.slug, "step": step}


class SeatSerializer(serializers.Serializer[Any]):
    """The right to give one vote, as its holder sees it."""

    id = serializers.UUIDField(source="seat")
    campaign = serializers.SlugField()
    step = serializers.ChoiceField(
        choices=STEPS, help_text="What comes next: the local context, then the sentence."
    )
    local_context = serializers.CharField()
    options = PairField(child=serializers.CharField(), help_text="In this seat's own random order.")
    sentence = serializers.CharField(
        allow_null=True, help_text="Null until the local context has been answered."
    )
    leased_until = serializers.DateTimeField()


class ClaimSerializer(serializers.Serializer[Any]):
    """A seat, or why there is none now."""

    seat = SeatSerializer(allow_null=True)
    reason = serializers.ChoiceField(
        choices=["all_judged", "yours_or_judged", "all_leased"], allow_null=True
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


class VoteSerializer(serializers.ModelSerializer[Vote]):
    """A vote as its giver saw it; who judged what, and whether rightly, is for curators."""

    id = serializers.UUIDField(source="public_id")
    seat = serializers.UUIDField(source="seat.public_id")
    campaign = serializers.SlugField(source="seat.campaign.slug")
    sentence = serializers.CharField(source="question.sentence")
    options = serializers.SerializerMethodField()
    option = serializers.SerializerMethodField(help_text="1 or 2 in the order shown.")
    local_option = serializers.SerializerMethodField(
        help_text="The answer from the local context alone; null for “cannot tell”."
    )
    worker = serializers.SerializerMethodField(help_text="Null unless a curator asks.")
    question = serializers.SerializerMethodField(help_text="Null unless a curator asks.")
    correct = serializers.SerializerMethodField(
        help_text="Whether it is the author's answer. Null unless a curator asks."
    )

    class Meta:
        model = Vote
        fields = (
            "id", "seat", "campaign", "sentence", "options", "option", "local_option",
            "ambiguous", "comment", "worker", "question", "correct", "created_at",
        )  # fmt: skip

    @extend_schema_field(PairField(child=serializers.CharField()))
    def get_options(self, vote: Vote) -> list[str]:
        twin = vote.seat.twin
        options = [twin.option1, twin.option2]
        return options[::-1] if services.is_swapped(vote.seat) else options

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

    @property
    def _for_curator(self) -> bool:
        return bool(self.context.get("for_curator"))


class ReasonSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=[reason.value for reason in Reason])
    sentence = serializers.CharField()


class JudgedQuestionSerializer(authoring.QuestionSerializer):
    """A question and where it stands with its judges."""

    state = serializers.SerializerMethodField()
    reasons = serializers.SerializerMethodField(help_text="Parts of the verdict that failed.")

    class Meta(authoring.QuestionSerializer.Meta):
        fields: tuple[str, ...] = (
            *authoring.QuestionSerializer.Meta.fields,
            "state",
            "reasons",
        )

    @extend_schema_field(serializers.ChoiceField(choices=[state.value for state in QuestionState]))
    def get_state(self, question: Question) -> str:
        return question_state(question).value

    @extend_schema_field(ReasonSerializer(many=True))
    def get_reasons(self, question: Question) -> list[dict[str, str]]:
        verdict: Verdict | None = getattr(question, "verdict", None)
        codes = verdict.reasons if verdict else []
        return [{"code": code, "sentence": REASONS[Reason(code)]} for code in codes]


class ProvenanceSerializer(serializers.ModelSerializer[Provenance]):
    guidelines = serializers.IntegerField(
        source="guideline.version", allow_null=True, default=None, help_text="Accepted version."
    )

    class Meta:
        model = Provenance
        fields = (
            "typed_characters", "pasted_characters", "largest_insert", "edits",
            "active_seconds", "guidelines",
        )  # fmt: skip


class JudgedTwinSerializer(authoring.TwinSerializer):
    questions = JudgedQuestionSerializer(many=True)
    provenance = serializers.SerializerMethodField(
        help_text="How its text came into the page: for curators only, and null for a program's."
    )

    class Meta(authoring.TwinSerializer.Meta):
        fields = (*authoring.TwinSerializer.Meta.fields, "provenance")

    @extend_schema_field(ProvenanceSerializer(allow_null=True))
    def get_provenance(self, twin: Twin) -> Any:
        kept = getattr(twin, "provenance", None) if self.context.get("for_curator") else None
        return ProvenanceSerializer(kept).data if kept else None


class VerdictSerializer(serializers.ModelSerializer[Verdict]):
    reasons = serializers.ListField(child=serializers.CharField())
    counts = serializers.DictField(child=serializers.IntegerField())

    class Meta:
        model = Verdict
        fields = ("valid", "reasons", "counts", "policy", "version", "created_at")


class CuratorQuestionSerializer(JudgedQuestionSerializer):
    """A question with all that is known of it."""

    campaign = serializers.SlugField(source="twin.campaign.slug")
    twin = serializers.UUIDField(source="twin.public_id")
    author = serializers.CharField(source="twin.author.public_id", allow_null=True, default=None)
    domain = serializers.ChoiceField(source="twin.domain", choices=Twin.Domain.choices)
    options = serializers.SerializerMethodField()
    verdict = VerdictSerializer(allow_null=True, default=None)

    class Meta(JudgedQuestionSerializer.Meta):
        fields = (
            *JudgedQuestionSerializer.Meta.fields,
            "campaign", "twin", "author", "domain", "options", "verdict", "created_at",
        )  # fmt: skip

    @extend_schema_field(PairField(child=serializers.CharField()))
    def get_options(self, question: Question) -> list[str]:
        return [question.twin.option1, question.twin.option2]


class PausedSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    since = serializers.DateTimeField(source="created_at")


class WorkerSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(
        source="user.public_id", help_text="The pseudonym that data carries."
    )
    joined_at = serializers.DateTimeField(source="user.date_joined")
    paused = PausedSerializer(source="pause", allow_null=True)
    twins = serializers.IntegerField(source="counts.twins", help_text="Not withdrawn.")
    withdrawn = serializers.IntegerField(source="counts.withdrawn", help_text="Twins taken back.")
    votes = serializers.IntegerField(source="counts.votes")
    judged = serializers.IntegerField(
        source="counts.judged", help_text="Questions of theirs that have a verdict."
    )
    valid = serializers.IntegerField(source="counts.valid")
    valid_share = serializers.FloatField(source="counts.valid_share", allow_null=True)
    typed = serializers.IntegerField(source="counts.typed", help_text="Characters.")
    pasted = serializers.IntegerField(source="counts.pasted", help_text="Characters.")
    pasted_share = serializers.FloatField(source="counts.pasted_share", allow_null=True)
