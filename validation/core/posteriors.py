"""What the votes say together once validators are weighed: one-coin and Dawid–Skene, by EM.

Both take every validator for independent given the truth. One-coin gives a validator one number,
the chance of naming the true label; Dawid–Skene a whole table, so that a habit of one label is
seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from stats.tables import label_counts
from validation.core.majority import majority_shares
from validation.core.weighing import TINY, Floats, Ints, coin_weights, item_sums, normalised_rows

# Votes that every validator is taken to have given before: how many, and the share of them right.
# Without them one vote makes a validator perfect; with many, good and bad validators weigh alike.
ONE_COIN_VOTES, ONE_COIN_RIGHT = 4.0, 0.75
DAWID_SKENE_VOTES = 0.01
# Items of every label that are taken to have been seen before (add-one smoothing). Without them a
# few items on which all agree rule the other label out, whatever is said of the next one.
CLASS_ITEMS = 1.0


@dataclass(frozen=True, slots=True)
class OneCoin:
    """What one-coin learnt.

    Parameters
    ----------
    posteriors : float (n_items, n_labels), rows sum to 1
    class_shares : float (n_labels,), sums to 1
    skills : float (n_workers,), in (0, 1)
        Each validator's chance of naming the true label.
    n_iter : int
    converged : bool
        Whether the last step gained less than ``tol`` a vote.
    objective : float
        Log likelihood plus the log priors of skills and class shares, in nats.
    """

    posteriors: Floats
    class_shares: Floats
    skills: Floats
    n_iter: int
    converged: bool
    objective: float


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """What Dawid–Skene learnt; as ``OneCoin``, with a table for each validator.

    Parameters
    ----------
    confusions : float (n_workers, n_labels, n_labels)
        ``confusions[w, truth, said]``: the chance that validator w says so; rows sum to 1.
    """

    posteriors: Floats
    class_shares: Floats
    confusions: Floats
    n_iter: int
    converged: bool
    objective: float


def one_coin(
    items: ArrayLike,
    workers: ArrayLike,
    labels: ArrayLike,
    *,
    n_labels: int = 2,
    prior_votes: float = ONE_COIN_VOTES,
    prior_right: float = ONE_COIN_RIGHT,
    prior_items: float = CLASS_ITEMS,
    max_iter: int = 200,
    tol: float = 1e-7,
) -> OneCoin:
    """Weigh validators by one number each, and say what the votes are worth together.

    Parameters
    ----------
    items, workers, labels : int (n_votes,), from 0
        One vote a place; nobody votes on an item twice. Votes not given have no place.
    n_labels : int, at least 2
    prior_votes : float, at least 0
        Votes that every validator is taken to have given before, of which the share
        ``prior_right`` was right: a Beta prior. 0 is plain maximum likelihood.
    prior_right : float in (0, 1)
    prior_items : float, at least 0
        Items added to each label's count when the class shares are learnt: a Dirichlet prior.
    max_iter : int, at least 1
    tol : float, above 0
        EM ends when a step raises the objective by less than this a vote.

    Returns
    -------
    OneCoin

    Raises
    ------
    ValueError
        Without votes, or where the three differ in length.

    Notes
    -----
    Starts from the majority, a tie shared equally: no chance is in it, and the order of votes,
    items and validators changes nothing. Who is wrong more often than chance counts against what
    they say. A wrong vote is any other label, all alike.

    Source: Dawid & Skene (1979) with equal errors, "one-coin" in Zhang, Chen, Zhou & Jordan,
    Spectral Methods Meet EM (JMLR 2016), §2. Departures: the Beta prior, and the Dirichlet prior of
    the class shares (Laplace's rule of succession, at 1).

    Examples
    --------
    >>> found = one_coin([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0, 0, 1, 1, 1, 0])
    >>> found.posteriors.argmax(axis=1).tolist(), bool(found.skills[0] > found.skills[2])
    ([0, 1], True)
    """
    votes = _Votes.of(items, workers, labels, n_labels)
    right, wrong = prior_votes * prior_right, prior_votes * (1 - prior_right)
    given = np.bincount(votes.workers, minlength=votes.n_workers) + prior_votes

    def learn(posteriors: Floats) -> Floats:
        hits = posteriors[votes.items, votes.labels]
        named = np.bincount(votes.workers, weights=hits, minlength=votes.n_workers) + right
        skills: Floats = np.clip(named / given, TINY, 1 - TINY)
        return skills

    def weigh(skills: Floats) -> tuple[Floats, float]:
        said = coin_weights(skills[votes.workers], votes.labels, n_labels)
        penalty = right * np.log(skills).sum() + wrong * np.log1p(-skills).sum()
        return said, float(penalty)

    return OneCoin(*_em(votes, learn, weigh, prior_items, max_iter=max_iter, tol=tol))


def dawid_skene(
    items: ArrayLike,
    workers: ArrayLike,
    labels: ArrayLike,
    *,
    n_labels: int = 2,
    prior_votes: float = DAWID_SKENE_VOTES,
    prior_items: float = CLASS_ITEMS,
    max_iter: int = 200,
    tol: float = 1e-7,
) -> DawidSkene:
    """Weigh validators by what each says for each truth.

    Parameters
    ----------
    items, workers, labels : int (n_votes,), from 0
    n_labels : int, at least 2
    prior_votes : float, at least 0
        Votes added to every cell of every validator's table: a Dirichlet prior that keeps a
        validator of few votes from being certain. 0 is plain maximum likelihood.
    prior_items : float, at least 0
        As for ``one_coin``.
    max_iter : int, at least 1
    tol : float, above 0
        EM ends when a step raises the objective by less than this a vote.

    Returns
    -------
    DawidSkene

    Raises
    ------
    ValueError
        Without votes, or where the three differ in length.

    Source: Dawid & Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM
    Algorithm (Applied Statistics 28, 1979), eqs 2.3–2.5. Departures: the Dirichlet priors; log
    space, so that an item with many votes does not underflow.

    Examples
    --------
    >>> found = dawid_skene([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0, 0, 1, 1, 1, 0])
    >>> found.posteriors.argmax(axis=1).tolist(), found.confusions.shape
    ([0, 1], (3, 2, 2))
    """
    votes = _Votes.of(items, workers, labels, n_labels)
    cells = votes.workers * n_labels + votes.labels

    def learn(posteriors: Floats) -> Floats:
        table = np.empty((votes.n_workers, n_labels, n_labels))
        for truth in range(n_labels):
            weights = posteriors[votes.items, truth]
            flat = np.bincount(cells, weights=weights, minlength=votes.n_workers * n_labels)
            table[:, truth] = flat.reshape(votes.n_workers, n_labels)
        table += max(prior_votes, TINY)
        confusions: Floats = table / table.sum(axis=2, keepdims=True)
        return confusions

    def weigh(confusions: Floats) -> tuple[Floats, float]:
        logs = np.log(confusions)
        said = logs[votes.workers, :, votes.labels]  # (n_votes, n_labels)
        return said, float(prior_votes * logs.sum())

    return DawidSkene(*_em(votes, learn, weigh, prior_items, max_iter=max_iter, tol=tol))


@dataclass(frozen=True, slots=True)
class _Votes:
    items: Ints
    workers: Ints
    labels: Ints
    n_items: int
    n_workers: int
    start: Floats

    @classmethod
    def of(cls, items: ArrayLike, workers: ArrayLike, labels: ArrayLike, n_labels: int) -> _Votes:
        if n_labels < 2:
            raise ValueError(f"n_labels must be at least 2, got {n_labels}")
        counts = label_counts(items, labels, n_labels=n_labels)
        by_worker = label_counts(workers, labels, n_labels=n_labels)
        if not counts.sum():
            raise ValueError("items: there must be a vote at least")
        rows, validators, said = (
            np.asarray(one, dtype=np.int64) for one in (items, workers, labels)
        )
        return cls(rows, validators, said, len(counts), len(by_worker), majority_shares(counts))


Learn = Callable[[Floats], Floats]
Weigh = Callable[[Floats], tuple[Floats, float]]


def _em(
    votes: _Votes, learn: Learn, weigh: Weigh, prior_items: float, *, max_iter: int, tol: float
) -> tuple[Floats, Floats, Floats, int, bool, float]:
    """Take turns between what validators are like and what is true, until nothing is gained."""
    posteriors, before = votes.start, -np.inf
    for step in range(1, max_iter + 1):
        named = posteriors.sum(axis=0) + prior_items
        shares = np.clip(named / named.sum(), TINY, None)
        learnt = learn(posteriors)
        weights, penalty = weigh(learnt)
        logs = item_sums(weights, votes.items, votes.n_items) + np.log(shares)
        posteriors, likelihood = normalised_rows(logs)
        objective = likelihood + penalty + float(prior_items * np.log(shares).sum())
        if objective - before < tol * len(votes.items):
            return posteriors, shares, learnt, step, True, objective
        before = objective
    return posteriors, shares, learnt, max_iter, False, objective
