"""Database constraints, each named after its table and its rule."""

from typing import Any

from django.db import models

PREFIX = "%(app_label)s_%(class)s_"


def check(name: str, condition: Any, message: str) -> models.CheckConstraint:
    """Return a constraint that every row meets *condition*, else *message* is shown."""
    return models.CheckConstraint(
        name=PREFIX + name, condition=condition, violation_error_message=message
    )


def unique(
    name: str, fields: list[str], message: str | None = None, **options: Any
) -> models.UniqueConstraint:
    """Return a constraint that *fields* are unique together; *options* are Django's."""
    return models.UniqueConstraint(
        name=PREFIX + name, fields=fields, violation_error_message=message, **options
    )
