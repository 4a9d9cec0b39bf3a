"""What tables forbid, each constraint named after its table and what it holds there."""

from typing import Any

from django.db import models

PREFIX = "%(app_label)s_%(class)s_"


def check(name: str, condition: Any, message: str) -> models.CheckConstraint:
    """A constraint: every row meets *condition*; *message* is for whoever would break it."""
    return models.CheckConstraint(
        name=PREFIX + name, condition=condition, violation_error_message=message
    )


def unique(
    name: str, fields: list[str], message: str | None = None, **options: Any
) -> models.UniqueConstraint:
    """A constraint: no two rows have the same *fields*; *options* are Django's."""
    return models.UniqueConstraint(
        name=PREFIX + name, fields=fields, violation_error_message=message, **options
    )
