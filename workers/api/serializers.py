from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from winoplatform.api.fields import VerbatimField
from winoplatform.api.results import MoneyField
from winoplatform.api.rows import RowSerializer
from winoplatform.http.scopes import Scope
from workers import selectors, services
from workers.models import ApiToken, LedgerEntry, Pause, User
from workers.models.person_labels import LONGEST_LABEL

CAMPAIGN = "The `id` of the campaign that pays: `campaigns/` lists it beside the slug."


class TokenRequestSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    password = VerbatimField(max_length=4096)
    name = serializers.CharField(
        max_length=80, default="api", help_text="A name to distinguish tokens."
    )
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.choices),
        default=list(services.USUAL_SCOPES),
        help_text="What the token may be used for; `curate` and `pay` are for curators.",
    )
    days = serializers.IntegerField(
        required=False,
        min_value=1,
        help_text="Days until it expires; the installation has a default and a maximum.",
    )


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    """A token as listed to its owner: only the beginning of its text."""

    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry")
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="Exact to the hour.")

    class Meta:
        model = ApiToken
        fields: tuple[str, ...] = (
            "token_key", "name", "scopes", "created_at", "expires_at", "last_used_at",
        )  # fmt: skip


class NewTokenSerializer(TokenSerializer):
    token = serializers.CharField(help_text="The token's text. It is shown only once.")

    class Meta(TokenSerializer.Meta):
        fields = ("token", *TokenSerializer.Meta.fields)


class MeSerializer(serializers.ModelSerializer[User]):
    id = serializers.CharField(source="public_id", help_text="The pseudonym used in data.")

    class Meta:
        model = User
        fields = ("id", "username", "role")


class LedgerEntrySerializer(RowSerializer):
    """An entry as shown to its reader: workers see a control question as a vote."""

    campaign = serializers.UUIDField(source="budget", help_text=CAMPAIGN)
    kind = serializers.SerializerMethodField()
    state = serializers.SerializerMethodField(help_text="State of the pay.")
    note = serializers.CharField(help_text="The reason, if a curator wrote it.")
    awaits_second_approval = serializers.BooleanField(
        help_text="Whether it is paid only after a second curator approves it."
    )

    class Meta:
        model = LedgerEntry
        fields = (
            "worker", "kind", "unit", "amount", "currency", "campaign", "state",
            "awaits_second_approval", "note", "created_at",
        )  # fmt: skip

    @extend_schema_field(serializers.ChoiceField(choices=LedgerEntry.Kind.choices))
    def get_kind(self, entry: LedgerEntry) -> str:
        return selectors.kind_for(self.context["request"].user, entry.kind)

    @extend_schema_field(serializers.ChoiceField(choices=LedgerEntry.State.choices))
    def get_state(self, entry: LedgerEntry) -> str:
        settlement = getattr(entry, "settlement", None)
        return settlement.state if settlement else LedgerEntry.State.ACCRUED.value


class LedgerSumSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=LedgerEntry.Kind.choices)
    state = serializers.ChoiceField(choices=LedgerEntry.State.choices)
    currency = serializers.CharField()
    count = serializers.IntegerField()
    sum = MoneyField()


class BalanceSerializer(serializers.Serializer[Any]):
    """What one campaign owes, by state."""

    campaign = serializers.UUIDField(source="budget", help_text=CAMPAIGN)
    currency = serializers.CharField()
    entries = serializers.IntegerField()
    owed = MoneyField(help_text="Earned and not yet exported: accrued + approved.")
    accrued = MoneyField()
    approved = MoneyField()
    exported = MoneyField(help_text="Exported for payment.")
    paid = MoneyField()


class StatementSerializer(serializers.Serializer[Any]):
    worker = serializers.CharField()
    campaigns = BalanceSerializer(many=True)


class PersonLabelSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=LONGEST_LABEL, allow_blank=True)


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500, help_text="Shown to the worker.")


class PauseSerializer(RowSerializer):
    class Meta:
        model = Pause
        paths = {"by": "by.public_id"}
        help = {"by": "Public id of the curator; null if the platform paused the worker."}
        fields = ("worker", "reason", "by", "created_at", "ended_at")
