"""Counting within a window, in Redis."""

import uuid

import pytest
from redis.exceptions import ConnectionError as RedisAway

from winoplatform.http import throttle
from winoplatform.processes import broker


def use(name: str, times: int, limit: int = 3) -> list[int]:
    return [throttle.count(name, limit=limit, window_seconds=60) for _ in range(times)]


def test_uses_beyond_the_limit_are_told_how_long_to_wait() -> None:
    waits = use(f"test {uuid.uuid4()}", 5)
    assert waits[:3] == [0, 0, 0]
    assert all(0 < wait <= 60 for wait in waits[3:])


def test_names_are_counted_apart_and_stored_as_hashes() -> None:
    names = [f"test {uuid.uuid4()}" for _ in range(2)]
    assert [use(name, 1, limit=1) for name in names] == [[0], [0]]
    keys = [key.decode() for key in broker.client().scan_iter(match=broker.key("throttle:*"))]
    assert not [key for key in keys if names[0] in key]


def test_without_redis_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise RedisAway("away")

    monkeypatch.setattr(broker, "client", away)
    assert use("test", 5, limit=0) == [0] * 5


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::1", "::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("192.0.2.1:5555", "192.0.2.1"),
        ("[2001:db8::1]:443", "2001:db8::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
        ("[::ffff:192.0.2.1]:80", "192.0.2.1"),
        ("unknown", "unknown"),
        ("[]:80", "[]:80"),
        ("1.2.3.4:x", "1.2.3.4:x"),
    ],
)
def test_an_ipv6_network_is_one_address(address: str, network: str) -> None:
    assert throttle.network_of(address) == network
