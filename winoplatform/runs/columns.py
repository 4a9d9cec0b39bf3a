"""Columns and constraints shared by the models of runs."""

from typing import Any

from django.db import models
from django.db.models import Q

from winoplatform.db.constraints import check
from winoplatform.models import Artifact
from winoplatform.runs.models import RunStatus


def artifact_field(**options: Any) -> "models.ForeignKey[Any, Any]":
    return models.ForeignKey(
        Artifact,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="+",
        **options,
    )


def recorded_text(max_length: int, meaning: Any = "") -> "models.CharField[str, str]":
    """Return a column for a text that a run records; empty before."""
    return models.CharField(max_length=max_length, blank=True, editable=False, help_text=meaning)


def recorded_json(meaning: Any = "") -> "models.JSONField[Any, Any]":
    """Return a column for a result that a run records; null before."""
    return models.JSONField(null=True, blank=True, editable=False, help_text=meaning)


def recorded_count(
    meaning: Any = "",
) -> "models.PositiveIntegerField[int | None, int | None]":
    """Return a column for a number that a run records; null before."""
    return models.PositiveIntegerField(null=True, blank=True, editable=False, help_text=meaning)


def done_has(*fields: str) -> models.CheckConstraint:
    """Return a constraint that a run that is done has these results."""
    whole = Q(*[(f"{field}__isnull", False) for field in fields])
    return check(
        "done_has_its_results",
        ~Q(status=RunStatus.DONE) | whole,
        "A run that is done has its results.",
    )


def value_constraint(field: str, *values: str) -> models.CheckConstraint:
    """Return a constraint that the column has one of these values."""
    return models.CheckConstraint(
        name=f"%(app_label)s_%(class)s_{field}_is_known",
        condition=Q((f"{field}__in", values)),
        violation_error_message=f"The {field} is one of: {', '.join(values)}.",
    )
