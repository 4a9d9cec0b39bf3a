"""The order of training: batches of questions of similar length, drawn again in each epoch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

POOL = 50  # batches; questions are sorted by length within a pool
FEWEST_POOLS = 4  # so that a small set is not cut into the same batches in each epoch


def batches(lengths: Sequence[int], *, size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
    """Return the positions of the questions of each batch of an epoch.

    Parameters
    ----------
    lengths : sequence of int, length n
        The longest option of each question, in tokens.
    size : int
        Questions in a batch; the last of those cut has the rest.
    seed, epoch : int
        The order comes from ``default_rng([seed, epoch])``.

    Returns
    -------
    list of ceil(n / size) int64 arrays
        Together each position once. The questions are shuffled, then sorted by length within
        pools of up to 50 batches, at least four pools where there are as many batches, and the
        batches are shuffled.

    Examples
    --------
    >>> [sorted(batch.tolist()) for batch in batches([3, 3, 9, 9], size=4, seed=0, epoch=1)]
    [[0, 1, 2, 3]]
    """
    draw = np.random.default_rng([seed, epoch])
    order = draw.permutation(len(lengths))
    of_pool = size * max(1, min(POOL, len(order) // (FEWEST_POOLS * size)))
    each = np.asarray(lengths)
    for start in range(0, len(order), of_pool):
        pool = order[start : start + of_pool]
        order[start : start + of_pool] = pool[np.argsort(-each[pool], kind="stable")]
    rows = [order[start : start + size] for start in range(0, len(order), size)]
    return [rows[number] for number in draw.permutation(len(rows))]
