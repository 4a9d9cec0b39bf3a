"""Django's cache shares a Redis database with the broker and with other installations."""

from django.core.cache import cache

from winoplatform.processes import broker


def test_clearing_the_cache_leaves_what_others_have_stored() -> None:
    cache.set("mine", [1])
    broker.client().set("of-another", "kept", ex=60)
    assert cache.get("mine") == [1]
    cache.clear()
    assert cache.get("mine") is None
    assert broker.client().get("of-another") is not None
