"""Aggregation of votes with weighted validators: one-coin and Dawid–Skene, by EM.

Both assume that validators are independent given the truth. One-coin has one parameter for each
validator, the probability of choosing the true label; Dawid–Skene has a confusion matrix, which
also captures a preference for one label.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from stats.tables import label_counts
from validation.core.majority_shares import majority_shares
from validation.core.weighing import TINY, Floats, Ints, coin_weights, item_sums, normalised_rows

# The prior of a validator's skill, as a number of earlier votes and the share of them right.
# Without it one vote makes a validator perfect; a strong one gives all validators equal weight.
ONE_COIN_VOTES, ONE_COIN_RIGHT = 4.0, 0.75
DAWID_SKENE_VOTES = 0.01
# The prior of the class shares, as items of every label (add-one smoothing). Without it a few items
# on which all validators agree rule the other label out.
CLASS_ITEMS = 1.0


@dataclass(frozen=True, slots=True)
class OneCoin:
    """A fitted one-coin model.

    Parameters
    ----------
    posteriors : float (n_items, n_labels), rows sum to 1
    class_shares : float (n_labels,), sums to 1
    skills : float (n_workers,), in (0, 1)
        Each validator's probability of choosing the true label.
    n_iter : int
    converged : bool
        Whether the last step gained less than ``tol`` per vote.
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
    """A fitted Dawid–Skene model: as ``OneCoin``, with a confusion matrix for each validator.

    Parameters
    ----------
    confusions : float (n_workers, n_labels, n_labels)
        ``confusions[w, truth, said]``: a probability; rows sum to 1.
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
    """Fit the one-coin model: estimate validators' skills and items' labels together.

    Parameters
    ----------
    items, workers, labels : int (n_votes,), from 0
        One element per vote; no validator votes on an item twice.
    n_labels : int, at least 2
    prior_votes : float, at least 0
        Weight of the Beta prior of skills, as a number of earlier votes of which the share
        ``prior_right`` was right. 0 is plain maximum likelihood.
    prior_right : float in (0, 1)
    prior_items : float, at least 0
        Items added to each label's count when class shares are estimated: a Dirichlet prior.
    max_iter : int, at least 1
    tol : float, above 0
        EM ends when a step raises the objective by less than this per vote.

    Returns
    -------
    OneCoin

    Raises
    ------
    ValueError
        When there are no votes, or the three arrays differ in length.

    Notes
    -----
    Starts from the majority, with ties shared equally, so the result is deterministic and does not
    depend on the order of votes, items and validators. A validator who is wrong more often than
    chance counts against the label they chose. Wrong labels are equally likely.

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
    """Fit the Dawid–Skene model: a confusion matrix for each validator.

    Parameters
    ----------
    items, workers, labels : int (n_votes,), from 0
    n_labels : int, at least 2
    prior_votes : float, at least 0
        Votes added to every cell of every confusion matrix: a Dirichlet prior that keeps the
        estimates of few votes from 0 and 1. 0 is plain maximum likelihood.
    prior_items : float, at least 0
        As for ``one_coin``.
    max_iter : int, at least 1
    tol : float, above 0
        EM ends when a step raises the objective by less than this per vote.

    Returns
    -------
    DawidSkene

    Raises
    ------
    ValueError
        When there are no votes, or the three arrays differ in length.

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
            raise ValueError("items: there must be at least one vote")
        rows, validators, said = (
            np.asarray(one, dtype=np.int64) for one in (items, workers, labels)
        )
        return cls(rows, validators, said, len(counts), len(by_worker), majority_shares(counts))


Learn = Callable[[Floats], Floats]
Weigh = Callable[[Floats], tuple[Floats, float]]


def _em(
    votes: _Votes, learn: Learn, weigh: Weigh, prior_items: float, *, max_iter: int, tol: float
) -> tuple[Floats, Floats, Floats, int, bool, float]:
    """Alternate M and E steps until the objective no longer grows."""
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
