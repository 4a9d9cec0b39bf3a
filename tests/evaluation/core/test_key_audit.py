"""Wrong keys that are planted among the answers of systems of known ability."""

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.core.key_audit import Finding, KeyFigures, audit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def answered(
    m: int, n: int, seed: int, *, wrong: int = 0, k: int = 2, spread: float = 1.2
) -> tuple[Ints, Ints]:
    """Return hits (m, n) of systems of spread ability, and the questions with a wrong key.

    A system knows the answer or guesses.
    """
    rng = np.random.default_rng(seed)
    ability = np.linspace(-spread, spread, m)
    slope, intercept = np.exp(rng.normal(0, 0.5, n)), rng.normal(1, 1.2, n)
    knows = rng.random((m, n)) < 1 / (1 + np.exp(-(np.outer(ability, slope) + intercept)))
    guess = rng.random((m, n)) < 1 / k
    planted = np.sort(rng.choice(n, wrong, replace=False))
    is_wrong = np.isin(np.arange(n), planted)
    return np.where(knows, ~is_wrong, guess).astype(int), planted


def answered_pairs(
    m: int, p: int, seed: int, *, wrong: int = 0, alike: float = 0.7, spread: float = 1.2
) -> tuple[Ints, Ints, Ints]:
    """Return hits (m, 2p) on pairs, each question's twin, and the questions with a wrong key.

    It is not the model of the audit: a system knows each twin or not, more often both or neither,
    and else follows an own preference for one of the options, or guesses.
    """
    rng = np.random.default_rng(seed)
    ability = np.linspace(-spread, spread, m)[:, None]
    easy = ability * np.exp(rng.normal(0, 0.4, p)) + rng.normal(0.3, 1.3, p)
    luck, twin = rng.logistic(size=(m, p)), rng.normal(0, 0.5, (2, p))
    lean = rng.normal(0, 1.2, p) + rng.normal(0, 0.6, p) * ability
    prefers = rng.random((m, p)) < 1 / (1 + np.exp(-lean))
    follows = rng.random((m, p)) < alike
    planted = np.sort(rng.choice(2 * p, wrong, replace=False))
    is_wrong = np.isin(np.arange(2 * p), planted)
    right = np.empty((m, 2 * p), dtype=int)
    for side in (0, 1):
        hit = np.where(follows, prefers == (side == 0), rng.random((m, p)) < 0.5)
        right[:, side::2] = np.where(luck < easy + twin[side], ~is_wrong[side::2], hit)
    return right, np.arange(2 * p) ^ 1, planted


def log_loss(figures: KeyFigures, planted: Ints) -> float:
    p, is_wrong = figures.probability, np.isin(np.arange(len(figures.probability)), planted)
    return float(-np.log(np.clip(np.where(is_wrong, p, 1 - p), 1e-9, 1)).mean())


def item_rest(right: Ints) -> Floats:
    """Return the correlation of each question with the sum of the others."""
    rest = right.sum(axis=1, keepdims=True) - right
    return np.array(
        [np.corrcoef(a, b)[0, 1] if a.std() else 0.0 for a, b in zip(right.T, rest.T, strict=True)]
    )


def first(values: Floats, n: int) -> Ints:
    return np.argsort(-values, kind="stable")[:n]


def test_planted_keys_are_suspected_and_no_others() -> None:
    right, planted = answered(40, 120, 0, wrong=6)
    found = audit(right)
    assert found.can_tell
    assert np.isin(np.flatnonzero(found.is_suspected), planted).mean() >= 0.8
    assert np.isin(first(found.evidence, 5), planted).all()
    assert found.share == pytest.approx(6 / 120, abs=0.03)


@pytest.mark.long
def test_ten_systems_find_more_than_a_correlation_with_the_rest() -> None:
    ours, plain = [], []
    for seed in range(12):
        right, planted = answered(10, 100, seed, wrong=5)
        ours.append(np.isin(first(audit(right).evidence, 5), planted).mean())
        plain.append(np.isin(first(-item_rest(right), 5), planted).mean())
    assert np.mean(ours) > np.mean(plain)


