"""Rows of `benchmarks.coverage`: figures of systems, with a known truth.

The two questions of a pair have a part of their difficulty in common; occupations, of which each
has several sentences, too. "Before" is a dash: these intervals have not changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from benchmarks.coverage_models import CURVES, NO_LAW, PEOPLE, measured, size_of
from benchmarks.coverage_rows import Interval, Note, Pair, Row, holds
from corpora.core.metrics import accuracy, group_score
from evaluation.core.bias import gotcha_gaps, stereotype_gaps
from evaluation.core.comparison import ALPHA, compare
from evaluation.core.consistency import consistency
from evaluation.core.leaderboard import noise, score, shape_of, with_interval
from training.core.reach import reach
from training.core.seeds import seeds

Floats = NDArray[np.float64]
Right = NDArray[np.bool_]

QUESTIONS, SKILLS = (100, 300, 1000), (0.55, 0.7, 0.9)
GROUP_SD, OWN_SD = 1.0, 0.7  # of the difficulty of questions, on a logit scale
OCCUPATIONS, GAP = 60, 0.15  # as in Winogender; the difference between the two sides
MANY = 200_000  # draws of difficulty from which a truth is computed


def chances(rng: np.random.Generator, groups: NDArray[np.int64], skill: Floats | float) -> Floats:
    """Return the probability of each right answer, (n,)."""
    shared = rng.normal(0, GROUP_SD, groups.max() + 1)[groups]
    ease = shared + rng.normal(0, OWN_SD, len(groups))
    return np.asarray(expit(logit(skill) + ease))


@lru_cache(maxsize=64)
def mean_chance(skill: float) -> float:
    """Return the accuracy over all questions of a system with this skill."""
    rng = np.random.default_rng(MANY)
    return float(chances(rng, np.arange(MANY), skill).mean())


@lru_cache(maxsize=64)
def pair_chance(skill: float) -> float:
    rng = np.random.default_rng(MANY)
    of_row = chances(rng, np.arange(MANY) // 2, skill)
    return float((of_row[::2] * of_row[1::2]).mean())


def pairs(n: int) -> NDArray[np.int64]:
    return np.arange(n) // 2


def _accuracy(rng: np.random.Generator, *, n: int, skill: float) -> Pair:
    right = rng.random(n) < chances(rng, pairs(n), skill)
    return None, holds(accuracy(right, pairs(n)), mean_chance(skill))


def _group_score(rng: np.random.Generator, *, n: int, skill: float) -> Pair:
    right = rng.random(n) < chances(rng, pairs(n), skill)
    return None, holds(group_score(right, pairs(n)), pair_chance(skill))


def _difference(rng: np.random.Generator, *, n: int, skill: float) -> Pair:
    """Of the best and another one, which are 5 points of skill apart."""
    both = (skill, skill + 0.05)
    ease = rng.normal(0, GROUP_SD, n // 2)[pairs(n)] + rng.normal(0, OWN_SD, n)
    right = {name: rng.random(n) < expit(logit(name) + ease) for name in both}
    found = compare({str(name): one for name, one in right.items()}, pairs(n))
    truth = mean_chance(both[0]) - mean_chance(both[1])
    [(name, versus)] = found.others.items()
    return None, holds(versus.difference, truth if name == str(both[0]) else -truth)


def _consistency(rng: np.random.Generator, *, n: int, follows: float) -> Pair:
    """Of a system whose answers follow the switch with a probability that pairs share."""
    shared = rng.beta(4 * follows, 4 * (1 - follows), n // 2)[pairs(n)]
    first = rng.random(n) < 0.7
    second = np.where(rng.random(n) < shared, first, ~first)
    before, after = (np.stack([one, ~one], axis=1).astype(float) for one in (first, ~second))
    ones = np.ones(n, dtype=np.int64)
    found = consistency(list(before), list(after), ones, ones + 1, pairs(n).tolist())
    return None, holds(found.consistency, follows)


def _sides(rng: np.random.Generator, *, n: int, skill: float) -> tuple[Right, Right, float]:
    """Return right answers, which are on the easier side, and the true difference."""
    of_row = np.arange(n) % OCCUPATIONS
    easier = np.arange(n) // OCCUPATIONS % 2 == 0
    both = (skill + GAP / 2, skill - GAP / 2)
    right = rng.random(n) < chances(rng, of_row, np.where(easier, *both))
    return right, easier, mean_chance(both[0]) - mean_chance(both[1])


def _gotcha(rng: np.random.Generator, *, n: int, skill: float) -> Pair:
    right, easier, truth = _sides(rng, n=n, skill=skill)
    groups = (np.arange(n) % OCCUPATIONS).tolist()
    found = gotcha_gaps(right, ["female"] * n, ~easier, groups)["female"]
    return None, holds(found.delta, truth)


def _stereotype(rng: np.random.Generator, *, n: int, skill: float) -> Pair:
    both, pro = (skill + GAP / 2, skill - GAP / 2), np.arange(n) % 2 == 0
    right = rng.random(n) < chances(rng, pairs(n), np.where(pro, *both))
    found = stereotype_gaps(right, pro, [1] * n, pairs(n).tolist())[1]
    return None, holds(found.gap, mean_chance(both[0]) - mean_chance(both[1]))


def _leaderboard(rng: np.random.Generator, *, n: int, skill: float, is_pairs: bool) -> Pair:
    """Of a submission to a board with 12 of them in a year."""
    answers, groups = rng.integers(1, 3, n), pairs(n).tolist()
    right = rng.random(n) < chances(rng, pairs(n), skill)
    given = {"all": np.where(right, answers, 3 - answers)}
    sd = noise(shape_of(groups), per_year=12)
    found = score(given, answers, groups=groups, sizes=None, noise=sd, rng=rng)
    if is_pairs:
        assert found.pair_accuracy is not None
        assert sd.pair_accuracy is not None
        shown = with_interval(found.pair_accuracy, sd=sd.pair_accuracy, units=[1] * (n // 2))
        return None, holds(shown, pair_chance(skill))
    shown = with_interval(found.accuracy, sd=sd.accuracy, units=[2] * (n // 2))
    return None, holds(shown, mean_chance(skill))


def _curve(rng: np.random.Generator, *, name: str, is_by_laws: bool) -> Pair:
    """Of a size that a learning curve needs to reach people; None where the page refuses."""
    found = reach(measured(CURVES[name], rng), error=PEOPLE, n_test=1267)
    part = found.by_laws if is_by_laws else found
    if part is None or part.low is None:
        return None, None
    return None, part.low <= size_of(CURVES[name]) <= (part.high or np.inf)


def _equal_systems(rng: np.random.Generator, *, n: int, n_systems: int) -> Pair:
    of_row = chances(rng, pairs(n), 0.7)
    right = rng.random((n_systems, n)) < of_row
    found = compare({str(k): one for k, one in enumerate(right)}, pairs(n))
    return None, any(one.p_corrected <= ALPHA for one in found.others.values())


def _at_margin(rng: np.random.Generator, *, n: int, margin: float) -> Pair:
    """Of two systems that are the margin apart, so that no "equivalent" is true."""
    of_row = margin + (1 - margin) * chances(rng, pairs(n), 0.7)
    answers = rng.random((n // 2, 1)), rng.random((n // 2, 2))
    drawn = np.where(rng.random((n // 2, 1)) < 0.3, *answers).ravel()  # of some pairs in common
    right = {"one": drawn < of_row, "two": drawn < of_row - margin}
    found = compare(right, pairs(n), margin=margin)
    return None, any(one.equivalence.p <= ALPHA for one in found.others.values())


def _untrained_seed(rng: np.random.Generator, *, n: int) -> Pair:
    right, two = rng.random((3, n)) < 0.5, np.full(n, 2)
    found = seeds(list(right), pairs(n), two, np.tile([1, 2], n // 2))
    return None, not found.runs[0].collapsed


def rows() -> Iterator[Row]:
    """Yield the figures of the pages of evaluations, boards and learning curves."""
    kinds = {"accuracy": _accuracy, "group score": _group_score, "difference": _difference}
    kinds |= {"ΔF of Winogender": _gotcha, "gap of WinoBias": _stereotype}
    for (name, kind), n, skill in product(kinds.items(), QUESTIONS, SKILLS):
        setting = f"{n} questions, skill {skill:.0%}"
        yield Interval(f"system, {name}", setting, partial(kind, n=n, skill=skill))
    for n, follows in product(QUESTIONS, (0.5, 0.8, 0.95)):
        draw = partial(_consistency, n=n, follows=follows)
        yield Interval("system, consistency", f"{n} questions, {follows:.0%}", draw)
    for n, skill, is_pairs in product(QUESTIONS, SKILLS, (False, True)):
        name = "pair accuracy" if is_pairs else "accuracy"
        draw = partial(_leaderboard, n=n, skill=skill, is_pairs=is_pairs)
        yield Interval(f"leaderboard, {name}", f"{n} questions, skill {skill:.0%}", draw)
    for name, is_by_laws in product(CURVES, (False, True)):
        words = "by laws" if is_by_laws else "any curve"
        draw = partial(_curve, name=name, is_by_laws=is_by_laws)
        is_outside = is_by_laws and name in NO_LAW
        yield Interval(f"learning curve, {words}", name, draw, is_outside=is_outside)
    for n, n_systems in product((100, 1000), (2, 5, 10)):
        draw = partial(_equal_systems, n=n, n_systems=n_systems)
        yield Note("note, less accurate", f"{n_systems} equal systems, {n} questions", draw)
    for n, margin in product(QUESTIONS, (0.03, 0.05)):
        draw = partial(_at_margin, n=n, margin=margin)
        yield Note("note, equivalent", f"{margin:.0%} apart, {n} questions", draw)
    for n in QUESTIONS:
        yield Note("note, seed above chance", f"{n} questions", partial(_untrained_seed, n=n))
