"""Columns of a kind that many tables have; *help_text* and other options are Django's."""

from typing import Any, TypeVar, overload

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Model

M = TypeVar("M", bound=Model)


@overload
def optional(
    to: type[M], related_name: str = "+", **options: Any
) -> "models.ForeignKey[M | None, M | None]": ...
@overload
def optional(to: str, related_name: str = "+", **options: Any) -> "models.ForeignKey[Any, Any]": ...
def optional(to: Any, related_name: str = "+", **options: Any) -> "models.ForeignKey[Any, Any]":
    """Return a reference to a row that is kept as long as it is referred to, or to none."""
    return models.ForeignKey(
        to, null=True, blank=True, on_delete=models.PROTECT, related_name=related_name, **options
    )


def choice(usual: models.TextChoices, **options: Any) -> "models.CharField[str, str]":
    """Return one of a few words of code, of which *usual* is the default."""
    return models.CharField(max_length=16, choices=type(usual), default=usual, **options)


def at_least(least: int, **options: Any) -> "models.PositiveIntegerField[int | None, int | None]":
    """Return a number that may be empty, or is *least* or more."""
    bound = MinValueValidator(least)
    return models.PositiveIntegerField(null=True, blank=True, validators=[bound], **options)


def recorded_text(help_text: Any = "", *, max_length: int = 64) -> "models.CharField[str, str]":
    """Return what a run records of itself, empty before: a hash, a version, a kind."""
    return models.CharField(max_length=max_length, blank=True, editable=False, help_text=help_text)


def recorded_count(
    help_text: Any = "",
) -> "models.PositiveIntegerField[int | None, int | None]":
    """Return a number that a run records of its result."""
    return models.PositiveIntegerField(null=True, blank=True, editable=False, help_text=help_text)


def recorded_figures(help_text: Any = "") -> "models.JSONField[Any, Any]":
    """Return figures that a run records of its result, as JSON."""
    return models.JSONField(null=True, blank=True, editable=False, help_text=help_text)
