"""Forms of the pay pages."""

import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from frontend.days import day_begins, day_ends
from winoplatform.db.money import AmountFormField
from workers.models import LedgerEntry, Payout, User

MOST = 10_000_000


class CostForm(forms.Form):
    """The amounts of a cost preview; extra votes only where the campaign has some."""

    twins = forms.IntegerField(label=_("Twins"), min_value=0, max_value=MOST, initial=1000)
    people = forms.IntegerField(
        label=_("Training and test"),
        min_value=0,
        max_value=MOST,
        initial=0,
        help_text=_("Number of workers; each is paid once."),
    )
    extra_percent = forms.DecimalField(
        label=_("Extra votes, in %"),
        min_value=0,
        max_value=100,
        max_digits=4,
        decimal_places=1,
        initial=10,
        help_text=_("Share of questions on which validators disagree."),
    )

    def __init__(self, *args: Any, extra_votes_max: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not extra_votes_max:
            del self.fields["extra_percent"]

    def values(self) -> dict[str, Any]:
        """Return the preview's values: the initial ones, or those entered."""
        data = self.cleaned_data if self.is_bound and self.is_valid() else {}
        value = {name: data.get(name, field.initial) for name, field in self.fields.items()}
        share = Decimal(value.pop("extra_percent", 0)) / 100
        return {**value, "extra_share": share}


class ApproveForm(forms.Form):
    until = forms.DateField(
        label=_("Entries until"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("Including that day; empty for all."),
    )

    def moment(self) -> datetime | None:
        return day_ends(self.cleaned_data["until"])


class PayoutForm(forms.Form):
    client_key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    provider = forms.ChoiceField(
        label=_("Payment method"),
        choices=Payout.Provider.choices,
        error_messages={"required": _("Choose a payment method.")},
    )


class ExtraPayForm(forms.Form):
    """A bonus, or an adjustment."""

    client_key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[
            (LedgerEntry.Kind.BONUS.value, _("a bonus")),
            (LedgerEntry.Kind.ADJUSTMENT.value, _("an adjustment, up or down")),
        ],
    )
    amount = AmountFormField(
        label=_("Amount"),
        signed=True,
        max_digits=12,
        help_text=_("A negative amount takes pay back."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        help_text=_("The worker sees this text."),
        error_messages={"required": _("Enter a reason. The worker sees it.")},
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        amount, kind = data.get("amount"), data.get("kind")
        if amount is not None and not amount:
            self.add_error("amount", _("The amount must not be 0."))
        if amount is not None and amount < 0 and kind == LedgerEntry.Kind.BONUS:
            self.add_error("amount", _("A bonus must be positive. Choose an adjustment instead."))
        return data


class VoidForm(forms.Form):
    kind = forms.ChoiceField(choices=LedgerEntry.Kind.choices)
    unit = forms.CharField(max_length=64)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        error_messages={"required": _("Enter a reason. The worker sees it.")},
    )


class StatementForm(forms.Form):
    """The campaign and days of a statement, both days included."""

    campaign = forms.ModelChoiceField(
        label=_("Campaign"),
        queryset=Campaign.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=_("all"),
    )
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, data: Any, *, worker: User) -> None:
        super().__init__(data)
        paid_by = worker.ledger.order_by().values("budget").distinct()
        campaigns = Campaign.objects.filter(public_id__in=paid_by)
        self.fields["campaign"].queryset = campaigns  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of ``statement_entries``; an invalid value sets no limit."""
        self.is_valid()
        campaign = self.cleaned_data.get("campaign")
        return {
            "budget": campaign.public_id if campaign else None,
            "since": day_begins(self.cleaned_data.get("since")),
            "until": day_ends(self.cleaned_data.get("until")),
        }
