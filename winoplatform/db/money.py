"""Amounts of money as people and programs write them: one format for pages, API and imports."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

PLAIN = re.compile(r"-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,2})?")
NOT_PLAIN = _(
    "Write an amount with digits and at most two decimal places, such as 2.50: no spaces, plus "
    "sign or exponent."
)
NEGATIVE = _("The amount must not be negative.")


def amount_from(text: str, *, signed: bool = False) -> Decimal:
    """Return the amount that *text* is.

    Parameters
    ----------
    signed
        Whether a minus sign is allowed.

    Raises
    ------
    ValidationError
        If *text* has another format than ``2.50``.

    >>> amount_from("2.5"), amount_from("-3", signed=True)
    (Decimal('2.50'), Decimal('-3.00'))
    """
    if not PLAIN.fullmatch(text):
        raise ValidationError(NOT_PLAIN, code="invalid")
    if text.startswith("-") and not signed:
        raise ValidationError(NEGATIVE, code="min_value")
    return Decimal(text).quantize(Decimal("0.01"))


def refuse_beyond_entry_limit(amount: Decimal) -> None:
    """Refuse pay for one unit of work, or one bonus, above the setting ``PAY_ENTRY_MAX``."""
    if abs(amount) > settings.PAY_ENTRY_MAX:
        raise ValidationError(
            _("The amount must not exceed %(most)s, the limit of one entry."),
            code="entry_limit",
            params={"most": f"{settings.PAY_ENTRY_MAX:,}"},
        )


class AmountFormField(forms.DecimalField):
    """An amount on a page."""

    widget = forms.TextInput

    def __init__(self, *, signed: bool = False, **options: Any) -> None:
        self.signed = signed
        super().__init__(**{"decimal_places": 2, **options})

    def to_python(self, value: Any) -> Any:
        if value in self.empty_values:
            return None
        return value if isinstance(value, Decimal) else amount_from(str(value), signed=self.signed)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "inputmode": "decimal", "autocomplete": "off"}


class AmountField(models.DecimalField):  # type: ignore[type-arg]  # no generic at run time
    """A column for an amount that people enter; with *is_pay*, what one unit of work pays."""

    def __init__(self, *args: Any, is_pay: bool = False, **options: Any) -> None:
        self.is_pay = is_pay
        super().__init__(*args, **{"decimal_places": 2, **options})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Describe the column to migrations as a decimal: its table does not depend on the rest."""
        name, _path, args, options = super().deconstruct()
        return str(name), "django.db.models.DecimalField", args, options

    def to_python(self, value: Any) -> Any:
        return (
            amount_from(value, signed=True) if isinstance(value, str) else super().to_python(value)
        )

    def clean(self, value: Any, model_instance: models.Model | None) -> Any:
        cleaned = super().clean(value, model_instance)
        if self.is_pay and cleaned is not None and not self._is_stored(cleaned, model_instance):
            refuse_beyond_entry_limit(cleaned)
        return cleaned

    def _is_stored(self, amount: Decimal, row: models.Model | None) -> bool:
        """Whether *row* has the amount already: a lower limit must not block its other fields."""
        if row is None or row._state.adding or amount <= settings.PAY_ENTRY_MAX:
            return False
        return type(row)._base_manager.filter(pk=row.pk, **{self.attname: amount}).exists()

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": AmountFormField, **options})
