"""Five folds in which twins are never apart."""

import hashlib
from collections.abc import Iterable

N_FOLDS = 5


def folds_of(groups: Iterable[str]) -> dict[str, int]:
    """Return the fold of each group, from 0 to 4.

    Groups are dealt in the order of their SHA-256, so folds differ by one group at most, and
    anyone can deal them again.

    >>> sorted(folds_of(["a", "b", "c", "d", "e", "a"]).values())
    [0, 1, 2, 3, 4]
    """
    different = sorted(set(groups), key=lambda group: hashlib.sha256(group.encode()).digest())
    return {group: place % N_FOLDS for place, group in enumerate(different)}
