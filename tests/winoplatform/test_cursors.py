"""Cursors of lists tell nothing and cannot be made up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.api.calls import API, client_of
from tests.factories import LedgerEntryFactory
from winoplatform.http.cursors import seal, unseal
from workers.models import User


@given(text=st.text(max_size=200))
def test_what_is_sealed_is_read_again(text: str) -> None:
    assert unseal(seal(text, purpose="pk"), purpose="pk") == text


@pytest.mark.parametrize("sealed", ["", "x", "é", "1234", "A" * 40])
def test_what_was_not_sealed_here_is_refused(sealed: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (any of them)
        unseal(sealed, purpose="pk")


def test_a_changed_character_or_another_purpose_is_refused() -> None:
    sealed = seal("0|0|123", purpose="pk")
    other = ("B" if sealed[-3] == "A" else "A").join([sealed[:-3], sealed[-2:]])
    for text, purpose in ((other, "pk"), (sealed, "created")):
        with pytest.raises(ValueError):  # noqa: PT011  (any of them)
            unseal(text, purpose=purpose)


def test_a_new_secret_key_keeps_the_cursors_of_earlier_ones(settings: Any) -> None:
    old, new = settings.SECRET_KEY, "n" + settings.SECRET_KEY
    sealed = seal("0|0|123", purpose="pk")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = new, [old]
    assert unseal(sealed, purpose="pk") == "0|0|123"
    assert seal("0|0|123", purpose="pk") != sealed
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(ValueError, match="not sealed here"):
        unseal(sealed, purpose="pk")


def test_a_page_names_no_primary_key(alice: User) -> None:
    keys = [entry.pk for entry in LedgerEntryFactory.create_batch(3, worker=alice)]
    address = client_of(alice).get(f"{API}ledger/?page_size=1").json()["next"]
    cursor = address.partition("cursor=")[2].partition("&")[0]
    assert unseal(cursor, purpose="-pk").endswith(f"|{keys[-1]}")
    assert str(keys[-1]) not in cursor
