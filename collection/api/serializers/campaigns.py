from typing import Any

from rest_framework import serializers

from collection.core.rules import Level
from collection.core.triggers import Segment, TriggerDiff
from collection.models import Campaign, SettingsChange, Twin
from collection.models.campaigns import BLOCKABLE
from winoplatform import money
from winoplatform.api.fields import AmountField, VerbatimField
from winoplatform.api.results import ResultSerializer

SETTINGS = (
    "name",
    "guidelines",
    "min_words",
    "max_words",
    "min_overlap",
    "reward_twin",
    "reward_vote",
    "currency",
    "votes_per_question",
    "verdict_policy",
    "assignment_minutes",
    "vote_minutes",
    "article_uses_max",
    "anchor_uses_max",
    "trigger_uses_max",
    "twins_per_day_max",
    "twins_per_worker_max",
    "blocking",
    "paste_policy",
    "reward_exercise",
    "exercise_pass_share",
    "exercise_attempts",
    "exercise_length",
    "min_approvals",
    "min_approval_rate",
    "extra_votes_max",
    "votes_per_day_max",
    "votes_per_worker_max",
    "gold_share",
    "gold_pass_share",
    "budget_cap",
    "second_approval_above",
    "hourly_floor",
    "goal_pairs",
    "pay_terms",
    "contact",
    "asked_by",
    "data_use",
    "people_origin",
    "people_platform",
    "population",
    "consent",
    "ethics_review",
    "funding",
    "dev_share",
    "test_share",
    "near_duplicate",
)
# Hidden from workers: gold settings, the budget and the goal.
CURATORS_ONLY = (
    "gold_share",
    "gold_pass_share",
    "budget_cap",
    "second_approval_above",
    "hourly_floor",
    "goal_pairs",
)
BLOCKING_HELP = (
    f"Codes of warnings that are errors in this campaign: {', '.join(sorted(BLOCKABLE))}."
)


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    id = serializers.UUIDField(source="public_id")
    guidelines = serializers.CharField(help_text="The newest version's text.")
    blocking = serializers.ListField(child=serializers.CharField(), help_text=BLOCKING_HELP)

    class Meta:
        model = Campaign
        fields = ("id", "slug", "status", *SETTINGS, "created_at")

    def to_representation(self, instance: Campaign) -> dict[str, Any]:
        """Leave out fields for curators, unless the context's ``request`` is a curator's."""
        shown: dict[str, Any] = super().to_representation(instance)
        request = self.context.get("request")
        if request is None or not request.user.is_curator:
            for name in CURATORS_ONLY:
                del shown[name]
        return shown


class CampaignChangesSerializer(serializers.ModelSerializer[Campaign]):
    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        money.AmountField: AmountField,
    }
    guidelines = VerbatimField(
        max_length=50_000,
        required=False,
        allow_blank=True,
        help_text="Markdown; a changed text becomes a new version, which writers must accept.",
    )
    blocking = serializers.ListField(
        child=serializers.CharField(max_length=60),
        max_length=100,
        required=False,
        help_text=BLOCKING_HELP,
    )

    class Meta:
        model = Campaign
        fields: tuple[str, ...] = SETTINGS


class NewCampaignSerializer(CampaignChangesSerializer):
    class Meta(CampaignChangesSerializer.Meta):
        fields = ("slug", *SETTINGS)


class SettingsChangeSerializer(serializers.ModelSerializer[SettingsChange]):
    id = serializers.UUIDField(source="public_id")
    by = serializers.CharField(source="by.public_id", allow_null=True, default=None)
    before = serializers.DictField(help_text="By name; empty where the history begins.")
    after = serializers.DictField()

    class Meta:
        model = SettingsChange
        fields = ("id", "by", "before", "after", "created_at")


class StatusSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=Campaign.Status.choices)


class RuleSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    level = serializers.ChoiceField(choices=[level.value for level in Level])
    sentence = serializers.CharField(help_text="The rule in one sentence.")


class PairField(serializers.ListField):
    """A list of two: one value for each sentence, or the two options."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=2, max_length=2, **options)


class UnfinishedTwinSerializer(serializers.Serializer[Any]):
    """An unfinished twin; missing parts are findings, not an invalid body."""

    sentences = PairField(child=VerbatimField(max_length=5000, allow_blank=True))
    options = PairField(child=VerbatimField(max_length=500, allow_blank=True))
    answers = PairField(
        child=serializers.IntegerField(min_value=0, max_value=2, allow_null=True),
        help_text="The right option of each sentence: 1 or 2, or null if not chosen yet.",
    )
    anchor = VerbatimField(max_length=500, allow_blank=True, default="")
    domain = serializers.ChoiceField(choices=Twin.Domain.choices, default=Twin.Domain.UNKNOWN.value)


class CheckedTwinSerializer(UnfinishedTwinSerializer):
    assignment = serializers.UUIDField(
        required=False, help_text="Also check that the anchor is from this assignment's article."
    )


class FindingSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    level = serializers.ChoiceField(choices=[level.value for level in Level])
    message = serializers.CharField(help_text="The problem, and how to correct it.")
    sentence = serializers.IntegerField(
        allow_null=True, help_text="1 or 2; null for both, or the options."
    )
    start = serializers.IntegerField(
        allow_null=True, help_text="First character to mark, with white space as one space."
    )
    end = serializers.IntegerField(allow_null=True, help_text="First character after it.")


class EvidenceSerializer(FindingSerializer):
    """A finding with its evidence, which reveals other people's twins."""

    value = serializers.FloatField(
        required=False,
        allow_null=True,
        help_text="The underlying number; null for a rule. For curators only.",
    )
    example = serializers.CharField(
        required=False, help_text="An example: a stored sentence, or words. For curators only."
    )


class SegmentSerializer(ResultSerializer):
    first_span = PairField(child=serializers.IntegerField())
    second_span = PairField(child=serializers.IntegerField())

    class Meta:
        dataclass = Segment


class TriggerSerializer(ResultSerializer):
    segments = SegmentSerializer(many=True)

    class Meta:
        dataclass = TriggerDiff
        fields = ("segments", "first_words", "second_words")


class ReportSerializer(serializers.Serializer[Any]):
    accepted = serializers.BooleanField(help_text="Whether no finding is an error.")
    findings = FindingSerializer(many=True)
    word_counts = PairField(child=serializers.IntegerField())
    overlap = serializers.FloatField(help_text="Share of words that both sentences have.")
    trigger = TriggerSerializer(help_text="The difference of the sentences.")
