"""Pay for a whole set, answer by answer."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panels.core.pay import CENT, share_of_whole

AMOUNTS = st.decimals(min_value=0, max_value=10_000, places=2)


@given(AMOUNTS, st.integers(1, 700))
def test_all_shares_sum_to_the_amount_to_the_cent(amount, n):
    shares = [share_of_whole(amount, n=n, number=number) for number in range(1, n + 1)]
    assert sum(shares) == amount
    assert all(share == share.quantize(CENT) and share >= 0 for share in shares)


@given(AMOUNTS, st.integers(1, 700))
def test_all_shares_but_the_last_are_equal_and_the_last_takes_the_rest(amount, n):
    shares = [share_of_whole(amount, n=n, number=number) for number in range(1, n + 1)]
    assert len(set(shares[:-1])) <= 1
    assert 0 <= shares[-1] - shares[0] < n * CENT


@pytest.mark.parametrize(
    ("amount", "n", "number"),
    [("1.00", 0, 1), ("1.00", 2, 3), ("1.00", 2, 0), ("-1.00", 2, 1), ("1.001", 2, 1)],
)
def test_what_has_no_share_is_refused(amount, n, number):
    with pytest.raises(ValueError, match=r"number|amount"):
        share_of_whole(Decimal(amount), n=n, number=number)
