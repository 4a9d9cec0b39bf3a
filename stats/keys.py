"""Random draws keyed by identity, for sampling and for breaking ties.

A draw depends only on a seed, a purpose and an id. So the order of rows, the number of threads and
a restart cannot change it, and no random state has to be stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = Sequence[Any] | NDArray[Any]
UInt64s = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class PhaseKeys:
    """The random keys of one phase: one for ties, one per member of the ensemble."""

    tie: np.uint64
    members: UInt64s  # (n,)

    @classmethod
    def of(cls, *, seed: int, phase: int, n: int) -> PhaseKeys:
        """Draw the keys of a phase from ``default_rng([seed, phase])``."""
        keys = np.random.default_rng([seed, phase]).integers(0, 2**64, size=n + 1, dtype=np.uint64)
        return cls(tie=keys[0], members=keys[1:])


def mix(values: UInt64s) -> UInt64s:
    """Hash 64-bit values with a bijection, so that distinct values stay distinct.

    Source: the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
    generators, 2014).
    """
    z = values + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def identity_keys(ids: Ids, *, name: str) -> UInt64s:
    """Return a 64-bit key for each id, the same in every run and on every machine.

    Parameters
    ----------
    ids : sequence of int or str, length n
        Integers are hashed by `mix`; other values by BLAKE2b of their ``str``.
    name : str
        The argument's name in error messages.

    Returns
    -------
    uint64 (n,)
        Equal ids have equal keys.

    Raises
    ------
    ValueError
        When two different ids have the same key: with probability 1 in 30 million for a million
        texts, and always for 1 and "1".
    """
    array = np.asarray(ids)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}")
    if array.dtype.kind in "iu":
        return mix(array.astype(np.uint64))
    texts = [str(value) for value in ids]
    digests = b"".join(hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts)
    keys = np.frombuffer(digests, dtype="<u8").astype(np.uint64)
    # Ids of different types, such as 1 and "1", have the same text.
    if len(np.unique(keys)) < len(set(ids)):
        raise ValueError(f"{name} has two ids with the same key; rename one of them")
    return keys


def priorities(ids: Ids, *, seed: int, purpose: str) -> UInt64s:
    """Return a random number for each id that depends only on (seed, purpose, id).

    Parameters
    ----------
    ids : (n,) of int or str
        Equal ids get equal numbers, whatever their position.
    seed : int, at least 0
    purpose : str
        What the order is used for: draws for different purposes are independent.

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


def fill_up(sizes: NDArray[np.intp], *, room: int) -> NDArray[np.bool_]:
    """Select items in order while they fit into ``room``, skipping those that do not.

    Parameters
    ----------
    sizes : int (n,), each at least 1
    room : int

    Returns
    -------
    bool (n,)
        The items selected; their sizes sum to at most ``room``.
    """
    taken = np.zeros(len(sizes), dtype=bool)
    waiting = np.flatnonzero(sizes <= room)
    while len(waiting):
        fits = np.cumsum(sizes[waiting]) <= room
        first_too_big = len(waiting) if fits.all() else int(np.argmin(fits))
        chosen = waiting[:first_too_big]
        taken[chosen] = True
        room -= int(sizes[chosen].sum())
        waiting = waiting[first_too_big:]
        waiting = waiting[sizes[waiting] <= room]
    return taken
