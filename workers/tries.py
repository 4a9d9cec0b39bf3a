"""How many passwords may be tried: the same counters for every door and process, kept in Redis."""

import ipaddress
import logging
from collections.abc import Iterator
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest
from redis.exceptions import RedisError

from winoplatform import broker
from winoplatform.embedded import ServiceError
from winoplatform.errors import DomainError

log = logging.getLogger(__name__)
WINDOW_SECONDS = 300
TRIES_PER_ACCOUNT = 10  # from all browsers together in which it has not signed in before
TRIES_PER_DEVICE = 10  # from one in which it has
TRIES_PER_ADDRESS = 100  # many people may share one
AWAY = (RedisError, ServiceError)


def count(*, username: str, address: str | None, device: str | None = None) -> None:
    """Count one try before the password is looked at, so that many at once do not slip through.

    A try from a known *device* (``workers.devices``) counts for that device alone. Any other
    counts for its address, and, unless the address has used up its tries, for the account.

    Raises
    ------
    DomainError
        ``throttled`` (429) after too many tries within five minutes. Without Redis nobody is
        refused: a broker that is away must not lock everybody out.
    """
    try:
        wait = next(
            filter(None, (_count(*each) for each in _counters(username, address, device))), 0
        )
    except AWAY:
        log.warning("Tries at passwords are not counted: Redis does not answer.", exc_info=True)
        return
    if wait:
        raise DomainError(
            "throttled",
            f"There were too many tries to sign in. Wait {wait} seconds, then try again.",
            status=429,
            details={"retry_after": wait},
        )


def forget(*, username: str, address: str | None, device: str | None = None) -> None:
    """Take back the one try that turned out right; wrong ones before it stay counted."""
    try:
        for name, _ in _counters(username, address, device):
            with broker.client().pipeline() as pipe:
                # A counter may have ended meanwhile; a new one must end as well.
                pipe.set(name, 0, nx=True, ex=WINDOW_SECONDS)
                pipe.decr(name)
                pipe.execute()
    except AWAY:
        log.warning("Redis does not answer.", exc_info=True)


def _count(name: str, limit: int) -> int:
    """Add one to a counter; return the seconds to wait if it is above its limit, else 0."""
    with broker.client().pipeline() as pipe:
        pipe.set(name, 0, nx=True, ex=WINDOW_SECONDS)
        pipe.incr(name)
        pipe.ttl(name)
        _, tries, left = pipe.execute()
    return max(1, left) if tries > limit else 0


def _counters(username: str, address: str | None, device: str | None) -> Iterator[tuple[str, int]]:
    if device:
        yield _name("device", device), TRIES_PER_DEVICE
        return
    if address:
        yield _name("address", _network(address)), TRIES_PER_ADDRESS
    yield _name("account", username.casefold()), TRIES_PER_ACCOUNT


def _name(kind: str, who: str) -> str:
    return broker.key(f"tries:{kind}:{sha256(who.encode('utf-8', 'replace')).hexdigest()}")


def _network(address: str) -> str:
    """Return what one subscriber is given: an IPv4 address, or the first half of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found.packed[:8].ljust(16, b"\0"), 64)))


def address_of(request: HttpRequest | None) -> str | None:
    """Return where a request comes from, or None if that cannot be told.

    Under HTTPS a proxy stands in front, and its own entry, the last, is the one to believe.
    """
    if request is None:
        return None
    if settings.HTTPS:
        return request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() or None
    return request.META.get("REMOTE_ADDR") or None
