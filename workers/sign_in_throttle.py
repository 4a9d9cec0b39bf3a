"""The sign-in throttle: limits on password attempts, counted in Redis for all processes."""

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from winoplatform import throttle
from winoplatform.errors import DomainError
from workers.models import User

WINDOW_SECONDS = 300
ATTEMPTS_PER_ACCOUNT = 10  # all browsers in which it has not signed in before
ATTEMPTS_PER_DEVICE = 10  # one browser in which it has
ATTEMPTS_PER_ADDRESS = 100  # many people may share one


def count(*, username: str, address: str | None, device: str | None = None) -> None:
    """Count one attempt before the password is checked, so that parallel attempts are counted.

    An attempt from a known *device* (``workers.devices``) counts only for that device. Any other
    counts for its address and, unless the address has used up its attempts, for the account.

    Raises
    ------
    DomainError
        ``throttled`` (429) after too many attempts within five minutes. No attempt is refused
        without Redis: an outage of the broker must not lock users out.
    """
    for name, limit in _counters(username, address, device):
        wait = throttle.count(name, limit=limit, window_seconds=WINDOW_SECONDS)
        if wait:
            said = _("There were too many attempts to sign in. Wait %d seconds, then try again.")
            raise _throttled(said % wait, wait)


def count_own(user: User) -> None:
    """Count one attempt to give the own password, so that a session cannot guess it."""
    name = f"own password {user.pk}"
    wait = throttle.count(name, limit=ATTEMPTS_PER_DEVICE, window_seconds=WINDOW_SECONDS)
    if wait:
        said = _("There were too many wrong attempts. Wait %d seconds, then try again.")
        raise _throttled(said % wait, wait)


def count_code(address: str | None) -> None:
    """Count one use of an invitation's code from an address."""
    if not address:
        return
    name = f"invitation {throttle.network_of(address)}"
    wait = throttle.count(name, limit=ATTEMPTS_PER_ADDRESS, window_seconds=WINDOW_SECONDS)
    if wait:
        said = _("There were too many attempts to use a link. Wait %d seconds, then try again.")
        raise _throttled(said % wait, wait)


def _throttled(message: str, wait: int) -> DomainError:
    return DomainError("throttled", message, status=429, details={"retry_after": wait})


def forget(*, username: str, address: str | None, device: str | None = None) -> None:
    """Take back the successful attempt; failed attempts before it stay counted."""
    for name, _limit in _counters(username, address, device):
        throttle.take_back(name, window_seconds=WINDOW_SECONDS)


def _counters(username: str, address: str | None, device: str | None) -> Iterator[tuple[str, int]]:
    if device:
        yield f"sign-in device {device}", ATTEMPTS_PER_DEVICE
        return
    if address:
        yield f"sign-in address {throttle.network_of(address)}", ATTEMPTS_PER_ADDRESS
    yield f"sign-in account {username.casefold()}", ATTEMPTS_PER_ACCOUNT


def address_of(request: HttpRequest | None) -> str | None:
    """Return the client's address, or None if it is unknown.

    With HTTPS there is a proxy in front, and only the last entry, which it adds, is trusted.
    """
    if request is None:
        return None
    if settings.HTTPS:
        return request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() or None
    return request.META.get("REMOTE_ADDR") or None
