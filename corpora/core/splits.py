"""Random train, dev and test splits of whole twins."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stats.keys import PhaseKeys, fill_up, identity_keys, mix


def split_twins(
    twins: Sequence[Hashable] | NDArray[Any], *, dev: float, test: float, seed: int
) -> NDArray[np.str_]:
    """Assign rows to the splits, whole twins at a time.

    Twins are taken in a random order keyed by (seed, twin): first to test until its share of the
    rows is full, then to dev, the rest to train. A pair that would overfill a split is skipped
    there, so a split is short of its size only when no unpaired question is left to fill it.

    Parameters
    ----------
    twins : (n_rows,) of int or str
        Rows with the same value stay together; an unpaired question has a value of its own.
    dev, test : float in [0, 1), together below 1
        Shares of the rows; the size of a split is ``round(share * n_rows)`` rows.
    seed : int, at least 0
        The order of the rows does not matter.

    Returns
    -------
    str (n_rows,)
        'train', 'dev' or 'test'.

    Raises
    ------
    ValueError
        When a share is out of range, or both leave nothing to train on.
    """
    for name, share in (("dev", dev), ("test", test)):
        if not 0 <= share < 1:
            raise ValueError(f"{name} must be at least 0 and below 1, got {share!r}")
    if dev + test >= 1:
        raise ValueError(f"dev + test must be below 1, got {dev + test!r}")
    if len(twins) == 0:
        return np.array([], dtype=np.str_)
    keys, twin_of_row, sizes = np.unique(
        identity_keys(twins, name="twins"), return_inverse=True, return_counts=True
    )
    order = np.argsort(mix(keys ^ PhaseKeys.of(seed=seed, phase=0, n=0).tie))
    split = np.full(len(keys), "train")
    for name, share in (("test", test), ("dev", dev)):
        waiting = order[split[order] == "train"]
        taken = fill_up(sizes[waiting], room=round(share * len(twins)))
        split[waiting[taken]] = name
    return np.asarray(split[twin_of_row], dtype=np.str_)
