"""How much runs agree, against sets, SciPy and chance itself."""

from itertools import combinations
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import pearsonr, spearmanr

from filtering.core.aflite import AFLite
from filtering.core.comparing import Correlation, Outcome, Overlap, ScoreRanks, compare, stability

MASKS = st.integers(1, 40).flatmap(
    lambda n: st.tuples(*[st.lists(st.booleans(), min_size=n, max_size=n)] * 2)
)


def phases_of(found: AFLite) -> list[Any]:
    """Each phase as the platform stores it."""
    return [
        np.stack([p.rows, p.correct, p.held_out, np.isin(p.rows, p.removed)]).astype(np.int32)
        for p in found.phases_
    ]


@pytest.fixture(scope="module")
def fitted() -> list[AFLite]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    x = rng.normal(size=(120, 4))
    x[::3, 0] += 5 * (2 * y[::3] - 1)
    return [AFLite(stop="published", n=6, m=40, k=10, seed=seed).fit(x, y) for seed in (1, 2)]


@pytest.fixture(scope="module")
def outcomes(fitted: list[AFLite]) -> list[Outcome]:
    return [Outcome.of(120, phases_of(found)) for found in fitted]


def random_outcome(seed: int, n: int = 50) -> Outcome:
    rng = np.random.default_rng(seed)
    first, mean = rng.integers(0, 9, (2, n)).astype(np.float32) / 8
    first[rng.random(n) < 0.2] = np.nan
    return Outcome(rng.random(n) < 0.6, first, mean)


# -- one run ---------------------------------------------------------------------------------------
@pytest.mark.long
def test_an_outcome_says_of_each_row_what_the_phases_say(
    fitted: list[AFLite], outcomes: list[Outcome]
) -> None:
    for found, outcome in zip(fitted, outcomes, strict=True):
        assert (outcome.kept == found.support_).all()
        for row in range(120):
            scores = [
                phase.scores[list(phase.rows).index(row)]
                for phase in found.phases_
                if row in phase.rows
            ]
            assert np.allclose(outcome.first[row], scores[0], equal_nan=True)
            known = [score for score in scores if not np.isnan(score)]
            assert np.allclose(outcome.mean[row], np.mean(known) if known else np.nan)


def test_a_row_that_nobody_held_out_has_no_score_and_a_control_has_none_at_all() -> None:
    seen_once = [[[0, 1], [0, 3], [0, 4], [0, 1]], [[0], [1], [2], [0]]]
    outcome = Outcome.of(2, [np.array(phase) for phase in seen_once])
    assert np.isnan(outcome.first[0])
    assert (outcome.mean[0], outcome.first[1], outcome.kept.tolist()) == (0.5, 0.75, [True, False])
    control = Outcome.of(3, [np.array([[0, 1, 2], [0, 0, 0], [0, 0, 0], [1, 0, 0]])])
    assert np.isnan(control.mean).all()
    assert control.kept.tolist() == [False, True, True]


# -- two runs --------------------------------------------------------------------------------------
@given(MASKS)
def test_overlap_is_that_of_sets(masks: tuple[list[bool], list[bool]]) -> None:
    a, b = ({row for row, kept in enumerate(mask) if kept} for mask in masks)
    found = Overlap.of(*(np.array(mask) for mask in masks))
    assert (found.both, found.either) == (len(a & b), len(a | b))
    assert found.jaccard == (len(a & b) / len(a | b) if a | b else None)
    assert found.of_smaller == (len(a & b) / min(len(a), len(b)) if a and b else None)


def test_the_overlap_by_chance_is_what_random_sets_have() -> None:
    rng, a = np.random.default_rng(0), np.arange(1000) < 300
    found = [Overlap.of(a, rng.permutation(1000) < 600) for _ in range(400)]
    for name in ("both", "jaccard", "of_smaller"):
        mean = np.mean([getattr(one, name) for one in found])
        assert mean == pytest.approx(getattr(found[0], f"{name}_by_chance"), rel=0.01)


def test_correlation_is_scipys_over_the_rows_scored_in_both() -> None:
    a, b = random_outcome(1), random_outcome(2)
    both = ~(np.isnan(a.first) | np.isnan(b.first))
    found = Correlation.of(a.first_scored, b.first_scored)
    assert found.n == both.sum() < 50
    assert found.pearson == pytest.approx(pearsonr(a.first[both], b.first[both])[0])
    assert found.spearman == pytest.approx(spearmanr(a.first[both], b.first[both])[0])


