"""Assign twins to train, dev and test as they arrive over the life of a campaign."""

import math
import random
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class DealBalance:
    """The balance of earlier deals, in twins: requested minus dealt; negative if too many.

    Parameters
    ----------
    dev, test : float
    """

    dev: float = 0.0
    test: float = 0.0


def deal(
    strata: Sequence[Hashable], *, dev: float, test: float, owed: DealBalance, rng: random.Random
) -> list[str]:
    """Deal units to the splits so that over all deals each split gets its share.

    A split gets its share of the units plus *owed*, rounded up or down at random so that its
    expected size is exact. So after any number of deals of any size a split is less than two units
    from its share, and in one deal each stratum is less than three units from it. Each unit of a
    deal has the same chance of each split.

    Parameters
    ----------
    strata : sequence of hashable
        The stratum of each unit.
    dev, test : float in [0, 1), together below 1
    owed : Owed
    rng : random.Random
        ``random.SystemRandom`` if the splits must be unpredictable.

    Returns
    -------
    list of str
        'train', 'dev' or 'test' of each unit.

    Raises
    ------
    ValueError
        When a share is out of range, or nothing is left for training.

    Notes
    -----
    *Source*: systematic sampling with a random start (Madow, 1949): over splits for their sizes,
    then over units, sorted by stratum, for their places. Strata and the units in each are in random
    order.

    Examples
    --------
    >>> rng, owed = random.Random(0), DealBalance()
    >>> sorted(deal("a" * 10, dev=0.1, test=0.2, owed=owed, rng=rng))[:4]
    ['dev', 'test', 'test', 'train']
    """
    for name, share in (("dev", dev), ("test", test)):
        if not 0 <= share < 1:
            raise ValueError(f"{name} must be at least 0 and below 1, got {share!r}")
    if dev + test >= 1:
        raise ValueError(f"dev + test must be below 1, got {dev + test!r}")
    n = len(strata)
    for_dev, for_test = max(0.0, n * dev + owed.dev), max(0.0, n * test + owed.test)
    fits = min(1.0, n / (for_dev + for_test)) if for_dev + for_test else 1.0
    start = rng.random()
    n_test = min(n, math.floor(for_test * fits + start))
    n_held = min(n, math.floor((for_test + for_dev) * fits + start))
    held = _spread(_by_stratum(strata, rng), n_held, rng)
    blind = set(_spread(held, n_test, rng))
    splits = ["train"] * n
    for unit in held:
        splits[unit] = "test" if unit in blind else "dev"
    return splits


def _by_stratum(strata: Sequence[Hashable], rng: random.Random) -> list[int]:
    units = list(range(len(strata)))
    rng.shuffle(units)
    # The order of the strata is random too: that in which the shuffled units show them.
    places: dict[Hashable, int] = {}
    for unit in units:
        places.setdefault(strata[unit], len(places))
    return sorted(units, key=lambda unit: places[strata[unit]])


def _spread(units: Sequence[int], k: int, rng: random.Random) -> list[int]:
    """Choose *k* of *units* at equal distances from a random start."""
    start = rng.random()
    return [units[min(len(units) - 1, int((j + start) * len(units) / k))] for j in range(k)]


def groups(members: Sequence[T], links: Iterable[Collection[T]]) -> list[list[T]]:
    """Group members that are linked, directly or through others.

    Parameters
    ----------
    members : sequence of hashable, distinct
    links : iterable of collections
        Members of one group. Other elements than *members* connect groups and are not returned.

    Returns
    -------
    list of list
        Each member once; groups and members in the order of *members*.

    Examples
    --------
    >>> groups("abcd", ["ac", "cx", "xd"])
    [['a', 'c', 'd'], ['b']]
    """
    links = [list(link) for link in links]
    head = {member: member for member in [*members, *chain.from_iterable(links)]}

    def find(member: T) -> T:
        while head[member] != member:
            head[member] = member = head[head[member]]
        return member

    for link in links:
        for one, other in pairwise(link):
            head[find(other)] = find(one)
    by_root: dict[T, list[T]] = {}
    for member in members:
        by_root.setdefault(find(member), []).append(member)
    return list(by_root.values())
