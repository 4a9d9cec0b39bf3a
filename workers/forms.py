"""Limits of the fields of forms."""

from typing import Any

from django.core.validators import MaxLengthValidator

LONGEST_PASSWORD = 4096


def bounded(field: Any, longest: int = LONGEST_PASSWORD) -> Any:
    """Return a field of a form with a longest text."""
    field.max_length = longest
    field.validators.append(MaxLengthValidator(longest))
    return field
