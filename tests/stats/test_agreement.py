"""Agreement, against the packages that others trust and against pairs counted one by one."""

from collections import Counter
from dataclasses import astuple
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as oracle_kappa

from stats.agreement import (
    agreement,
    agreement_of_groups,
    fleiss_kappa,
    krippendorff_alpha,
    raw_agreement,
)
from stats.cohen import cohen, mean_kappa
from stats.tables import label_counts
from tests.crowd_data import NAMES, caries, crowd_votes, needs_crowd_votes

rectangles = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.integers(0, n).map(lambda k: (k, n - k)), min_size=2, max_size=25)
)
ragged = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=1)


def slow_alpha(table) -> float | None:
    """Krippendorff's definition: disagreeing pairs seen ÷ those expected, pair by pair."""
    units = [[label for label, n in enumerate(row) for _ in range(n)] for row in table]
    units = [unit for unit in units if len(unit) >= 2]
    values = [value for unit in units for value in unit]
    expected = sum(a != b for a, b in combinations(values, 2)) / max(1, len(values) - 1)
    if not expected:
        return None
    observed = sum(
        sum(a != b for a, b in combinations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    return 1 - observed / expected


@settings(deadline=None)
@given(ragged)
def test_alpha_is_the_definition_counted_pair_by_pair(rows):
    found, slow = krippendorff_alpha(rows), slow_alpha(rows)
    assert (found is None) == (slow is None)
    if slow is not None:
        assert found == pytest.approx(slow, abs=1e-9)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.tuples(*[st.integers(0, 4)] * 3), st.integers(1, 5)), min_size=1),
    st.sampled_from([None, (2, 1, 0)]),
)
def test_rows_that_stand_for_several_items_count_as_often(rows, mirror):
    counts, times = zip(*rows, strict=True)
    repeated = agreement(np.repeat(np.array(counts), times, axis=0), mirror=mirror)
    found = agreement(counts, times=times, mirror=mirror)
    assert found.n_votes == repeated.n_votes
    for name in ("raw", "alpha", "kappa"):
        for one, other in zip(
            astuple(getattr(found, name)), astuple(getattr(repeated, name)), strict=True
        ):
            assert one == (other if other is None else pytest.approx(other, abs=1e-9))


@pytest.mark.parametrize("times", [[1], [1, 0], [1.0, 2.0]])
def test_times_that_are_no_numbers_of_items_are_refused(times):
    with pytest.raises(ValueError, match="times must be integers from 1"):
        agreement([[2, 1], [3, 0]], times=times)


@settings(deadline=None)
@given(rectangles)
def test_kappa_is_the_definition(rows):
    table = np.array(rows)
    chance = float(((table.sum(axis=0) / table.sum()) ** 2).sum())
    assume(chance < 1)
    expected = (raw_agreement(table) - chance) / (1 - chance)
    assert fleiss_kappa(rows) == pytest.approx(expected, abs=1e-9)


@needs_crowd_votes
@pytest.mark.parametrize("name", NAMES)
def test_on_real_votes_alpha_is_the_packages_from_the_raw_matrix_and_kappa_statsmodels(name):
    votes = crowd_votes(name)
    matrix = np.full((votes.workers.max() + 1, votes.items.max() + 1), np.nan)
    matrix[votes.workers, votes.items] = votes.labels
    counts = label_counts(votes.items, votes.labels)
    found = agreement(counts)
    oracle = krippendorff.alpha(reliability_data=matrix, level_of_measurement="nominal")
    assert found.alpha.value == pytest.approx(oracle)
    assert found.kappa.value == pytest.approx(oracle_kappa(counts))
    assert found.kappa.n == found.alpha.n == found.raw.n == len(counts)


@needs_crowd_votes
def test_five_dentists_agree_as_statsmodels_says():
    items, _, labels = caries()
    counts = label_counts(items, labels)
    assert agreement(counts).kappa.value == pytest.approx(oracle_kappa(counts))


@settings(deadline=None)
@given(ragged, st.randoms(use_true_random=False), st.permutations(range(3)))
def test_neither_the_order_of_items_nor_the_names_of_labels_matter(rows, random, names):
    table = np.array(rows)
    shuffled = list(rows)
    random.shuffle(shuffled)
    for measure in (raw_agreement, krippendorff_alpha):
        found = measure(table)
        for other in (measure(shuffled), measure(table[:, names])):
            assert (other is None) == (found is None)
            assert other is None or other == pytest.approx(found, abs=1e-9)


def test_full_agreement_is_one_and_one_label_alone_says_nothing():
    whole = agreement([[3, 0], [0, 3]])
    assert values(whole) == (1.0, 1.0, 1.0)
    assert whole.alpha.low < 0 < whole.alpha.high == 1  # two items are no certainty
    only = agreement([[3, 0], [3, 0]])
    assert values(only) == (1.0, None, None)


