"""Write the audit log: each act adds an event, in the transaction of the act.

A read is recorded before its answer is sent, so a download that breaks off is in the log as well.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from winoplatform.db.copying import beside_a_stream
from winoplatform.http.scopes import CURATE, refuse_without
from winoplatform.processes import logs
from workers.addresses import address_of
from workers.models import ApiToken, AuditEvent, User

Kind = AuditEvent.Kind
V = TypeVar("V", bound=Callable[..., Any])
SALT = "workers.audit"
LONGEST = 200
SHOWN = ("format", "since", "campaign")
"""Query parameters that are recorded; others may contain text of questions."""


def record(
    kind: str,
    *,
    by: User | None = None,
    account: User | None = None,
    what: object = "",
    **facts: Any,
) -> AuditEvent:
    """Add an event; the current request tells from where, through what, and its id.

    Parameters
    ----------
    by
        Who did it; by default who sends the current request.
    what
        The name or address of what was read or made. Neither it nor *facts* may contain a secret,
        a label or text of people.
    """
    request = logs.current_request.get()
    return AuditEvent.objects.create(
        kind=kind,
        by=_user_or_none(by or reader()),
        account=account,
        what=str(what)[:LONGEST],
        facts=facts,
        via=_via(request),
        address=(address_of(request) or "")[:64],
        request_id=logs.request_id(),
    )


def reader() -> Any:
    """Return who sends the current request; None in a command, or if nobody has signed in."""
    return _user_or_none(getattr(logs.current_request.get(), "user", None))


def _user_or_none(user: Any) -> Any:
    return user if user is not None and user.is_authenticated else None


def _via(request: HttpRequest | None) -> str:
    """Name the token or the session of a request, so that all its acts can be found.

    A token by the beginning that its list shows, a session by a digest: neither opens anything.
    """
    token = getattr(request, "auth", None)
    if isinstance(token, ApiToken):
        return f"token {token.token_key}"
    key = getattr(getattr(request, "session", None), "session_key", None)
    if not key:
        return "" if request else "command"
    return f"session {salted_hmac(SALT, key, algorithm='sha256').hexdigest()[:12]}"


def audits(kind: str) -> Callable[[V], V]:
    """Mark a view: ``frontend.middleware.RecordReads`` records what it answers to GET.

    A class-based view has an attribute ``audits`` instead.
    """

    def mark(view: V) -> V:
        view.audits = kind  # type: ignore[attr-defined]
        return view

    return mark


def hands_out(request: Any, kind: str) -> None:
    """Mark this answer alone, where only some answers of a view need an event.

    Raises
    ------
    DomainError
        ``scope_missing`` if a token lacks the scope ``curate``.
    """
    refuse_without(getattr(request, "auth", None), CURATE)
    getattr(request, "_request", request).audits = kind


def record_read(request: HttpRequest, kind: str, *, status: int) -> None:
    """Add the event of an answer that is about to be sent."""
    parameters = {name: request.GET.get(name, "") for name in SHOWN}
    facts: dict[str, Any] = {name: text[:60] for name, text in parameters.items() if text}
    if status == 206:
        facts["range"] = request.headers.get("Range", "")[:60]
    with beside_a_stream():
        record(kind, what=request.path, **facts)
