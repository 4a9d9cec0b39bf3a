"""Confidence, variability and correctness, and the planted label errors that they find."""

import numpy as np
import pytest

from tests.modeling.planted_errors import share_found
from training.core.seeds import Region, cartography, regions


def test_a_hand_computed_map():
    # Three epochs, four questions; means and standard deviations by hand.
    found = cartography(
        [[0.9, 0.2, 0.1, 0.5], [0.9, 0.5, 0.1, 0.5], [0.9, 0.8, 0.4, 0.5]],
        [[1, 0, 0, 1], [1, 1, 0, 0], [1, 1, 0, 0]],
    )
    assert found.confidence == pytest.approx([0.9, 0.5, 0.2, 0.5])
    assert found.variability == pytest.approx([0, 0.06**0.5, 0.02**0.5, 0])
    assert found.correctness == pytest.approx([1, 2 / 3, 0, 1 / 3])
    assert found.n_epochs == 3
    assert found.hardest_first.tolist() == [2, 3, 1, 0]
    assert regions(found) == [(Region.EASY,), (Region.AMBIGUOUS,), (Region.HARD,), ()]


def test_each_region_is_a_third_as_in_the_paper_whatever_the_model_has_learned():
    rng = np.random.default_rng(0)
    probability = 0.9 + 0.1 * rng.random((6, 300))  # all answers are right in every epoch
    of = regions(cartography(probability, probability > 0.5))
    assert [sum(region in one for one in of) for region in Region] == [100, 100, 100]
    assert {len(one) for one in of} == {0, 1, 2}
    assert not any({Region.EASY, Region.HARD} <= set(one) for one in of)


def test_hard_questions_are_the_first_of_the_ranking_and_equal_ones_keep_their_order():
    found = cartography(np.full((2, 9), 0.4), np.zeros((2, 9)))
    assert [row for row, of in enumerate(regions(found)) if Region.HARD in of] == [0, 1, 2]
    assert [regions(cartography(np.ones((2, n)), np.ones((2, n)))) for n in (0, 1)] == [[], [()]]


@pytest.mark.parametrize(
    ("probability", "right", "message"),
    [
        ([[0.5]], [[1]], "at least 2 epochs"),
        ([0.5, 0.5], [1, 1], r"must be \(n_epochs, n\)"),
        ([[0.5], [1.5]], [[1], [1]], r"in \[0, 1\]"),
        ([[0.5], [np.nan]], [[1], [1]], r"in \[0, 1\]"),
        ([[0.5], [0.5]], [[1]], r"must be \(n_epochs, n\)"),
    ],
)
def test_misuse_is_refused(probability, right, message):
    with pytest.raises(ValueError, match=message):
        cartography(probability, right)


def dynamics(seed, *, learnable, n=1200, width=20, epochs=6):
    """Train a linear model of two options, a tenth of whose labels are wrong.

    Returns the map and the planted errors. A control has labels that follow from nothing.
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, width))
    noise = rng.logistic(size=n) if learnable else rng.logistic(scale=1e9, size=n)
    label = np.where(3 * x[:, :5].sum(axis=1) + noise > 0, 1, -1)
    planted = rng.random(n) < 0.1
    label[planted] *= -1
    weights = np.zeros(width)
    probabilities = np.zeros((epochs, n))
    for epoch in range(epochs):
        for rows in np.array_split(rng.permutation(n), n // 16):
            right = 1 / (1 + np.exp(-label[rows] * (x[rows] @ weights)))
            probabilities[epoch, rows] = right
            weights += 0.05 * ((1 - right) * label[rows]) @ x[rows]
    return cartography(probabilities, probabilities > 0.5), planted


def test_planted_label_errors_are_among_the_hardest_where_something_is_learned():
    shares = [share_found(*dynamics(seed, learnable=True), offered=120) for seed in range(10)]
    assert np.mean(shares) > 0.6  # a random choice finds 0.1
    assert min(shares) > 0.45
    wider = [share_found(*dynamics(seed, learnable=True), offered=240) for seed in range(10)]
    assert np.mean(wider) > 0.8


def test_nothing_is_found_where_nothing_can_be_learned():
    shares = [share_found(*dynamics(seed, learnable=False), offered=120) for seed in range(10)]
    assert 0.05 < np.mean(shares) < 0.16
