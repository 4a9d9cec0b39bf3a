"""Database constraints, each named after its table and its rule."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.models import Func

PREFIX = "%(app_label)s_%(class)s_"


def check(name: str, condition: Any, message: str) -> models.CheckConstraint:
    """Return a constraint that every row meets *condition*, else *message* is shown."""
    return models.CheckConstraint(
        name=PREFIX + name, condition=condition, violation_error_message=message
    )


def unique(
    name: str, fields: Sequence[str | Func], message: str | None = None, **options: Any
) -> models.UniqueConstraint:
    """Return a constraint that *fields* are unique together; *options* are Django's.

    A field may be an expression, such as ``Lower("name")``.
    """
    options |= {"name": PREFIX + name, "violation_error_message": message}
    names = [field for field in fields if isinstance(field, str)]
    if len(names) == len(fields):
        return models.UniqueConstraint(fields=names, **options)
    return models.UniqueConstraint(*fields, **options)
