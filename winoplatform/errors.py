"""The error that a service raises to refuse a request: a code, a sentence and a status."""

import errno
from collections.abc import Mapping
from typing import Any, TypeVar

import psycopg
from django.db import Error, InterfaceError, OperationalError
from django.utils.translation import gettext as _

from winoplatform.db.versions import OtherVersion

T = TypeVar("T")
# Django does not wrap psycopg's errors when a server-side cursor or a COPY fails.
DATABASE_ERRORS = (Error, psycopg.Error)
SESSION_LOST = (
    OperationalError,
    InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
)
TAKE_TURNS = ("40P01", "40001")  # deadlock_detected, serialization_failure
# query_canceled, lock_not_available, idle_in_transaction_session_timeout
TOO_SLOW = ("57014", "55P03", "25P03")
# No SQLSTATE: the connection broke or could not be opened. Others: admin_shutdown,
# crash_shutdown, cannot_connect_now, too_many_connections, and all connection exceptions.
AWAY = (None, "57P01", "57P02", "57P03", "53300")
CONNECTION_EXCEPTION = "08"
DISK_FULL = "53100"


class StoreAway(OSError):
    """The store of files does not answer, or refuses; what was asked may be asked again."""


class FileMissing(FileNotFoundError):
    """The store does not have a file that a row names, or it is damaged there."""


class DomainError(Exception):
    """A refusal that a person or program can act on.

    Parameters
    ----------
    code
        Stable ``snake_case`` name, for programs.
    message
        A full sentence for people, including what to do next.
    status
        The HTTP status (400, 403, 404, 409, 410, 413, 429, 503 or 507).
    details
        JSON-serializable facts, such as the findings of the rule checker; ``retry_after`` (in
        seconds) is sent as the header of that name.
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


class Conflict(DomainError):
    """The current state does not allow it."""

    def __init__(
        self, code: str, message: str, *, details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(code, message, status=409, details=details)


class NotFound(DomainError):
    """The object does not exist, or the user may not know that it exists."""

    def __init__(self, what: str) -> None:
        super().__init__("not_found", f"There is no such {what}, or it is not yours.", status=404)


def existing(row: T | None, what: str) -> T:
    """Return a row that was looked up; refuse if there is none."""
    if row is None:
        raise NotFound(what)
    return row


def busy(error: BaseException) -> DomainError | None:
    """Return the refusal for a statement that the database cancelled (conflict or timeout).

    Nothing was stored, so the same request may be sent again. None for any other failure.
    """
    state = _sqlstate(error)
    if state in TAKE_TURNS:
        message = _("Another request changed the same thing at the same moment. Please try again.")
        return DomainError("busy_try_again", message, status=503, details={"retry_after": 1})
    if state in TOO_SLOW:
        message = _("This took too long and was stopped. Please try again in a moment.")
        return DomainError("busy_try_again", message, status=503, details={"retry_after": 5})
    return None


def unavailable(error: BaseException | None) -> DomainError | None:
    """Return the refusal as ``busy`` does, also if the database, the store or a file is away.

    A commit may have succeeded before its connection broke, so a retry has to send the key of the
    first attempt, as every submission does. None for any other failure.
    """
    if (full := disk_full(error)) is not None:
        return full
    if isinstance(error, StoreAway):
        said = _("The store of files could not be reached just now. Please try again in a minute.")
        return DomainError("store_away", said, status=503, details={"retry_after": 30})
    if isinstance(error, FileMissing):
        return file_missing()
    if isinstance(error, OtherVersion):
        said = _("The platform is being changed to another version. Please try again in a minute.")
        return DomainError("other_version", said, status=503, details={"retry_after": 30})
    if not isinstance(error, DATABASE_ERRORS):
        return None
    state = _sqlstate(error)
    is_away = state in AWAY or str(state).startswith(CONNECTION_EXCEPTION)
    if is_away and isinstance(error, SESSION_LOST):
        said = _("The database could not be reached just now. Please try again in a few seconds.")
        return DomainError("database_away", said, status=503, details={"retry_after": 2})
    return busy(error)


def file_missing() -> DomainError:
    """Return the refusal of what needs a file that the store does not have."""
    said = _(
        "A file of this is missing in the store, or damaged there. Please tell the platform’s "
        "admins: “manage.py check_artifacts” names it, and stores it again from a backup."
    )
    return DomainError("file_missing", said, status=503)


def disk_full(error: BaseException | None) -> DomainError | None:
    """Return the refusal if a disk of the server or of the database is full, or a quota used up."""
    is_file = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    if is_file or (isinstance(error, DATABASE_ERRORS) and _sqlstate(error) == DISK_FULL):
        message = _("The server’s disk is full, so nothing was stored. Please tell its admins.")
        return DomainError("disk_full", message, status=507)
    return None


def _sqlstate(error: BaseException) -> str | None:
    state: str | None = getattr(error, "sqlstate", None)
    return state or getattr(error.__cause__, "sqlstate", None)
