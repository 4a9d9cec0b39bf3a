"""Workers with counts of their work, their pay, and actions on many questions."""

from typing import Any

from django.utils.functional import cached_property
from rest_framework import serializers

from collection.core.costs import RateReport, WorkTime
from collection.selectors.known_people import Names, names_for
from validation.core.verdicts import REASONS
from validation.models import BulkAction, BulkItem
from validation.selectors.people import Person
from validation.selectors.reconciliation import PROBLEMS, LedgerCheck, Problem
from validation.services.review.adjudication import GIVEN_BY_CURATORS
from validation.services.review.bulk import MOST, outcomes_of
from winoplatform.api.filters import campaign_field
from winoplatform.api.results import MoneyField, ResultSerializer
from winoplatform.api.rows import RowSerializer


class PausedSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    since = serializers.DateTimeField(source="created_at")


class WorkerSerializer(ResultSerializer):
    paused = PausedSerializer(source="pause", allow_null=True)
    own_label = serializers.SerializerMethodField(help_text="Your own label; empty without one.")
    username = serializers.SerializerMethodField(
        help_text="Empty unless guidelines that the worker accepted say that curators see it."
    )

    class Meta:
        of = Person
        fields = (
            "user.id", "own_label", "username", "user.origin", "user.platform", "joined_at",
            "paused", "counts.twins", "counts.withdrawn", "counts.votes", "counts.validated",
            "counts.valid", "counts.valid_share", "counts.typed", "counts.pasted",
            "counts.pasted_share",
        )  # fmt: skip
        paths = {"joined_at": "user.date_joined"}
        help = {
            "id": "The pseudonym used in data files.",
            "origin": "Who is behind the account, if its creation tells it; else empty.",
            "platform": "The crowd platform.",
            "twins": "Not withdrawn.",
            "withdrawn": "Twins withdrawn.",
            "validated": "Their questions that have a verdict.",
            "typed": "Characters.",
            "pasted": "Characters.",
        }

    def get_own_label(self, person: Person) -> str:
        return self._names.labels.get(person.user.public_id, "")

    def get_username(self, person: Person) -> str:
        return self._names.user_names.get(person.user.public_id, "")

    @cached_property
    def _names(self) -> Names:
        return names_for(self.context["request"].user)


class TieProblemSerializer(ResultSerializer):
    code = serializers.ChoiceField(choices=list(PROBLEMS))

    class Meta:
        of = Problem
        fields = ("code", "sentence", "count", "examples")
        help = {"examples": "The first 20."}


class LedgerCheckSerializer(ResultSerializer):
    """Whether all work and all pay agree, at one moment."""

    problems = TieProblemSerializer(many=True)

    class Meta:
        of = LedgerCheck
        fields = ("reconciled", "entries", "counts", "problems")
        help = {"entries": "Entries checked.", "counts": "By kind."}


class CheckQuerySerializer(serializers.Serializer[Any]):
    campaign = campaign_field("Slug or id of a campaign; all campaigns by default.")


class RateOfOneSerializer(ResultSerializer):
    rate = MoneyField()

    class Meta:
        of = WorkTime
        fields = ("worker", "rate", "pay", "seconds", "units")


class RateReportSerializer(ResultSerializer):
    """The median of the workers' hourly rates, with an interval of at least 95 %."""

    below = RateOfOneSerializer(many=True, help_text="Workers below the floor.")

    class Meta:
        of = RateReport
        fields = ("median", "low", "high", "n_workers", "n_units", "below")


class HourlyReportSerializer(serializers.Serializer[Any]):
    currency = serializers.CharField()
    floor = MoneyField(allow_null=True)
    writing = RateReportSerializer()
    validating = RateReportSerializer()


Outcome = BulkItem.Outcome


class NewBulkSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(BulkAction.Kind.choices, help_text="What is done.")
    questions = serializers.ListField(
        child=serializers.CharField(max_length=32),
        max_length=MOST,
        help_text="Ids of questions of the campaign.",
    )


class ConfirmBulkSerializer(serializers.Serializer[Any]):
    note = serializers.CharField(
        max_length=500,
        default="",
        allow_blank=True,
        help_text="The reason, for the audit log. Not needed for control questions.",
    )
    reasons = serializers.ListField(
        child=serializers.ChoiceField([(code.value, REASONS[code]) for code in GIVEN_BY_CURATORS]),
        default=list,
        help_text="Why the questions are not valid; only for the kind `invalid`.",
    )


class RefusedItemSerializer(RowSerializer):
    message = serializers.CharField(help_text="Why it was refused, or not undone.")

    class Meta:
        model = BulkItem
        fields = ("question", "message")


class BulkSerializer(RowSerializer):
    """An action, and how far it is."""

    done = serializers.IntegerField()
    refused = serializers.IntegerField(
        help_text="Questions that were refused; `/bulk-actions/{id}/refusals/` says why."
    )
    left = serializers.IntegerField(help_text="Questions that are not acted on yet.")
    undone = serializers.IntegerField(help_text="Questions that are again as they were before.")
    stays = serializers.IntegerField(
        help_text="Questions that were not undone; `/bulk-actions/{id}/refusals/` says why."
    )

    class Meta:
        model = BulkAction
        fields = (
            "id", "campaign", "kind", "note", "reasons", "created_at", "confirmed_at", "undone_at",
            "done", "refused", "left", "undone", "stays",
        )  # fmt: skip

    def to_representation(self, action: Any) -> dict[str, Any]:
        counts = outcomes_of(action)
        action.done, action.refused = counts[Outcome.DONE], counts[Outcome.REFUSED]
        action.left = counts[Outcome.WAITING]
        action.undone, action.stays = counts[Outcome.UNDONE], counts[Outcome.STAYS]
        body: dict[str, Any] = super().to_representation(action)
        return body
