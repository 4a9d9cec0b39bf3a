"""The one kind of error a service raises when it refuses: a code, a sentence and a status."""

from collections.abc import Mapping
from typing import Any

from django.db import OperationalError
from django.utils.translation import gettext as _

TAKE_TURNS = ("40P01", "40001")  # deadlock_detected, serialization_failure


class DomainError(Exception):
    """A refusal that a person or program can act on.

    Parameters
    ----------
    code
        Stable ``snake_case`` name, for programs.
    message
        A full sentence with the way out, for people.
    status
        The HTTP status that says the same (400, 403, 404, 409, 410, 413, 429 or 503).
    details
        JSON-ready facts, such as the findings of the rule checker; ``retry_after`` in seconds
        becomes the header of that name.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 400,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.details = dict(details or {})


class NotFound(DomainError):
    """The object does not exist, or the asker may not know that it does."""

    def __init__(self, what: str) -> None:
        super().__init__("not_found", f"There is no such {what}, or it is not yours.", status=404)


def busy(error: OperationalError) -> DomainError | None:
    """The refusal of what the database has broken off so that somebody else could go first.

    Nothing of it was stored, so it may be sent again as it is. None for any other failure.
    """
    if getattr(error.__cause__, "sqlstate", None) not in TAKE_TURNS:
        return None
    return DomainError(
        "busy_try_again",
        _("Somebody else changed the same thing at the same moment. Please try again."),
        status=503,
        details={"retry_after": 1},
    )
