"""Repeats in simulated sets: a nearest neighbour reads them after "neutral" and "no bias"."""

import numpy as np
import pytest

from collection.core.repeats import RepeatTable
from filtering.core.aflite import AFLite
from filtering.core.fresh import deal_folds
from stats.keys import identity_keys

SHARE, OTHER_LABEL = 0.2, 0.1


def with_repeats(*, n: int, biased: float, other: float, seed: int):
    """Return features, labels and the number of each row's question: a fifth repeat another one."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    x = rng.normal(size=(n, 24))
    x[: int(biased * n), 0] += 2 * (2 * y[: int(biased * n)] - 1)
    copied = rng.choice(n, int(SHARE * n), replace=False)
    flipped = rng.random(len(copied)) < other
    rows = np.concatenate([np.arange(n), copied])
    labels = np.concatenate([y, np.where(flipped, 1 - y[copied], y[copied])])
    return x[rows].astype(np.float32), labels, rows


def neighbour_accuracy(x, y, ids) -> float:
    """The accuracy of the nearest neighbour in the other folds."""
    folds = deal_folds(identity_keys(ids, name="ids"), y == 1, seed=5, purpose="neighbours")
    distances = (x**2).sum(axis=1)[None, :] - 2 * x @ x.T
    distances[folds[:, None] == folds[None, :]] = np.inf
    return float((y[distances.argmin(axis=1)] == y).mean())


def filtered(x, y):
    found = AFLite(n=8, device="cpu").fit(x, y)
    return found.support_, found.stop_reason_


def table_of(rows, y) -> RepeatTable:
    table = RepeatTable()
    for row, label in zip(rows, y, strict=True):
        text = f"The cup no. {row} hit the jar, so _ broke."
        table.add(text, options=("cup", "jar"), answer=1 + label, group=str(len(table)))
    return table


@pytest.mark.long
@pytest.mark.parametrize(
    ("biased", "n", "seeds"),
    [(0, 600, 4), (0.1, 600, 4), pytest.param(0.1, 3000, 20, marks=pytest.mark.long)],
)
def test_a_neighbour_reads_repeats_until_they_are_left_out(
    biased: float, n: int, seeds: int
) -> None:
    read, left = [], []
    for seed in range(seeds):
        x, y, rows = with_repeats(n=n, biased=biased, other=OTHER_LABEL, seed=seed)
        kept, stopped = filtered(x, y)
        assert stopped in ("no_bias", "neutral")
        table = table_of(rows, y)
        assert table.count(kept).repeated > 0.2 * kept.sum()  # what the page says beside it
        read.append(neighbour_accuracy(x[kept], y[kept], np.flatnonzero(kept)))
        stays = ~table.later_copies()
        kept, _ = filtered(x[stays], y[stays])
        left.append(neighbour_accuracy(x[stays][kept], y[stays][kept], np.flatnonzero(stays)[kept]))
    print(f"with {np.mean(read):.3f}, without {np.mean(left):.3f}")
    assert np.mean(read) > 0.57
    assert abs(np.mean(left) - 0.5) < 2 / np.sqrt(n * seeds)


def test_repeats_with_the_other_label_are_counted_as_such() -> None:
    x, y, rows = with_repeats(n=1000, biased=0, other=1, seed=0)
    found = table_of(rows, y).count()
    assert (found.repeated, found.same_answer, found.other_answer) == (400, 0, 400)
    assert neighbour_accuracy(x, y, np.arange(len(y))) < 0.43
