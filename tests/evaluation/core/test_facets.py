"""Facets counted from patterns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.facets import NO_VOTES, Pattern, agreement_of, count_facets, votes_of

VALUES = st.lists(st.sampled_from("abc"), unique=True, max_size=3)
ROWS = st.lists(st.tuples(VALUES, VALUES, st.integers(1, 3)), max_size=12)


@given(ROWS, VALUES, VALUES)
def test_a_facet_counts_what_matches_the_others(
    rows: list[tuple[list[str], list[str], int]], ones: list[str], twos: list[str]
) -> None:
    patterns = [Pattern({"one": a, "two": b}, n, {}, {}) for a, b, n in rows]
    found = count_facets(patterns, {"one": ones, "two": twos})
    fits = [(not ones or set(a) & set(ones), not twos or set(b) & set(twos)) for a, b, _ in rows]
    assert found.total == sum(n for (_, _, n), (x, y) in zip(rows, fits, strict=True) if x and y)
    for value in "abc":
        one = sum(n for (a, _, n), (_, y) in zip(rows, fits, strict=True) if value in a and y)
        two = sum(n for (_, b, n), (x, _) in zip(rows, fits, strict=True) if value in b and x)
        assert found.facets.get("one", {}).get(value, 0) == one
        assert found.facets.get("two", {}).get(value, 0) == two


@given(st.integers(0, 9), st.integers(1, 9))
def test_an_agreement_is_read_as_it_was_written(right: int, votes: int) -> None:
    assert votes_of(agreement_of(right, votes)) == (right, votes)
    assert votes_of(NO_VOTES) == (0, 0)


@pytest.mark.parametrize("wrong", ["", "/", "2", "2/", "a/b", "-1/3", "²/3", "2/3/4"])
def test_what_is_no_agreement_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="agreement must be like"):
        votes_of(wrong)
