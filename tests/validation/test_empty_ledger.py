"""A platform on which nothing was done yet."""

import pytest

from validation.selectors.ties import check_ledger


@pytest.mark.django_db
def test_an_empty_ledger_ties() -> None:
    assert check_ledger().ties
    assert check_ledger().entries == 0
