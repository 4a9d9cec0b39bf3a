from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from collection.exports.payouts import files_of
from winoplatform.api.fields import ByText
from workers.models import LedgerEntry, Payout, User


def _money(**options: Any) -> serializers.DecimalField:
    return serializers.DecimalField(max_digits=24, decimal_places=2, **options)


class BudgetSerializer(serializers.Serializer[Any]):
    """Where a campaign's budget stands."""

    currency = serializers.CharField()
    cap = _money(allow_null=True, help_text="Null for none.")
    owed = _money(help_text="What the ledger holds: owed and paid.")
    promised = _money(help_text="What work in hand will add.")
    committed = _money(help_text="Owed and promised; it never exceeds the cap.")
    left = _money(allow_null=True)
    twin = _money(help_text="What one more twin commits, its votes included.")
    twins_left = serializers.IntegerField(allow_null=True)


class CostQuerySerializer(serializers.Serializer[Any]):
    twins = serializers.IntegerField(min_value=0, max_value=10_000_000)
    people = serializers.IntegerField(
        min_value=0, max_value=10_000_000, default=0, help_text="Who do the exercise."
    )
    extra_share = serializers.DecimalField(
        max_digits=4,
        decimal_places=3,
        min_value=0,
        max_value=1,
        default=Decimal(0),
        help_text="Share of questions that get all their extra votes.",
    )


class CostLineSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(
        choices=["twin", "vote", "extra_vote", "gold", "training"], help_text="What is paid."
    )
    count = serializers.IntegerField()
    rate = _money()
    amount = _money()


class CostSerializer(serializers.Serializer[Any]):
    """What a number of twins is expected to cost."""

    twins = serializers.IntegerField()
    currency = serializers.CharField()
    lines = CostLineSerializer(many=True)
    total = _money()
    per_twin = _money(allow_null=True)


class WorkerField(ByText):
    """A worker by the pseudonym."""

    def __init__(self, **options: Any) -> None:
        workers = User.objects.filter(role=User.Role.WORKER)
        super().__init__(
            workers,
            key="public_id",
            max_length=32,
            help_text="Public id of the worker.",
            **options,
        )


class ApproveSerializer(serializers.Serializer[Any]):
    worker = WorkerField(required=False, allow_null=True, default=None)
    until = serializers.DateTimeField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Entries written up to then; left out, all there are.",
    )


class ApprovedSerializer(serializers.Serializer[Any]):
    approved = serializers.IntegerField(help_text="Entries that this call approved.")


class ExtraPaySerializer(serializers.Serializer[Any]):
    client_key = serializers.UUIDField(help_text="Made by the client; sent twice, owed once.")
    worker = WorkerField()
    amount = serializers.DecimalField(max_digits=12, decimal_places=2)
    reason = serializers.CharField(max_length=300, help_text="What the worker reads.")


class VoidSerializer(serializers.Serializer[Any]):
    worker = WorkerField()
    kind = serializers.ChoiceField(choices=LedgerEntry.Kind.choices)
    unit = serializers.CharField(max_length=64, help_text="As the entry has it.")
    reason = serializers.CharField(max_length=300, help_text="What the worker reads.")


class NewPayoutSerializer(serializers.Serializer[Any]):
    client_key = serializers.UUIDField(help_text="Made by the client; sent twice, one payout.")
    provider = serializers.ChoiceField(choices=Payout.Provider.choices)


class PayoutFileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    study = serializers.UUIDField(
        source="study.public_id",
        default=None,
        allow_null=True,
        help_text="The study in which Prolific pays these bonuses.",
    )


class PayoutSerializer(serializers.ModelSerializer[Payout]):
    """One batch of pay."""

    id = serializers.UUIDField(source="public_id")
    campaign = serializers.UUIDField(source="budget")
    n_workers = serializers.IntegerField()
    sum = _money()

    class Meta:
        model = Payout
        fields: tuple[str, ...] = (
            "id", "campaign", "provider", "status", "currency", "n_workers", "sum", "created_at",
            "ended_at",
        )  # fmt: skip


class PayoutDetailSerializer(PayoutSerializer):
    files = serializers.SerializerMethodField()

    class Meta(PayoutSerializer.Meta):
        fields = (*PayoutSerializer.Meta.fields, "files")

    @extend_schema_field(PayoutFileSerializer(many=True))
    def get_files(self, payout: Payout) -> Any:
        return PayoutFileSerializer(files_of(payout), many=True).data