def test_of_several_options_a_wrong_key_is_seldom_hit() -> None:
    right, planted = answered(30, 100, 3, wrong=5, k=4)
    found = audit(right, n_options=4)
    assert np.isin(first(found.evidence, 5), planted).mean() >= 0.8
    assert np.isin(np.flatnonzero(found.is_suspected), planted).mean() >= 0.8


@pytest.mark.long
def test_systems_that_make_the_same_errors_are_one_witness() -> None:
    right, _ = answered(12, 150, 1, wrong=7)
    alone, copies = audit(right), audit(np.repeat(right, 5, axis=0))
    assert copies.weight.sum() <= 12.5
    assert alone.weight.mean() > 0.8
    assert copies.evidence[first(alone.evidence, 7)].max() < 2 * alone.evidence.max()


def test_a_question_that_only_the_best_miss_is_not_suspected() -> None:
    right, _ = answered(40, 120, 4)
    best = first(audit(right).ability, 4)
    right[:, 9] = 1
    right[best, 9] = 0
    found = audit(right)
    assert found.only_best_miss[9]
    assert not found.is_suspected[9]


def test_systems_that_know_nothing_cannot_tell() -> None:
    right = np.random.default_rng(0).integers(0, 2, size=(8, 60))
    found = audit(right)
    assert not found.can_tell
    assert not found.is_suspected.any()


@pytest.mark.long
def test_twins_tell_more_than_their_questions_alone() -> None:
    gains = []
    for seed in range(4):
        right, twins, planted = answered_pairs(24, 50, seed, wrong=6, alike=0.95)
        alone, together = audit(right), audit(right, twins=twins)
        assert np.isfinite(together.twin_evidence).all()
        gains.append(log_loss(alone, planted) - log_loss(together, planted))
    assert np.mean(gains) > 0


@pytest.mark.long
def test_without_twins_nothing_is_added() -> None:
    right, _ = answered(12, 40, 2, wrong=2)
    assert np.isnan(audit(right).twin_evidence).all()
    assert audit(right, twins=np.full(40, -1)).probability.tolist() == (
        audit(right).probability.tolist()
    )


@pytest.mark.long
def test_votes_against_a_key_and_for_it_move_its_probability() -> None:
    right, planted = answered(20, 60, 5, wrong=3)
    votes = np.full(60, 0.97)
    votes[planted[0]] = 0.03
    alone, found = audit(right), audit(right, people=votes)
    others = np.setdiff1d(np.arange(60), planted[:1])
    assert found.probability[planted[0]] > alone.probability[planted[0]]
    assert (found.people_evidence[others] < 0).all()


def test_votes_that_all_agree_with_the_keys_say_nothing() -> None:
    right, _ = answered(20, 60, 5, wrong=3)
    found = audit(right, people=np.full(60, 0.97))
    assert np.abs(found.people_evidence).max() < 1e-6


def test_who_is_split_is_told_apart() -> None:
    right, _ = answered(20, 60, 8)
    right[:, :2] = 1
    right[::2, 2:4] = 0
    right[1::2, 2:4] = 1
    votes = np.full(60, np.nan)
    votes[:4] = [0.97, 0.6, 0.97, 0.6]
    assert audit(right, people=votes).findings[:4] == (
        Finding.NOTHING, Finding.PEOPLE, Finding.MODELS, Finding.BOTH,
    )  # fmt: skip


def test_what_would_be_enough_is_said_and_grows_with_less_spread() -> None:
    right, _ = answered(6, 60, 0, spread=0.3)
    needed = [one for one in audit(right).needed if one.n_systems]
    assert needed
    assert all(one.low < one.high for one in needed)
    numbers = [one.n_systems or 0 for one in needed]
    assert numbers == sorted(numbers, reverse=True)


