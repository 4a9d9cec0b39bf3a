"""McNemar's test, of rows alone and of groups."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as oracle

from stats.paired import mcnemar

answers = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), max_size=12)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_of_rows_alone_it_is_statsmodels_exact_test(pairs):
    table = np.zeros((2, 2), dtype=int)
    for one, two in pairs:
        table[int(one), int(two)] += 1
    found = mcnemar([one for one, _ in pairs], [two for _, two in pairs])
    assert (found.first_only, found.second_only) == (table[1, 0], table[0, 1])
    expected = oracle(table, exact=True).pvalue if table[1, 0] + table[0, 1] else 1
    assert found.p == pytest.approx(expected)


@given(answers)
def test_of_groups_it_is_the_share_of_all_turns_that_reach_as_far(rows):
    groups = [name for *_, name in rows]
    by_group = {name: sum(a - b for a, b, g in rows if g == name) for name in groups}
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, by_group.values(), strict=True)))
        for signs in product((-1, 1), repeat=len(by_group))
    ]
    expected = np.mean([total >= abs(sum(by_group.values())) for total in sums])
    found = mcnemar([a for a, *_ in rows], [b for _, b, _ in rows], groups)
    assert found.p == pytest.approx(expected)


def test_models_alike_are_told_apart_no_more_often_than_promised_however_groups_hang_together():
    rng, groups, found = np.random.default_rng(0), np.repeat(np.arange(60), 3), []
    for _ in range(400):
        one, two = np.repeat(rng.random((2, 60)) < 0.6, 3, axis=1)
        found.append((mcnemar(one, two, groups).p < 0.05, mcnemar(one, two).p < 0.05))
    held, careless = np.mean(found, axis=0)
    assert held <= 0.07
    assert careless > 0.15  # as if the members of a group were independent


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="must have the same length, got 2, 1 and 2"):
        mcnemar([True, False], [True])
