"""Step-up: a proof of who it is, lately, before what a stolen session must not do.

The proof is one of allauth's: password, passkey, or a code of an app. A sign-in is one as well.
Source: OWASP, *Authentication Cheat Sheet*, "Require Re-authentication for Sensitive Features".
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest
from django.utils.translation import gettext as _

from winoplatform.errors import DomainError

V = TypeVar("V", bound=Callable[..., Any])


def is_recent(request: HttpRequest) -> bool:
    return not is_reauthentication_required(request, app="")


def ask(request: HttpRequest) -> None:
    """Ask for a proof, unless one was given lately; the form of *request* is kept and goes on.

    Raises
    ------
    ReauthenticationRequired
        For allauth's middleware, which answers with the page that asks.
    """
    if not is_recent(request):
        raise ReauthenticationRequired


def with_step_up(view: V) -> V:
    """Take a form of *view* only after `ask`."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST":
            ask(request)
        return view(request, *args, **kwargs)

    return cast(V, guarded)


def refuse_stale(request: HttpRequest) -> None:
    """Refuse a session without a recent proof; a token was made with one.

    Raises
    ------
    DomainError
        ``password_required`` (403).
    """
    if getattr(request, "auth", None) is None and not is_recent(request):
        message = _(
            "This needs your password again. Do it on its page, where you are asked for the "
            "password, or use a token with the scope that it needs."
        )
        raise DomainError("password_required", message, status=403)
