"""Seeded random order of things by their ids, apart for every purpose."""

from __future__ import annotations

import hashlib

import numpy as np

from filtering.core.parts import UInt64s, identity_keys, mix
from filtering.core.table import Ids


def priorities(ids: Ids, *, seed: int, purpose: str) -> UInt64s:
    """Give every id a random number that hangs on (seed, purpose, id) and on nothing else.

    Parameters
    ----------
    ids : (n,) of int or str
        Equal ids get equal numbers, wherever they stand.
    seed : int, at least 0
    purpose : str
        What the order is for: draws for two purposes have nothing to do with each other.

    Returns
    -------
    uint64 (n,)

    Raises
    ------
    ValueError
        When two different ids share a key; see `identity_keys`.

    Examples
    --------
    >>> first = priorities(["a", "b"], seed=1, purpose="sample")
    >>> bool((first[::-1] == priorities(["b", "a"], seed=1, purpose="sample")).all())
    True
    """
    digest = hashlib.blake2b(f"{purpose} {seed}".encode(), digest_size=8).digest()
    key = np.frombuffer(digest, dtype="<u8").astype(np.uint64)[0]
    return mix(identity_keys(ids, name="ids") ^ key)