@pytest.mark.parametrize(
    "scores", [[[0.1, 0.2], [0.2, 0.1]], [[0.1] * 9, np.arange(9) / 9], [[np.nan] * 9, [0.5] * 9]]
)
def test_too_few_rows_or_no_spread_give_no_coefficient(scores: list[Any]) -> None:
    found = Correlation.of(*(ScoreRanks.of(np.array(one, dtype=np.float32)) for one in scores))
    assert (found.pearson, found.spearman) == (None, None)


def test_scores_are_ranked_once_a_run_and_again_only_beside_other_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counting = Mock(wraps=stats.rankdata)
    monkeypatch.setattr(stats, "rankdata", counting)
    scores, kept = np.random.default_rng(0).random((4, 50), dtype=np.float32), np.ones(50, bool)
    runs = [Outcome(kept, one, 1 - one) for one in scores]
    for a, b in combinations(runs, 2):
        assert compare(a, b).first.n == 50
    assert counting.call_count == 2 * len(runs)
    fewer = Outcome(kept, np.where(np.arange(50) < 30, scores[0], np.nan), scores[0])
    assert compare(fewer, runs[1]).first.n == 30
    assert counting.call_count == 2 * len(runs) + 2 + 1  # its own two, the other's over its rows


def test_a_run_agrees_with_itself_wholly_and_with_its_opposite_not_at_all() -> None:
    run = random_outcome(3)
    opposite = Outcome(~run.kept, 1 - run.first, 1 - run.mean)
    itself, other = compare(run, run), compare(run, opposite)
    assert (itself.same, itself.kappa, itself.mean.spearman) == (1.0, 1.0, pytest.approx(1.0))
    assert (other.same, other.kept.both, other.first.pearson) == (0.0, 0, pytest.approx(-1.0))
    assert other.kappa is not None
    assert other.kappa < 0


def test_kappa_is_nothing_for_independent_runs_however_much_they_keep() -> None:
    rng = np.random.default_rng(0)
    runs = [Outcome(rng.random(20_000) < 0.95, *np.full((2, 20_000), np.nan)) for _ in range(2)]
    found = compare(*runs)
    assert found.same is not None
    assert found.same > 0.89
    assert found.kappa == pytest.approx(0, abs=0.03)
    everything = Outcome(np.ones(5, dtype=bool), *np.full((2, 5), np.nan))
    assert (compare(everything, everything).same, compare(everything, everything).kappa) == (
        1,
        None,
    )


@pytest.mark.parametrize("seed", range(3))
def test_neither_the_order_of_rows_nor_of_runs_matters(seed: int, outcomes: list[Outcome]) -> None:
    order = np.random.default_rng(seed).permutation(120)
    a, b = outcomes
    c, d = (Outcome(o.kept[order], o.first[order], o.mean[order]) for o in outcomes)
    assert compare(c, d).kept == compare(b, a).kept
    for name in ("first", "mean"):
        here, there = getattr(compare(a, b), name), getattr(compare(d, c), name)
        assert here.n == there.n
        assert here.pearson == pytest.approx(there.pearson)
        assert here.spearman == pytest.approx(there.spearman)


def test_runs_over_other_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="same rows, got 50 and 40"):
        compare(random_outcome(1), random_outcome(1, n=40))


# -- several runs ----------------------------------------------------------------------------------
def test_each_row_is_counted_by_the_runs_that_keep_it() -> None:
    kept = [random_outcome(seed).kept for seed in range(4)]
    found = stability(kept)
    times = [sum(bool(mask[row]) for mask in kept) for row in range(50)]
    assert found.rows == tuple(times.count(number) for number in range(5))
    assert found.always + found.never + found.wavering == 50
    assert stability(kept[::-1]).rows == found.rows


def test_chance_spreads_the_rows_as_independent_runs_do() -> None:
    rng = np.random.default_rng(0)
    found = stability([rng.random(50_000) < share for share in (0.2, 0.5, 0.9)])
    assert found.rows == pytest.approx(found.by_chance, rel=0.05)
    assert sum(found.by_chance) == pytest.approx(50_000)


def test_one_run_has_no_stability() -> None:
    with pytest.raises(ValueError, match="at least two masks"):
        stability([np.ones(3, dtype=bool)])