@pytest.mark.long
def test_the_stated_power_is_the_share_that_is_surely_found() -> None:
    found: list[KeyFigures] = []
    shares = []
    for seed in range(12):
        right, planted = answered(12, 120, seed, wrong=6)
        found.append(audit(right))
        shares.append((found[-1].probability[planted] >= 0.9).mean())
    assert np.mean([one.power for one in found]) == pytest.approx(np.mean(shares), abs=0.12)


def test_missing_answers_are_no_errors() -> None:
    right, planted = answered(40, 120, 6, wrong=5)
    right[np.random.default_rng(1).random(right.shape) < 0.25] = -1
    found = audit(right)
    assert np.isin(first(found.evidence, 4), planted).all()


def test_the_same_answers_give_the_same_figures() -> None:
    right, _ = answered(20, 60, 7, wrong=3)
    one, other = audit(right), audit(right)
    assert one.power == other.power
    assert one.probability.tolist() == other.probability.tolist()


@pytest.mark.parametrize(
    ("right", "n_options", "message"),
    [
        (np.ones((4, 9)), 2, "at least 5 systems"),
        (np.full((9, 9), 2), 2, "must have 1, 0, or -1"),
        (np.ones(9), 2, "array of systems and questions"),
        (np.ones((9, 9)), 1, "at least two options"),
    ],
)
def test_other_values_are_refused(right: Floats, n_options: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        audit(right, n_options=n_options)


@pytest.mark.parametrize(
    ("twins", "people", "message"),
    [
        ([1, 0, 3], None, "row of each question's twin"),
        ([1, 2, 0, -1], None, "each other's twin"),
        ([1, 0, -1, 4], None, "row of each question's twin"),
        (None, [0.5, 1.0, 0.5, 0.5], "between 0 and 1"),
        (None, [0.5], "between 0 and 1"),
    ],
)
def test_other_twins_and_votes_are_refused(
    twins: list[int] | None, people: list[float] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        audit(np.ones((5, 4)), twins=twins, people=people)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_probabilities_with_twins_are_calibrated() -> None:
    said, true, gains = [], [], []
    for seed in range(60):
        alike = (0.95, 0.7, 0.4)[seed % 3]
        right, twins, planted = answered_pairs(24, 60, 500 + seed, wrong=6, alike=alike)
        together = audit(right, twins=twins)
        gains.append(log_loss(audit(right), planted) - log_loss(together, planted))
        said.append(together.probability)
        true.append(np.isin(np.arange(120), planted))
    p, is_wrong = np.concatenate(said), np.concatenate(true)
    for low, high in ((0.0, 0.05), (0.05, 0.3), (0.3, 0.7), (0.7, 0.95), (0.95, 1.01)):
        chosen = (p >= low) & (p < high)
        assert p[chosen].mean() == pytest.approx(is_wrong[chosen].mean(), abs=0.2)
    assert np.mean(gains) > 1.96 * np.std(gains, ddof=1) / np.sqrt(len(gains))


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_probabilities_are_calibrated_and_sets_without_errors_are_seldom_flagged() -> None:
    said, true, flagged = [], [], []
    for seed in range(60):
        right, planted = answered(10, 120, seed, wrong=6)
        said.append(audit(right).probability)
        true.append(np.isin(np.arange(120), planted))
    for seed in range(200):
        flagged.append(audit(answered(15, 100, 1000 + seed)[0]).is_suspected.sum())
    p, is_wrong = np.concatenate(said), np.concatenate(true)
    for low, high in ((0.0, 0.05), (0.05, 0.3), (0.3, 0.7), (0.7, 0.95), (0.95, 1.01)):
        chosen = (p >= low) & (p < high)
        assert p[chosen].mean() == pytest.approx(is_wrong[chosen].mean(), abs=0.2)
    assert np.mean(np.array(flagged) > 0) <= 0.1


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_sets_of_twins_without_errors_are_seldom_flagged() -> None:
    flagged = []
    for seed in range(200):
        alike = (0.95, 0.7, 0.4)[seed % 3]
        right, twins, _ = answered_pairs(24, 50, 2000 + seed, alike=alike)
        flagged.append(audit(right, twins=twins).is_suspected.any())
    assert np.mean(flagged) <= 0.1
