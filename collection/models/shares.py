"""A column for a share."""

from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class ShareField(models.DecimalField):  # type: ignore[type-arg]  # no generic at run time
    """A column for a share from *low* to *high*, which people write as 0.97, not 97."""

    def __init__(
        self,
        *args: Any,
        low: Decimal = Decimal("0"),
        high: Decimal = Decimal("1"),
        decimal_places: int = 2,
        **options: Any,
    ) -> None:
        self.low, self.high = low, high
        options.setdefault("max_digits", decimal_places + 1)
        options.setdefault("validators", [MinValueValidator(low), MaxValueValidator(high)])
        super().__init__(*args, **{"decimal_places": decimal_places, **options})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Describe the column to migrations as a decimal: its table does not depend on the rest."""
        name, _path, args, options = super().deconstruct()
        return str(name), "django.db.models.DecimalField", args, options

    def formfield(self, **options: Any) -> Any:
        wrong = dict.fromkeys(
            ("invalid", "min_value", "max_digits", "max_decimal_places", "max_whole_digits"),
            _("Write a share from 0 to 1: 0.97, not 97."),
        )
        half = self.high == Decimal("0.5")
        wrong["max_value"] = _("Write a share from 0 to 0.5.") if half else wrong["min_value"]
        return super().formfield(error_messages=wrong, **options)