def test_votes_missing_kappa_takes_the_items_with_the_usual_number():
    found = agreement([[3, 0], [1, 2], [2, 0], [1, 0], [0, 5]])
    assert (found.alpha.n, found.n_votes, found.kappa.n) == (4, 13, 2)
    assert found.kappa.value == fleiss_kappa([[3, 0], [1, 2]])
    with pytest.raises(ValueError, match="same number of votes"):
        fleiss_kappa([[3, 0], [1, 1]])


def test_without_pairs_there_is_nothing_to_agree_on():
    for table in ([[1, 0]], np.zeros((0, 2), dtype=int)):
        found = agreement(table)
        assert (*values(found), found.raw.n) == (None, None, None, 0)


@settings(deadline=None)
@given(rectangles, st.data())
def test_which_of_two_options_is_numbered_first_does_not_matter_where_they_are_mirrored(rows, data):
    table = np.array(rows)
    turned = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    other = np.where(turned[:, None], table[:, ::-1], table)
    found, again = agreement(table, mirror=(1, 0)), agreement(other, mirror=(1, 0))
    for name in ("alpha", "kappa"):
        assert astuple(getattr(found, name)) == pytest.approx(astuple(getattr(again, name)))
    assert found.kappa.value == pytest.approx(2 * found.raw.value - 1)  # chance is one half
    assert (found.raw.n, found.n_votes) == (again.raw.n, table.sum())


def test_without_mirroring_agreement_on_first_options_would_seem_to_be_chance():
    table = [[3, 0]] * 9 + [[2, 1]]
    plain, mirrored = (agreement(table, mirror=mirror).alpha for mirror in (None, (1, 0)))
    assert plain.value <= 0 < 0.8 < mirrored.value


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=3),
        min_size=1,
        max_size=8,
    )
)
def test_groups_counted_by_their_patterns_are_the_groups(groups):
    counts = [row for rows in groups for row in rows]
    of = np.repeat(np.arange(len(groups)), [len(rows) for rows in groups])
    patterns = Counter(tuple(sorted(rows)) for rows in groups)
    found, plain = (
        agreement_of_groups(patterns, mirror=(1, 0)),
        agreement(counts, groups=of, mirror=(1, 0)),
    )
    for name in ("raw", "alpha", "kappa"):
        assert astuple(getattr(found, name)) == pytest.approx(astuple(getattr(plain, name)))


def test_the_linear_value_of_votes_is_what_the_measure_loses_without_them():
    """The interval rests on derivatives: here they are compared with leaving items out."""
    rng = np.random.default_rng(3)
    usual = rng.choice(2, 300)[:, None]
    labels = np.where(rng.random((300, 4)) < 0.8, usual, rng.integers(0, 2, (300, 4)))
    counts = label_counts(np.repeat(np.arange(300), 4), labels.ravel())
    both = np.concatenate([counts, counts[:, ::-1]])
    without = [krippendorff_alpha(np.delete(both, [k, 300 + k], axis=0)) for k in range(300)]
    spread = (299 / 300 * ((without - np.mean(without)) ** 2).sum()) ** 0.5
    found = agreement(counts, mirror=(1, 0)).alpha
    assert (found.high - found.low) / 2 / 1.96 == pytest.approx(spread, rel=0.05)


def values(found):
    return found.raw.value, found.alpha.value, found.kappa.value


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=30))
def test_cohens_kappa_is_scikit_learns(pairs):
    one, two = [a for a, _ in pairs], [b for _, b in pairs]
    found = cohen(np.array(one, int), np.array(two, int), np.arange(len(pairs)), n_labels=3)
    undefined = len({*pairs}) < 2 and one == two
    assert (found.estimate.value is None) == undefined
    if not undefined:
        assert found.estimate.value == pytest.approx(cohen_kappa_score(one, two), abs=1e-9)
        assert found.estimate.low <= found.estimate.value + 1e-9
        assert found.estimate.value <= found.estimate.high + 1e-9
        # What things add to kappa sums to nothing, as kappa is their mean's function.
        assert found.rest.sum() == pytest.approx(0, abs=1e-9)


def test_the_intervals_hold_the_kappa_of_one_and_the_mean_of_several():
    """Six people are right on 85 % of pairs of problems, in which both have one difficulty."""
    rng, held, sets = np.random.default_rng(5), np.zeros(2), 300
    groups, truth = np.arange(200) // 2, np.tile([0, 1], 100)
    for _ in range(sets):
        ease = rng.choice([0.75, 0.95], 100)[groups]
        found = [
            cohen(truth, np.where(rng.random(200) < ease, truth, 1 - truth), groups)
            for _ in range(6)
        ]
        one, mean = found[0].estimate, mean_kappa(found)
        held += [one.low <= 0.7 <= one.high, mean.low <= 0.7 <= mean.high]
    assert (held / sets >= 0.92).all(), held / sets
    assert mean.people_low <= mean.low
    assert mean_kappa(found[:4]).people_low is None
