"""From where a request comes."""

from typing import Any

from workers.addresses import address_of


def test_behind_a_proxy_its_own_word_about_the_address_counts(rf: Any, settings: Any) -> None:
    request = rf.post("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="6.6.6.6, 192.0.2.1")
    assert address_of(request) == "10.0.0.1"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert address_of(request) == "192.0.2.1"
    assert address_of(None) is None
