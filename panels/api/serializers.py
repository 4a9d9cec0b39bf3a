"""Input and output of panels."""

from typing import Any

from rest_framework import serializers

from collection.api.serializers.authoring import PeopleSerializer
from collection.models import Campaign
from corpora.api.sets import OfOneSet
from panels.adapters import adapter_of
from panels.models import Enrolment, Panel, PanelSeat
from panels.selectors import Progress
from panels.services import shown_vote
from validation.api.serializers.quality import PeopleShareSerializer
from validation.api.serializers.review import WhySerializer
from validation.models import Vote
from winoplatform.api.fields import AmountField, ByText
from winoplatform.api.results import ResultSerializer
from winoplatform.api.rows import RowSerializer


class OfferedPanelSerializer(RowSerializer):
    """What the people who answer know of a panel: never what is right in it."""

    currency = serializers.CharField(source="campaign.currency", read_only=True)

    class Meta:
        model = Panel
        fields: Any = (
            "id", "campaign", "currency", "purpose", "mode", "reward", "whole_set", "n_items",
            "status",
        )  # fmt: skip


class PanelSerializer(OfferedPanelSerializer):
    class Meta(OfferedPanelSerializer.Meta):
        fields = (
            *OfferedPanelSerializer.Meta.fields, "title", "release", "snapshot", "reference_set",
            "split", "votes_per_item", "needed", "n_groups", "is_chosen", "seed", "data_sha256",
            "created_at",
        )  # fmt: skip


class PaidVotesSerializer(serializers.Serializer[Any]):
    """Who is asked for votes, how often, and what a vote pays."""

    campaign = ByText(
        Campaign.objects.all(),
        key="slug",
        required=False,
        help_text="For a reference set: whose validators answer, and whose budget pays.",
    )
    votes_per_item = serializers.ChoiceField(choices=[3, 5], default=3)
    reward = AmountField(
        max_digits=8,
        min_value=0,
        required=False,
        help_text="For each vote; by default what the campaign pays for a validated question.",
    )
    seed = serializers.IntegerField(default=0, min_value=0, max_value=2**63 - 1)


class NewHumanEvaluationSerializer(PaidVotesSerializer, OfOneSet):
    split = serializers.SlugField(
        max_length=50,
        allow_blank=True,
        default="",
        help_text="Empty for dev, for a snapshot, and for a reference set with one split.",
    )
    n_groups = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        help_text="Groups to draw by the seed, each with all its questions; all by default.",
    )


class PeopleScoresSerializer(serializers.Serializer[Any]):
    """The accuracy of people, of questions that have all their votes."""

    individual = PeopleShareSerializer(help_text="Of single votes; n counts votes.")
    majority = PeopleShareSerializer(help_text="Of majorities, ties shared; n counts questions.")
    group = PeopleShareSerializer(
        help_text="Whether all majorities of a group are right; n counts groups."
    )
    raw = PeopleShareSerializer(help_text="Share of agreeing pairs of votes.")
    alpha = PeopleShareSerializer(
        help_text="Krippendorff's alpha, for questions with two options; else its value is null."
    )


class ProgressSerializer(ResultSerializer):
    class Meta:
        of = Progress
        help = {
            "n_complete": "Questions that have all their votes.",
            "n_unused": "Votes that are paid, and excluded or spare.",
            "n_enrolled": "People with an enrolment; 0 for a queue.",
        }


class PanelResultSerializer(PanelSerializer):
    """A panel with its progress and its results so far."""

    people = PeopleSerializer(read_only=True, help_text="Who cast the votes.")
    progress = ProgressSerializer(read_only=True)
    scores = PeopleScoresSerializer(read_only=True)
    by_domain = serializers.DictField(child=PeopleScoresSerializer(), read_only=True)

    class Meta(PanelSerializer.Meta):
        fields = (*PanelSerializer.Meta.fields, "people", "progress", "scores", "by_domain")


class PanelStatusSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=Panel.Status.choices)


class PanelVoteSerializer(RowSerializer):
    """A vote of a panel, and why it is excluded, if it is."""

    worker = serializers.CharField(source="worker.public_id", help_text="A pseudonym.")

    class Meta:
        model = PanelSeat
        paths = {"evaluation": "panel"}
        fields = ("id", "evaluation", "worker", "excluded_at", "exclusion_reason", "spare")


class WhyWhoseSerializer(WhySerializer):
    worker = serializers.SlugField(max_length=50, help_text="A pseudonym.")


class EnrolmentSerializer(RowSerializer):
    class Meta:
        model = Enrolment
        paths = {"evaluation": "panel"}
        fields = ("id", "evaluation", "number", "enrolled_at")


class AskedItemSerializer(serializers.Serializer[Any]):
    """An item without what tells its answer."""

    form = serializers.CharField()
    sentence = serializers.CharField()
    span = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="Of the pronoun."
    )
    candidate = serializers.CharField(allow_null=True)
    relation = serializers.CharField(allow_null=True)


class PanelSeatSerializer(RowSerializer):
    asks = serializers.SerializerMethodField(help_text="Empty where the item says it.")
    item = AskedItemSerializer(source="item.item", read_only=True)
    options = serializers.SerializerMethodField(help_text="As shown: their order is random.")
    currency = serializers.CharField(source="panel.campaign.currency", read_only=True)
    option = serializers.SerializerMethodField(help_text="The vote, from 1, in the order shown.")

    class Meta:
        model = PanelSeat
        fields = (
            "id", "asks", "item", "options", "leased_until", "reward", "currency", "option",
            "fails", "report", "amended_at",
        )  # fmt: skip

    def get_asks(self, seat: PanelSeat) -> str:
        return str(adapter_of(seat.panel).asks)

    def get_options(self, seat: PanelSeat) -> list[str]:
        return [seat.item.item.options[option - 1] for option in seat.order]

    def get_option(self, seat: PanelSeat) -> int | None:
        return shown_vote(seat)


class PanelAnswerSerializer(serializers.Serializer[Any]):
    option = serializers.IntegerField(min_value=1, help_text="In the order shown.")
    fails = serializers.ChoiceField(
        choices=PanelSeat.Fails.choices,
        allow_blank=True,
        default="",
        help_text="With no about a statement: optionally what fails.",
    )
    report = serializers.ChoiceField(
        choices=Vote.Report.choices,
        allow_blank=True,
        default="",
        help_text="A problem with the question.",
    )
