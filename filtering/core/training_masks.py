"""Random training sets of ensemble members, keyed by the rows' ids."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
from numpy.typing import NDArray

from stats.keys import UInt64s, fill_up, mix


def training_masks(
    keys: UInt64s, *, m: int, members: UInt64s, units: NDArray[np.intp] | None = None
) -> NDArray[np.bool_]:
    """Draw the training set of every ensemble member.

    Parameters
    ----------
    keys : uint64 (n_rows,) or (n_units,)
        Distinct keys of the rows, or of the groups when ``units`` is given.
    m : int
        Size of a training set, below the number of rows.
    members : uint64 (n,)
        `PhaseKeys.members`.
    units : int (n_rows,), optional
        Each row's group as an index into ``keys``. Groups are then taken whole, in the order of
        their draw; one that no longer fits is skipped. A training set has fewer than m rows only
        when no group left is small enough, and never more.

    Returns
    -------
    bool (n_rows, n)
        True where a row is in a member's training set.

    Source: WinoGrande §3, Algorithm 1, line 6. Departure: with ``units``, groups stay whole.
    """
    sizes = None if units is None else np.bincount(units, minlength=len(keys))

    def draw(member: np.uint64) -> NDArray[np.bool_]:
        random_keys = mix(keys ^ member)
        if units is None or sizes is None:
            # Draws are distinct, so exactly m of them are at most the m-th.
            return np.asarray(random_keys <= _smallest(random_keys, m))
        order = np.argsort(random_keys)
        return fill_up(sizes[order], room=m)[np.argsort(order)][units]

    with ThreadPoolExecutor(joblib.cpu_count()) as pool:
        return np.stack(list(pool.map(draw, members)), axis=1)  # (n_rows, n)


def _smallest(random_keys: UInt64s, m: int) -> np.uint64:
    """Return the m-th smallest of random keys (n,)."""
    # Draws are uniform, so it is nearly always below this share of their range; partitioning only
    # those takes a third of the time.
    share = (m + 4 * m**0.5) / len(random_keys)
    low = random_keys[random_keys < np.uint64(share * 2.0**64)] if share < 1 else random_keys
    among = random_keys if len(low) < m else low
    return np.uint64(np.partition(among, m - 1)[m - 1])
