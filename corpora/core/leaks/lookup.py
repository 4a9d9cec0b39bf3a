"""Tables by the hash of a text, with some tens of bytes for each row."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

UInt64s = NDArray[np.uint64]
BATCH = 10_000


def key_of_text(*texts: str) -> int:
    """Return a 64-bit hash of texts."""
    digest = hashlib.blake2b("\0".join(texts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


@dataclass(frozen=True, slots=True)
class Lookup:
    """Rows of 64-bit numbers by a key.

    Parameters
    ----------
    keys : uint64 (n,)
        Sorted; of equal ones the first counts.
    values : uint64 (n, k)
    """

    keys: UInt64s
    values: UInt64s

    @classmethod
    def of(
        cls, rows: Iterable[tuple[int, ...]], *, width: int, wanted: UInt64s | None = None
    ) -> Lookup:
        """Store rows of a key and ``width`` values; only those with a *wanted* key, if given."""
        parts = [_only(part, wanted) for part in _tables(rows, 1 + width)]
        table = np.concatenate([np.empty((0, 1 + width), dtype=np.uint64), *parts])
        table = table[np.argsort(table[:, 0], kind="stable")]
        return cls(table[:, 0], table[:, 1:])

    def get(self, key: int) -> tuple[int, ...] | None:
        """Return the values of a key, or None."""
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        if place == len(self.keys) or int(self.keys[place]) != key:
            return None
        return tuple(self.values[place].tolist())


def keys_of(keys: Iterable[int]) -> UInt64s:
    """Return the different keys, sorted: 8 bytes each."""
    return np.unique(np.fromiter(keys, dtype=np.uint64))


def _tables(rows: Iterable[tuple[int, ...]], columns: int) -> Iterator[UInt64s]:
    left = iter(rows)
    while batch := list(islice(left, BATCH)):
        yield np.array(batch, dtype=np.uint64).reshape(-1, columns)


def _only(table: UInt64s, wanted: UInt64s | None) -> UInt64s:
    return table if wanted is None else table[np.isin(table[:, 0], wanted)]
