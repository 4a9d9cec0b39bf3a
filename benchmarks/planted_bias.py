"""Sets of which it is known which rows give their label away, how, and how strongly."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Form = Literal["one", "several", "xor"]
SEVERAL = 16
# Twins have nearly the same features: this much of a standard deviation apart.
APART = 0.1


@dataclass(frozen=True)
class Planted:
    """Features float32 (n, d), labels and bias bool (n,), groups int (n,)."""

    X: NDArray[np.float32]
    y: NDArray[np.bool_]
    groups: NDArray[np.int64]
    biased: NDArray[np.bool_]

    @property
    def paired(self) -> NDArray[np.bool_]:
        _, of_row, sizes = np.unique(self.groups, return_inverse=True, return_counts=True)
        return sizes[of_row] > 1


def plant(
    n: int,
    d: int,
    *,
    share: float,
    strength: float,
    form: Form = "one",
    paired: float = 0.0,
    apart: float = APART,
    positive: float = 0.5,
    seed: int = 0,
) -> Planted:
    """Draw rows of independent normal features, some of which hold a cue to their label.

    ``one``: the first feature is moved by ``strength`` standard deviations towards the label.
    ``several``: one of sixteen features, drawn for each row. ``xor``: two features are moved, and
    only the product of their signs tells the label. ``paired`` of the rows are twins with nearly
    one vector (``apart`` standard deviations from it) and opposite labels; both are biased or
    neither. ``positive`` is the share of the unpaired rows with the label True.
    """
    rng = np.random.default_rng(seed)
    n_pairs = int(n * paired / 2)
    groups = np.concatenate([np.repeat(np.arange(n_pairs), 2), np.arange(n_pairs, n - n_pairs)])
    n_groups = n - n_pairs
    y = np.concatenate([np.tile([False, True], n_pairs), rng.random(n - 2 * n_pairs) < positive])
    X = rng.standard_normal((n_groups, d), dtype=np.float32)[groups]  # noqa: N806
    X[: 2 * n_pairs] += apart * rng.standard_normal((2 * n_pairs, d), dtype=np.float32)
    is_biased = np.zeros(n_groups, dtype=bool)
    is_biased[rng.choice(n_groups, round(share * n_groups), replace=False)] = True
    rows = np.flatnonzero(is_biased[groups])
    sign = np.where(y[rows], 1, -1)
    if form == "xor":
        side = rng.choice([-1, 1], len(rows))
        X[rows, 0] += strength * side
        X[rows, 1] += strength * side * sign
    else:
        where = rng.integers(0, SEVERAL, n_groups)[groups[rows]] if form == "several" else 0
        X[rows, where] += strength * sign
    return Planted(X, y, groups, is_biased[groups])
