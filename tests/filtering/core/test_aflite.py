"""AFLite: what goes, what stays, why it stops, and that identity rules."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filtering.core.aflite import AFLite
from filtering.core.engines import BatchedEngine, blocks
from filtering.core.phases import PhaseDone
from filtering.core.table import Table
from tests.filtering.core.planted import planted, twins

IDS = np.array([f"q{i:04}" for i in range(600)])
AS_PUBLISHED = {"stop": "published", "partition": "individual", "removal": "individual"}


def small(**changes) -> AFLite:
    return AFLite(**{"n": 16, "m": 120, "k": 60, **AS_PUBLISHED, **changes})


def test_rows_that_give_their_label_away_go_and_clean_rows_stay():
    x, y, leaky = planted(n_leaky=200, n_clean=400)
    found = small().fit(x, y, ids=IDS)
    assert (~found.support_[leaky]).mean() > 0.95
    assert found.support_[~leaky].mean() > 0.7


def test_the_first_phase_removes_leaky_rows_almost_only():
    x, y, leaky = planted(n_leaky=200, n_clean=400)
    first = small().fit(x, y, ids=IDS).phases_[0]
    assert first.n_removed == 60
    assert leaky[first.removed].mean() > 0.85


def test_what_is_learned_agrees_with_the_phases():
    x, y, _ = planted(n_leaky=200, n_clean=400)
    found = small().fit(x, y, ids=IDS)
    assert found.support_.sum() == found.phases_[-1].n_after
    for phase in found.phases_:
        assert (found.removed_in_[phase.removed] == phase.number).all()
        assert phase.removed_ids == tuple(IDS[phase.removed])
        alive = (found.removed_in_ == 0) | (found.removed_in_ >= phase.number)
        np.testing.assert_array_equal(phase.rows, np.flatnonzero(alive))
        assert phase.held_out.sum() == found.n * (phase.n_before - found.m)
        assert phase.histogram(bins=10)[0].sum() == phase.n_before - phase.never_held_out
        assert phase.scores[np.isin(phase.rows, phase.removed)].min() >= found.tau


def test_it_stops_when_fewer_than_k_go_and_removes_them_first():
    x, y, _ = planted(n_leaky=100, n_clean=500)
    found = small().fit(x, y, ids=IDS)
    last = found.phases_[-1]
    assert found.stop_reason_ == last.stop_reason == "fewer_than_k"
    assert 0 < last.n_removed < 60
    assert all(phase.stop_reason is None for phase in found.phases_[:-1])


def test_it_stops_with_at_most_m_rows_left():
    x, y, _ = planted(n_leaky=600, n_clean=0)
    found = small(m=500).fit(x, y, ids=IDS)
    assert found.stop_reason_ == "at_most_m"
    assert [phase.n_before for phase in found.phases_] == [600, 540]
    assert found.support_.sum() == 480


@pytest.mark.parametrize("m", [600, 601])
def test_no_phase_starts_with_m_rows_or_fewer(m):
    x, y, _ = planted(n_leaky=600, n_clean=0)
    found = small(m=m).fit(x, y)
    assert found.phases_ == []
    assert found.support_.all()
    assert found.stop_reason_ == "at_most_m"


def test_rows_never_held_out_stay_and_are_counted():
    x, y, _ = planted(n_leaky=600, n_clean=0)
    phase = next(small(n=2, m=590, k=600, tau=0).steps(x, y, ids=IDS))
    assert phase.never_held_out == np.isnan(phase.scores).sum() >= 580
    assert phase.n_removed == phase.eligible == 600 - phase.never_held_out
    assert phase.stop_reason == "fewer_than_k"


@pytest.mark.long
@pytest.mark.parametrize("partition", ["individual", "grouped"])
@pytest.mark.parametrize("removal", ["individual", "together"])
def test_permuting_the_rows_permutes_the_result_and_nothing_else(partition, removal):
    x, y, groups = twins(n_pairs=140, n_unpaired=20)
    x[:, 0] += 3 * (2 * y - 1)
    ids = IDS[:300]
    order = np.random.default_rng(1).permutation(300)
    estimator = small(partition=partition, removal=removal, tau=0.6)
    straight = estimator.fit(x, y, groups=groups, ids=ids)
    expected, scores = straight.removed_in_, straight.phases_[0].scores
    moved = estimator.fit(x[order], y[order], groups=groups[order], ids=ids[order])
    assert expected.max() > 1
    np.testing.assert_array_equal(moved.removed_in_, expected[order])
    np.testing.assert_array_equal(moved.phases_[0].scores, scores[order])


@pytest.mark.long
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10_000), as_ids=st.booleans())
def test_a_run_resumed_after_any_phase_equals_an_unbroken_one(seed, as_ids):
    x, y, _ = planted(n_leaky=150, n_clean=150, seed=seed)
    estimator = small(seed=seed, n=6, k=40)
    whole = list(estimator.steps(x, y, ids=IDS[:300]))
    for cut in range(len(whole) + 1):
        done = [PhaseDone(p.removed_ids, p.stop_reason) if as_ids else p for p in whole[:cut]]
        rest = list(estimator.steps(x, y, ids=IDS[:300], done=done))
        assert [p.number for p in rest] == list(range(cut + 1, len(whole) + 1))
        for resumed, unbroken in zip(rest, whole[cut:], strict=True):
            assert resumed.removed_ids == unbroken.removed_ids
            assert resumed.stop_reason == unbroken.stop_reason
            np.testing.assert_array_equal(resumed.correct, unbroken.correct)


def test_two_seeds_remove_different_rows():
    x, y, _ = planted(n_leaky=300, n_clean=300)
    one, other = (small(seed=s).fit(x, y, ids=IDS).removed_in_ for s in (1, 2))
    assert (one != other).any()


@pytest.mark.long
def test_rows_are_their_position_without_ids():
    x, y, _ = planted(n_leaky=200, n_clean=400)
    np.testing.assert_array_equal(
        small().fit(x, y).removed_in_, small().fit(x, y, ids=np.arange(600)).removed_in_
    )


def test_individual_partitions_put_twins_below_chance_and_grouped_ones_do_not():
    x, y, groups = twins(n_pairs=300, d=30)
    individual, grouped = (
        next(small(n=40, m=400, partition=p).steps(x, y, groups=groups)).accuracy
        for p in ("individual", "grouped")
    )
    assert individual < 0.4 < 0.47 < grouped < 0.53


def test_twins_go_together_or_stay_together():
    x, y, groups = twins(n_pairs=280, n_unpaired=40)
    x[:, 0] += 3 * (2 * y - 1)
    found = small(partition="grouped", removal="together", k=61).fit(x, y, groups=groups)
    pairs = found.removed_in_[:560].reshape(280, 2)
    assert (pairs[:, 0] == pairs[:, 1]).all()
    assert {0, 1, 2} <= set(found.removed_in_.tolist())
    assert {phase.n_removed for phase in found.phases_[:-1]} <= {61, 62}
    unpaired = [phase for phase in found.phases_ if (phase.removed >= 560).any()]
    assert unpaired


def test_one_class_only_is_guessed_at_once():
    x, _, _ = planted(n_leaky=0, n_clean=300)
    found = small().fit(x, np.ones(300, dtype=int))
    assert found.phases_[0].accuracy == 1
    assert found.stop_reason_ == "at_most_m"


def test_constant_features_tell_nothing():
    y = np.tile([0, 1], 300)
    assert small(n=64).fit(np.full((600, 3), 7.0), y).support_.mean() > 0.9


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_features_that_are_no_finite_float32_are_refused(value):
    x, y, _ = planted(n_leaky=10, n_clean=290)
    x = x.astype(np.float64)
    x[3, 2] = value
    with pytest.raises(ValueError, match=r"X contains"):
        small().steps(x, y)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n": 0}, "n must be at least 1, got 0"),
        ({"m": 2.5}, "m must be at least 1, got 2.5"),
        ({"k": True}, "k must be at least 1, got True"),
        ({"max_iter": "9"}, "max_iter must be at least 1, got '9'"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"tau": 1.01}, "tau must be between 0 and 1, got 1.01"),
        ({"tau": float("nan")}, "tau must be between 0 and 1, got nan"),
        ({"C": 0}, "C must be above 0, got 0"),
        ({"tol": float("inf")}, "tol must be above 0, got inf"),
        ({"partition": "pairs"}, "partition must be one of .* got 'pairs'"),
        ({"removal": "both"}, "removal must be one of .* got 'both'"),
        ({"stop": "never"}, "stop must be one of .* got 'never'"),
    ],
)
def test_a_parameter_out_of_range_is_named(changes, message):
    x, y, _ = planted(n_leaky=10, n_clean=290)
    with pytest.raises(ValueError, match=message):
        small(**changes).steps(x, y)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"y": np.zeros(299)}, "inconsistent numbers of samples"),
        ({"y": np.arange(300) % 3}, "y must hold one or two classes, got 3"),
        ({"y": np.full(300, np.nan)}, "y contains NaN"),
        ({"ids": ["a"] * 300}, "ids must be distinct, got 299 repeats"),
        ({"ids": [1, 2]}, r"ids must have one entry per row \(300\), got 2"),
        ({"groups": [1, 2]}, r"groups must have one entry per row \(300\), got 2"),
        (
            {"done": [PhaseDone(["stranger"])]},
            "done must remove ids of this data once, got 'stranger'",
        ),
        (
            {"done": [PhaseDone([7]), PhaseDone([7])]},
            "done must remove ids of this data once, got 7 in phase 2",
        ),
    ],
)
def test_an_argument_that_does_not_fit_is_named(given, message):
    x, y, _ = planted(n_leaky=10, n_clean=290)
    with pytest.raises(ValueError, match=message):
        list(small().steps(x, given.pop("y", y), **given))


def test_a_part_too_small_for_a_pair_is_refused_and_one_for_a_pair_is_filled():
    x, y, groups = twins(n_pairs=20, n_unpaired=1)
    with pytest.raises(ValueError, match="m must be at least 2, the rows of the largest group"):
        small(m=1, partition="grouped").steps(x, y, groups=groups)
    assert list(small(m=2, partition="grouped").steps(x, y, groups=groups))
    assert list(small(m=1).steps(x, y))


def test_progress_ends_at_all_members_in_every_phase():
    x, y, _ = planted(n_leaky=200, n_clean=400)
    seen = []
    n_phases = len(list(small(n=3).steps(x, y, progress=lambda i, n: seen.append((i, n)))))
    assert {n for _, n in seen} == {3}
    assert sum(i == 3 for i, _ in seen) >= n_phases


def test_the_input_is_left_as_it_was():
    x, y, _ = planted(n_leaky=200, n_clean=400)
    before = x.copy(), y.copy()
    small().fit(x, y)
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(y, before[1])


@pytest.mark.long
@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int32])
def test_numbers_of_any_type_are_read_as_float32(dtype):
    x, y, _ = planted(n_leaky=200, n_clean=400)
    other = (16 * x).astype(dtype)
    expected = small().fit(other.astype(np.float32), y).removed_in_
    np.testing.assert_array_equal(small().fit(other, y).removed_in_, expected)


@pytest.mark.long
def test_a_mapped_file_is_read_block_by_block_and_not_copied(tmp_path, monkeypatch):
    x, y, _ = planted(n_leaky=600, n_clean=1400, d=40)
    np.save(tmp_path / "x.npy", x)
    estimator = small(m=400, k=150)
    expected = estimator.fit(x, y).removed_in_
    monkeypatch.setattr(blocks, "HELD_BYTES", 0)
    monkeypatch.setattr(blocks, "READ", 300)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    largest = [0]
    read = Table.rows
    monkeypatch.setattr(
        Table,
        "rows",
        lambda self, rows, out=None: largest.append(len(rows)) or read(self, rows, out),
    )
    found = estimator.fit(mapped, y).removed_in_
    assert max(largest) <= 300
    assert (found == expected).mean() > 0.97


@pytest.mark.long
@pytest.mark.parametrize("n", [6, pytest.param(blocks.FEW, marks=pytest.mark.long)])
def test_a_run_resumed_within_a_working_set_equals_an_unbroken_one_to_the_last_bit(n, monkeypatch):
    x, y, _ = planted(n_leaky=300, n_clean=300)
    weights, bases = [], []
    fit = BatchedEngine.fit

    def noting(engine, base, *args, **options):
        found = fit(engine, base, *args, **options)
        weights.append(found.weights)
        bases.append(base)
        return found

    monkeypatch.setattr(BatchedEngine, "fit", noting)
    estimator = small(k=12, n=n)
    whole = list(estimator.steps(x, y))
    unbroken = list(weights)
    # WorkingSets that are several phases long, and a consensus that outlives a working_set, and is
    # renewed.
    surveyed, held = ([len(rows) for rows in kind] for kind in zip(*bases, strict=True))
    assert len(whole) > len(set(held)) > len(set(surveyed)) > 1
    for cut in range(1, len(whole)):
        weights.clear()
        next(estimator.steps(x, y, done=whole[:cut]))
        np.testing.assert_array_equal(weights[0], unbroken[cut])
