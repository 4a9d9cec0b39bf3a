"""Serializer fields that reject values which the database or JSON cannot hold."""

import math
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from rest_framework import serializers

from winoplatform.db.money import NOT_PLAIN, amount_from
from winoplatform.http.rights import reader

LONGEST_TEXT = 20_000
"""Characters of a text whose field names no other limit; every text has one before it is read."""
LONGEST_KEY = 200


class FiniteFloatField(serializers.FloatField):
    """A finite number, since JSON has neither infinity nor NaN."""

    default_error_messages = {"finite": "A finite number is required."}

    def to_internal_value(self, data: Any) -> float:
        try:
            value = super().to_internal_value(data)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            self.fail("finite")
        return value


class AmountField(serializers.DecimalField):
    """An amount of money as text such as ``2.50``, or a whole number.

    Other JSON numbers are refused: they are not exact, and may have an exponent.
    """

    default_error_messages = {"plain": NOT_PLAIN}

    def __init__(
        self,
        *,
        signed: bool = False,
        max_digits: int = 12,
        decimal_places: int = 2,
        **options: Any,
    ) -> None:
        self.signed = signed
        super().__init__(max_digits, decimal_places, **options)

    def to_internal_value(self, data: Any) -> Decimal:
        if isinstance(data, bool) or not isinstance(data, int | str):
            self.fail("plain")
        try:
            amount = amount_from(str(data), signed=self.signed)
        except ValidationError as error:
            raise serializers.ValidationError(error.messages) from None
        return self.quantize(self.validate_precision(amount))


class VerbatimField(serializers.CharField):
    """Text kept exactly as sent, since findings refer to positions in it."""

    def __init__(self, *, max_length: int = LONGEST_TEXT, **options: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=max_length, **options)


class _RowByKey:
    """A field that accepts a key and returns the row that has it, if the user may see that."""

    def __init__(self, rows: "QuerySet[Any]", *, key: str, **options: Any) -> None:
        self.rows, self.key = rows, key
        super().__init__(**options)

    def get_rows(self) -> Any:
        """Return the rows that the user may see; each table must say which these are."""
        rows: Any = self.rows.all()
        return rows.visible_to(reader())

    def run_validation(self, data: Any = serializers.empty) -> Any:
        value = super().run_validation(data)  # type: ignore[misc]
        if value is None:
            return None
        row: Model | None = self.get_rows().filter(**{self.key: value}).first()
        if row is None:
            name = self.rows.model._meta.verbose_name
            raise serializers.ValidationError(
                f"There is no {name} “{value}”.", code="does_not_exist"
            )
        return row


class ByPublicId(_RowByKey, serializers.UUIDField):
    """The row with this public id."""

    def __init__(self, rows: "QuerySet[Any]", **options: Any) -> None:
        super().__init__(rows, key="public_id", **options)


class BySlug(_RowByKey, serializers.SlugField):
    """The row with this slug."""

    def __init__(self, rows: "QuerySet[Any]", **options: Any) -> None:
        super().__init__(rows, key="slug", max_length=LONGEST_KEY, **options)


class ByText(_RowByKey, serializers.CharField):
    """The row identified by a text."""

    def __init__(self, rows: "QuerySet[Any]", **options: Any) -> None:
        super().__init__(rows, **{"max_length": LONGEST_KEY, **options})
