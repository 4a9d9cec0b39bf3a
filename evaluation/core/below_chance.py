"""The accuracy of chance, and what is said of one below it."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, lcm, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corpora.core.metrics import answer_positions
from stats.groups import Names, group_numbers

# Sums of credits that differ by less are equal, apart from rounding.
EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Chance:
    """The expected figures of a method that chooses options at random.

    Parameters
    ----------
    single, group : float in [0, 1], or None
        Accuracy, and group score; None without questions, and without groups of at least two.
    single_exact, group_exact : bool
        Whether every method of this kind has exactly this figure, whatever it prefers. A measured
        figure then says nothing about the method, and no test is needed.
    """

    single: float | None
    group: float | None
    single_exact: bool
    group_exact: bool


def chance(
    options: Sequence[Sequence[str]], answers: ArrayLike, groups: Names, *, trigger_blind: bool
) -> Chance:
    """Return the chance level of a kind of method on a set of questions.

    Parameters
    ----------
    options : n sequences of at least 2 different str
        Their order may differ between members of a group.
    answers : int (n,)
        The right option of each question, from 1.
    groups : (n,)
        As in `metrics.accuracy`.
    trigger_blind : bool
        If true, the method gives the same answer to all members of a group with the same options,
        since what differs between them is hidden from it. Otherwise it draws each answer by
        itself, as a coin does.

    Returns
    -------
    Chance
        A coin has the mean of 1/k as its accuracy, and as group score the mean over groups of the
        product of 1/k: 25 % for pairs with two options each. A trigger-blind method has the same
        accuracy, and exactly this one if in each group the options are right equally often. Its
        group score is the mean over groups of 0 if two members with the same options have
        different answers, and otherwise of the product of 1/k over the distinct sets of options.
        So on twins with opposite answers it has exactly 50 % and 0.

    Raises
    ------
    ValueError
        When a question has fewer than 2 options or equal ones, an answer is not among them, or the
        lengths differ.

    Source: Elazar et al., Back to Square One (EMNLP 2021), §3.1 gives the coin's 25 %.

    Examples
    --------
    >>> twins = ([["cup", "bag"]] * 2, [1, 2], ["a", "a"])
    >>> chance(*twins, trigger_blind=False)
    Chance(single=0.5, group=0.25, single_exact=False, group_exact=False)
    >>> chance(*twins, trigger_blind=True)
    Chance(single=0.5, group=0.0, single_exact=True, group_exact=True)
    """
    sizes = _sizes(options)
    right = answer_positions(answers, sizes)
    if len(groups) != len(sizes):
        raise ValueError(f"groups must have {len(sizes)} entries as options, got {len(groups)}")
    if not sizes:
        return Chance(None, None, False, False)
    of_row = group_numbers(groups)
    bundles = _bundles(options, right, of_row, trigger_blind=trigger_blind)
    members = np.bincount(of_row)
    levels = np.ones(len(members))
    for bundle in bundles:
        levels[bundle.group] *= 1 / bundle.k if len(bundle.right) == 1 else 0
    levels = levels[members > 1]
    return Chance(
        single=float(np.mean(1 / np.array(sizes))),
        group=float(levels.mean()) if len(levels) else None,
        single_exact=all(bundle.is_balanced() for bundle in bundles),
        group_exact=len(levels) > 0 and not levels.any(),
    )


def chance_of(shares: Sequence[NDArray[np.float64]], answers: ArrayLike, groups: Names) -> Chance:
    """Return the expected figures of given choices if the answers were random.

    Parameters
    ----------
    shares : n sequences of float (k_i,)
        How a method shares its choice among the options; see `metrics.choice_shares`. All zero
        for a question without an answer, which is wrong in any case.
    answers : int (n,)
        From 1. All answers of a group move on by the same number of options, each number being
        equally likely, so that twins keep opposite answers.
    groups : (n,)
        As in `metrics.accuracy`.

    Returns
    -------
    Chance
        The chance level of the method at hand. Its group score is one half of the pairs of twins
        for which the method chooses different options: 0 if it never tells twins apart.

    Raises
    ------
    ValueError
        When the lengths differ, or an answer is not among the options.

    Examples
    --------
    >>> first, second = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    >>> chance_of([first, first], [1, 2], ["a", "a"])
    Chance(single=0.5, group=0.0, single_exact=True, group_exact=True)
    >>> chance_of([first, second], [1, 2], ["a", "a"])
    Chance(single=0.5, group=0.5, single_exact=False, group_exact=False)
    """
    sizes = [len(share) for share in shares]
    right = answer_positions(answers, sizes)
    if len(groups) != len(sizes):
        raise ValueError(f"groups must have {len(sizes)} entries as shares, got {len(groups)}")
    if not sizes:
        return Chance(None, None, False, False)
    of_row, turns = group_numbers(groups), lcm(*set(sizes))
    credits = np.array(
        [np.resize(np.roll(share, -i), turns) for share, i in zip(shares, right, strict=True)]
    )  # (n, turns)
    members = np.bincount(of_row)
    sums, products = np.zeros((len(members), turns)), np.ones((len(members), turns))
    np.add.at(sums, of_row, credits)
    np.multiply.at(products, of_row, credits)
    products = products[members > 1]
    return Chance(
        single=float(credits.mean()),
        group=float(products.mean()) if len(products) else None,
        single_exact=bool(np.ptp(sums, axis=1).max() < EQUAL),
        group_exact=len(products) > 0 and bool(np.ptp(products, axis=1).max() < EQUAL),
    )


def most_frequent(answers: ArrayLike, groups: Names) -> Chance:
    """Return the figures of a method that always gives the most frequent answer.

    It is the chance level of true/false questions: their options are the same in each, and one is
    right more often.

    Parameters
    ----------
    answers : int (n,)
    groups : (n,)
        As in `metrics.accuracy`.

    Examples
    --------
    >>> most_frequent([2, 2, 1, 2], ["a", "a", "b", "b"])
    Chance(single=0.75, group=0.5, single_exact=False, group_exact=False)
    """
    array = np.asarray(answers)
    if len(groups) != len(array):
        raise ValueError(f"groups must have {len(array)} entries as answers, got {len(groups)}")
    if not len(array):
        return Chance(None, None, False, False)
    of_row = group_numbers(groups)
    right = array == np.bincount(array).argmax()
    members = np.bincount(of_row)
    whole = (np.bincount(of_row, weights=right) == members)[members > 1]
    return Chance(float(right.mean()), float(whole.mean()) if len(whole) else None, False, False)


@dataclass(frozen=True, slots=True)
class _Bundle:
    """Members of a group that get the same answer: how often each of the k options is right."""

    group: int
    k: int
    right: Counter[str]

    def is_balanced(self) -> bool:
        return len(self.right) == self.k and len(set(self.right.values())) == 1


def _bundles(
    options: Sequence[Sequence[str]],
    right: NDArray[np.int64],
    of_row: NDArray[np.int64],
    *,
    trigger_blind: bool,
) -> list[_Bundle]:
    bundles: dict[Hashable, _Bundle] = {}
    for row, (choices, i) in enumerate(zip(options, right, strict=True)):
        key = (of_row[row], frozenset(choices)) if trigger_blind else row
        fresh = _Bundle(int(of_row[row]), len(choices), Counter())
        bundles.setdefault(key, fresh).right[choices[i]] += 1
    return list(bundles.values())


def _sizes(options: Sequence[Sequence[str]]) -> list[int]:
    for row, choices in enumerate(options):
        if isinstance(choices, str) or len(set(choices)) != len(choices) or len(choices) < 2:
            raise ValueError(f"options must be at least 2, all different, got {choices!r} at {row}")
    return [len(choices) for choices in options]


LEVEL = 0.001
"""Of evaluations at chance, fewer than this share are said to be far below."""


@dataclass(frozen=True, slots=True)
class BelowChance:
    """An accuracy far below chance.

    Parameters
    ----------
    accuracy : float in [0, 1]
        Of questions that are answered: the mean over groups of their shares.
    n : int
        Answered questions.
    """

    accuracy: float
    n: int

    @property
    def sentence(self) -> str:
        """What to ask of who made the predictions or the labels."""
        return sentence(self.as_metric())

    def as_metric(self) -> dict[str, Any]:
        """Return it as evaluations store their metrics; `sentence` reads it."""
        return {"value": self.accuracy, "low": None, "high": None, "n": self.n}


def sentence(metric: Mapping[str, Any]) -> str:
    """Return what to ask of who made predictions or labels, for a metric of `BelowChance`."""
    return (
        f"Of {metric['n']:,} answered questions {metric['value']:.1%} are correct, which is far "
        "below chance. Are labels reversed, or options numbered in another order?"
    )


def below_chance(
    credits: ArrayLike, answers: ArrayLike, n_options: ArrayLike, groups: Names
) -> BelowChance | None:
    """Return an accuracy that is far below chance; None if it is not found to be.

    Parameters
    ----------
    credits : bool, or float in [0, 1] (n,)
        Of answered questions only: those without an answer tell nothing about labels.
    answers : int (n,)
        From 1.
    n_options : int (n,)
    groups : (n,)
        As in `metrics.accuracy`.

    Returns
    -------
    BelowChance or None
        Chance is the accuracy of random answers or, if it is lower, that of the number that is
        right least often, so that a method that always gives the same number is never found. The
        groups' mean credits are independent and from 0 to 1. With means a below c over G groups,
        the probability of so low a mean is at most exp(−G·KL(a, c)); it is found if this is below
        `LEVEL`. At least 10 groups of questions with two options are needed.

    Source: Hoeffding, Probability inequalities for sums of bounded random variables (1963),
    theorem 1.

    Examples
    --------
    >>> answers = [1, 2] * 10
    >>> below_chance([False] * 20, answers, [2] * 20, [None] * 20).accuracy
    0.0
    >>> below_chance([False] * 8, answers[:8], [2] * 8, [None] * 8) is None
    True
    """
    sizes = np.asarray(n_options, dtype=np.int64)
    right = answer_positions(answers, sizes.tolist())
    if not len(right):
        return None
    weights = _weights(groups)
    accuracy = float(np.sum(weights * np.asarray(credits, dtype=np.float64)))
    constant = [float(np.sum(weights[right == place])) for place in range(int(sizes.max()))]
    chance = min(float(np.sum(weights / sizes)), *constant)
    n_groups = len(np.unique(group_numbers(groups)))
    if accuracy >= chance or exp(-n_groups * _divergence(accuracy, chance)) >= LEVEL:
        return None
    return BelowChance(accuracy, len(right))


def _weights(groups: Names) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the weight of each question (n,): groups have equal weights, with the sum 1."""
    of_row = group_numbers(groups)
    sizes = np.bincount(of_row)
    weights: np.ndarray[tuple[int], np.dtype[np.float64]] = 1 / (sizes[of_row] * len(sizes))
    return weights


def _divergence(share: float, chance: float) -> float:
    """Return the divergence of one coin from another, in nats; *share* is below *chance* < 1."""
    heads = share * log(share / chance) if share > 0 else 0.0
    return heads + (1 - share) * log((1 - share) / (1 - chance))
