"""Wrong keys that are planted among the answers of systems of known ability."""

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.core.key_audit import KeyAudit, audit

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


def test_the_stated_power_is_the_share_that_is_found() -> None:
    found: list[KeyAudit] = []
    shares = []
    for seed in range(12):
        right, planted = answered(12, 120, seed, wrong=6)
        found.append(audit(right))
        shares.append((found[-1].probability[planted] >= 0.5).mean())
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
