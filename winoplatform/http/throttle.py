"""Count uses within a time window in Redis, shared by all processes."""

import logging
import re
from hashlib import sha256
from ipaddress import IPv6Address, IPv6Network, ip_address

from redis.exceptions import RedisError

from winoplatform.embedded import ServiceError
from winoplatform.processes import broker

log = logging.getLogger(__name__)
AWAY = (RedisError, ServiceError)
IPV6_PREFIX = 64  # the network of one subscriber, counted as one address
WITH_PORT = re.compile(r"\[(?P<v6>[^\]]*)\](:\d+)?|(?P<v4>\d+\.\d+\.\d+\.\d+):\d+")


def count(name: str, *, limit: int, window_seconds: int) -> int:
    """Count one use of *name* and return the seconds to wait; 0 if it is within *limit*.

    The window begins with the first use and later uses do not extend it. If Redis is unreachable
    nothing is counted and no user waits: an outage of the broker must not lock users out.

    Parameters
    ----------
    name
        What is counted. It is stored as a hash, since it may contain an address or a user name.
    limit
        Uses within one window that need not wait, 0 or more.
    """
    try:
        uses, left = _add(name, 1, window_seconds)
    except AWAY:
        log.warning("Uses are not counted: Redis does not answer.", exc_info=True)
        return 0
    return max(1, left) if uses > limit else 0


def take_back(name: str, *, window_seconds: int) -> None:
    """Take back one use of *name*, as if it had not been counted."""
    try:
        _add(name, -1, window_seconds)
    except AWAY:
        log.warning("A use stays counted: Redis does not answer.", exc_info=True)


def _add(name: str, number: int, window_seconds: int) -> tuple[int, int]:
    """Change a counter; return its value and the seconds until it ends."""
    key = broker.key(f"throttle:{sha256(name.encode('utf-8', 'replace')).hexdigest()}")
    with broker.client().pipeline() as pipe:
        # A counter may have expired: each change sets the expiry of a new one.
        pipe.set(key, 0, nx=True, ex=window_seconds)
        pipe.incrby(key, number)
        pipe.ttl(key)
        _, uses, left = pipe.execute()
    return uses, left


def network_of(address: str) -> str:
    """Return the unit in which addresses are counted: an IPv4 address, or an IPv6 /64 network.

    A port, which some proxies add, is ignored. Other text is returned unchanged.

    >>> network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.1"), network_of("192.0.2.1")
    ('2001:db8:1:2::/64', '192.0.2.1', '192.0.2.1')
    """
    try:
        parsed = ip_address(_without_port(address))
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    # By its number: a zone such as %eth0 is only meaningful on the machine that wrote it.
    return str(IPv6Network((int(parsed), IPV6_PREFIX), strict=False))


def _without_port(address: str) -> str:
    match = WITH_PORT.fullmatch(address.strip())
    return (match["v6"] or match["v4"] or "") if match else address.strip()
