"""Step-up: the password is asked again before what a stolen session must not do.

Source: OWASP, *Authentication Cheat Sheet*, "Require Re-authentication for Sensitive Features".
"""

import time

from django.http import HttpRequest
from django.utils.translation import gettext as _

from winoplatform.errors import DomainError

SECONDS = 600
KEY = "password_confirmed_at"


def confirm(request: HttpRequest) -> None:
    """Note that the password was right just now, at the sign-in or when it was asked again."""
    request.session[KEY] = int(time.time())


def is_recent(request: HttpRequest) -> bool:
    confirmed = request.session.get(KEY)
    return isinstance(confirmed, int) and 0 <= time.time() - confirmed < SECONDS


def refuse_stale(request: HttpRequest) -> None:
    """Refuse a session whose password was not asked lately; a token was made with the password.

    Raises
    ------
    DomainError
        ``password_required`` (403).
    """
    if getattr(request, "auth", None) is None and not is_recent(request):
        said = _(
            "This needs your password again. Do it on its page, where you are asked for the "
            "password, or use a token with the scope that it needs."
        )
        raise DomainError("password_required", said, status=403)
