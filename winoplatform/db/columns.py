"""Columns that refer to another row."""

from typing import Any, TypeVar, overload

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
