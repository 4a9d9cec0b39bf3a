"""How many passwords may be tried: one count for every door and every process, kept in Redis."""

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
TRIES_PER_ACCOUNT = 10
TRIES_PER_ADDRESS = 100  # many people may share one
AWAY = (RedisError, ServiceError)


def count(*, username: str, address: str | None) -> None:
    """Count one try before the password is looked at, so that many at once do not slip through.

    Raises
    ------
    DomainError
        ``throttled`` (429) after too many tries within five minutes. Without Redis nobody is
        refused: a broker that is away must not lock everybody out.
    """
    waits = [0]
    try:
        for name, limit in _counters(username, address):
            with broker.client().pipeline() as pipe:
                pipe.set(name, 0, nx=True, ex=WINDOW_SECONDS)
                pipe.incr(name)
                pipe.ttl(name)
                _, tries, left = pipe.execute()
            if tries > limit:
                waits.append(max(1, left))
    except AWAY:
        log.warning("Tries at passwords are not counted: Redis does not answer.", exc_info=True)
    if wait := max(waits):
        raise DomainError(
            "throttled",
            f"There were too many tries to sign in. Wait {wait} seconds, then try again.",
            status=429,
            details={"retry_after": wait},
        )


def forget(*, username: str, address: str | None) -> None:
    """Take back what a right password was counted for; the account starts anew."""
    try:
        for name, limit in _counters(username, address):
            if limit == TRIES_PER_ACCOUNT:
                broker.client().delete(name)
            elif broker.client().exists(name):
                broker.client().decr(name)
    except AWAY:
        log.warning("Redis does not answer.", exc_info=True)


def _counters(username: str, address: str | None) -> Iterator[tuple[str, int]]:
    yield _name("account", username.casefold()), TRIES_PER_ACCOUNT
    if address:
        yield _name("address", address), TRIES_PER_ADDRESS


def _name(kind: str, who: str) -> str:
    return broker.key(f"tries:{kind}:{sha256(who.encode('utf-8', 'replace')).hexdigest()}")


def address_of(request: HttpRequest | None) -> str | None:
    """Return where a request comes from, or None if that cannot be told.

    Under HTTPS a proxy stands in front, and its own entry, the last, is the one to believe.
    """
    if request is None:
        return None
    if settings.HTTPS:
        return request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() or None
    return request.META.get("REMOTE_ADDR") or None
