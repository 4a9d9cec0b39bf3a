from typing import Any

from rest_framework import serializers

from collection.core.findings import Finding
from collection.core.rules import Level, Report
from collection.core.triggers import TriggerDiff
from collection.models import Campaign, SettingsChange, Twin
from collection.models.campaigns import BLOCKABLE, SETTINGS
from collection.models.guidelines import IN_VERSION
from collection.models.members import rights_by_campaign, rights_of
from winoplatform.api.fields import VerbatimField
from winoplatform.api.results import ResultSerializer
from winoplatform.api.rows import RowSerializer
from winoplatform.api.runs import SettingsSerializer
from winoplatform.http.rights import Right

FIELDS = ("guidelines", *IN_VERSION, *SETTINGS)
# Hidden from workers: gold settings, the goal, second persons, and the budget, which payers see.
CURATORS_ONLY = (
    "gold_share",
    "gold_pass_share",
    "goal_pairs",
    "second_person",
)
OF_PAY = ("budget_cap", "second_approval_above", "hourly_floor")
LONG = 50_000
TERM_HELP = "Part of a version; left out, it stays as in the newest one, and empty it is usual."
OF_VERSION = "Of the newest version of the guidelines; empty without one."
BLOCKING_HELP = (
    f"Codes of warnings that are errors in this campaign: {', '.join(sorted(BLOCKABLE))}."
)


class CampaignSerializer(RowSerializer):
    asked_by = serializers.CharField(source="guideline.asked_by", default="", help_text=OF_VERSION)
    contact = serializers.CharField(source="guideline.contact", default="", help_text=OF_VERSION)
    monitoring = serializers.CharField(
        source="guideline.monitoring", default="", help_text=OF_VERSION
    )
    data_use = serializers.CharField(source="guideline.data_use", default="", help_text=OF_VERSION)
    shows_user_names = serializers.BooleanField(
        source="guideline.shows_user_names", default=False, help_text=OF_VERSION
    )
    guidelines = serializers.CharField(help_text="The newest version's text.")
    blocking = serializers.ListField(child=serializers.CharField(), help_text=BLOCKING_HELP)

    class Meta:
        model = Campaign
        fields = ("id", "slug", "status", *FIELDS, "created_at")

    def to_representation(self, instance: Campaign) -> dict[str, Any]:
        """Leave out what the user has no right to: members' fields, and those of pay."""
        body: dict[str, Any] = super().to_representation(instance)
        rights = self._rights_in(instance)
        hidden = (() if Right.SEE in rights else CURATORS_ONLY) + (
            () if Right.PAY in rights else OF_PAY
        )
        for name in hidden:
            body.pop(name, None)
        return body

    def _rights_in(self, campaign: Campaign) -> frozenset[str]:
        request = self.context.get("request")
        if request is None or not request.user.is_curator:
            return frozenset()
        context: Any = self.context
        if "rights" not in context:  # one query for a whole list
            context["rights"] = rights_by_campaign(request.user)
        return rights_of(context["rights"], campaign)


class TermsSerializer(serializers.Serializer[Any]):
    """What a version of the guidelines says of who asks for which data."""

    asked_by = serializers.CharField(
        max_length=200, required=False, allow_blank=True, help_text=TERM_HELP
    )
    contact = serializers.CharField(
        max_length=200, required=False, allow_blank=True, help_text=TERM_HELP
    )
    monitoring = VerbatimField(
        max_length=LONG, required=False, allow_blank=True, help_text=TERM_HELP
    )
    data_use = VerbatimField(max_length=LONG, required=False, allow_blank=True, help_text=TERM_HELP)
    shows_user_names = serializers.BooleanField(
        required=False,
        help_text="Whether curators see the user names of those who accept it. Part of a version; "
        "left out, it stays as in the newest one.",
    )


class CampaignChangesSerializer(TermsSerializer, SettingsSerializer):
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
        fields: tuple[str, ...] = FIELDS


class NewCampaignSerializer(CampaignChangesSerializer):
    class Meta(CampaignChangesSerializer.Meta):
        fields = ("slug", *FIELDS)


class SettingsChangeSerializer(RowSerializer):
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


class FindingSerializer(ResultSerializer):
    sentence = serializers.IntegerField(
        allow_null=True, help_text="1 or 2; null for both, or the options."
    )

    class Meta:
        of = Finding
        fields: tuple[str, ...] = ("code", "level", "message", "sentence", "start", "end")
        help = {
            "message": "The problem, and how to correct it.",
            "start": "First character to mark, with white space as one space.",
            "end": "First character after it.",
        }


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

    class Meta(FindingSerializer.Meta):
        fields = (*FindingSerializer.Meta.fields, "value", "example")


class TriggerSerializer(ResultSerializer):
    class Meta:
        of = TriggerDiff
        fields = ("segments", "first_words", "second_words")


class ReportSerializer(ResultSerializer):
    findings = FindingSerializer(many=True)
    trigger = TriggerSerializer(help_text="The difference of the sentences.")

    class Meta:
        of = Report
        fields = ("accepted", "findings", "word_counts", "overlap", "trigger")
        help = {
            "accepted": "Whether no finding is an error.",
            "overlap": "Share of words that both sentences have.",
        }
