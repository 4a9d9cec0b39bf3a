"""Columns of kinds that many tables have: references to a row, choices, bounded numbers."""

from typing import Any, TypeVar, overload

from django.core.validators import MinValueValidator
from django.db import models

M = TypeVar("M", bound=models.Model)


@overload
def optional(
    to: type[M], related_name: str = ..., **options: Any
) -> "models.ForeignKey[M | None, M | None]": ...
@overload
def optional(to: str, related_name: str = ..., **options: Any) -> "models.ForeignKey[Any, Any]": ...
def optional(to: Any, related_name: str = "+", **options: Any) -> Any:
    """Return a column that refers to a row or to none; the row cannot be deleted before."""
    return models.ForeignKey(
        to, null=True, blank=True, on_delete=models.PROTECT, related_name=related_name, **options
    )


def reference(to: type[M], related_name: str = "+", **options: Any) -> "models.ForeignKey[M, M]":
    """Return a column that refers to a row, which cannot be deleted before."""
    return models.ForeignKey(to, on_delete=models.PROTECT, related_name=related_name, **options)


def one_of(usual: models.TextChoices, **options: Any) -> "models.CharField[str, str]":
    """Return a column for one of a few words of code, of which *usual* is the default."""
    return models.CharField(max_length=16, choices=type(usual), default=usual, **options)


def at_least(least: int, **options: Any) -> "models.PositiveIntegerField[int | None, int | None]":
    """Return a column for a number that is *least* or more, or null."""
    bound = MinValueValidator(least)
    return models.PositiveIntegerField(null=True, blank=True, validators=[bound], **options)
