"""Device cookies: a signed cookie for each account that has signed in from a browser.

Password guesses from other browsers cannot lock such a browser out, since its attempts are counted
separately (``workers.sign_in_throttle``). Source: OWASP, *Slow Down Online Guessing Attacks with
Device Cookies*.
"""

import secrets
from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, b62_decode
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from workers.models import User

KEPT = timedelta(days=180)
MOST = 10
SALT = "workers.devices"
PREFIX = "device_"


def known_device(request: HttpRequest | None, username: str) -> str | None:
    """Return the identifier of a browser in which *username* has signed in, or None.

    The signature covers the account and its password, so a new password invalidates the cookie.
    """
    cookie = request.COOKIES.get(_cookie_name(username)) if request else None
    # The cookie's name cannot be guessed, so the duration of this query does not reveal which
    # accounts exist.
    user = User.objects.filter(username=username).first() if cookie else None
    if cookie is None or user is None:
        return None
    try:
        return _signer(user).unsign(cookie, max_age=KEPT)
    except BadSignature:
        return None


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Set a new cookie in the browser, with a counter that starts at zero.

    The newest ``MOST`` cookies are kept: on a computer shared by many accounts, requests with all
    of them would exceed a proxy's header limit.
    """
    name = _cookie_name(user.username)
    others = [each for each in request.COOKIES if each.startswith(PREFIX) and each != name]
    others.sort(key=lambda each: _signed_at(request.COOKIES[each]), reverse=True)
    for old in others[MOST - 1 :]:
        response.delete_cookie(old, samesite="Lax")
    response.set_cookie(
        name,
        _signer(user).sign(secrets.token_urlsafe(12)),
        max_age=KEPT,
        httponly=True,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        samesite="Lax",
    )


def _cookie_name(username: str) -> str:
    name = username.encode("utf-8", "replace")
    return f"{PREFIX}{salted_hmac(SALT, name, algorithm='sha256').hexdigest()[:16]}"


def _signed_at(cookie: str) -> int:
    """Return the time in the cookie in seconds, unverified; 0 if it has none."""
    try:
        return b62_decode(cookie.split(TimestampSigner().sep)[1])
    except (IndexError, ValueError):
        return 0


def _signer(user: User) -> TimestampSigner:
    return TimestampSigner(salt=f"{SALT}:{user.pk}:{user.password}")
