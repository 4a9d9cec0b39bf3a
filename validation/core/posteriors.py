"""Aggregation of votes by weighted validators: three models, fitted by EM, and the choice of one.

All assume that validators are independent given the truth, and that a share of the items is voted
on at random. *Equal* gives all validators one probability of choosing the true label, so that its
order is that of the majority; *one-coin* gives each their own; *Dawid–Skene* gives each a confusion
matrix, and estimates how frequent each label is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from stats.tables import label_counts
from validation.core.votes import majority_shares
from validation.core.weighing import TINY, Floats, Ints, Shares, weighed


class Model(StrEnum):
    """How much is estimated of each validator."""

    EQUAL = "equal"
    ONE_COIN = "one_coin"
    DAWID_SKENE = "dawid_skene"


# Earlier votes of a validator, of the usual skill; of Dawid–Skene, for each truth. Without them one
# vote makes a validator perfect; too many give all validators equal weight.
PRIOR_VOTES = {Model.EQUAL: 0.0, Model.ONE_COIN: 8.0, Model.DAWID_SKENE: 4.0}
# The prior of the usual skill, as votes and the share of them right.
USUAL_VOTES, USUAL_RIGHT = 4.0, 0.75
# The prior of the class shares, as items of every label (add-one smoothing). Without it a few items
# on which all validators agree rule the other label out.
CLASS_ITEMS = 1.0
# The prior of the share of items voted on at random, as items of that kind and of the other.
RANDOM_ITEMS = (1.0, 20.0)
FOLDS = 5
MOST_COMPARED = 20_000  # votes by which the models are compared; the choice needs no more


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model.

    Parameters
    ----------
    model : Model
    posteriors : float (n_items, n_labels), rows sum to 1
    tables : float (n_workers, n_labels, n_labels)
        ``tables[w, truth, said]``: a probability; rows sum to 1.
    shares : Shares
        Class shares, even but for Dawid–Skene, and the share of items voted on at random.
    usual : float in (0, 1)
        The skill of the prior: what is expected of a validator of whom nothing is known.
    n_iter : int
    converged : bool
        Whether the last step gained less than ``tol`` per vote.
    objective : float
        Log likelihood plus the log priors, in nats.
    """

    model: Model
    posteriors: Floats
    tables: Floats
    shares: Shares
    usual: float
    n_iter: int
    converged: bool
    objective: float

    @property
    def skills(self) -> Floats:
        """Each validator's probability of choosing the true label, if all are equally frequent."""
        skills: Floats = np.einsum("wtt->wt", self.tables).mean(axis=1)
        return skills


@dataclass(frozen=True, slots=True)
class Aggregate:
    """All models fitted to the same votes, and the one chosen by votes on other items."""

    fits: dict[Model, Fit]
    chosen: Model

    @property
    def best(self) -> Fit:
        """The fit of the chosen model."""
        return self.fits[self.chosen]


def aggregate(
    items: ArrayLike, workers: ArrayLike, labels: ArrayLike, *, n_labels: int = 2
) -> Aggregate:
    """Fit all models, and choose the simplest under which held-out votes are about likeliest.

    Parameters
    ----------
    items, workers, labels : int (n_votes,), from 0
        One element per vote; no validator votes on an item twice.
    n_labels : int, at least 2

    Returns
    -------
    Aggregate

    Raises
    ------
    ValueError
        When there are no votes, or the three arrays differ in length.

    Notes
    -----
    The items are in five folds, by their number; the votes on each fold have a likelihood under the
    models fitted to the others. Chosen is the first model, in the order of `Model`, whose mean over
    items is within one standard error of the best one's, as the difference over the same items.
    With fewer than ten items it is the equal model. One-coin with estimated class shares is no
    candidate: it explains a habit of validators by the shares, up to one label for all items, and
    held-out votes are likely then too.

    Source: the rule of one standard error is Breiman et al., Classification and Regression Trees
    (1984), §3.4.3.

    Examples
    --------
    >>> found = aggregate([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0, 0, 1, 1, 1, 0])
    >>> found.chosen, found.best.posteriors.argmax(axis=1).tolist()
    (<Model.EQUAL: 'equal'>, [0, 1])
    """
    votes = _Votes.of(items, workers, labels, n_labels)
    return Aggregate(
        _fits(votes), _choose_model(votes) if votes.n_items >= 2 * FOLDS else Model.EQUAL
    )


def fit(
    items: ArrayLike,
    workers: ArrayLike,
    labels: ArrayLike,
    model: Model,
    *,
    n_labels: int = 2,
    prior_votes: float | None = None,
    usual: float = USUAL_RIGHT,
    random_items: tuple[float, float] | None = RANDOM_ITEMS,
    max_iter: int = 200,
    tol: float = 1e-6,
) -> Fit:
    """Fit one model: estimate validators and items' labels together.

    Parameters
    ----------
    items, workers, labels, n_labels
        As in `aggregate`.
    model : Model
    prior_votes : float, at least 0, optional
        Votes of the usual skill added to each validator's; by default those of `PRIOR_VOTES`. 0 is
        plain maximum likelihood.
    usual : float in (0, 1)
        The skill of the prior. `aggregate` takes that of the equal model.
    random_items : two floats, at least 0, optional
        The prior of the share of items voted on at random; None for a model without such items.
    max_iter : int, at least 1
    tol : float, above 0
        EM ends when a step raises the objective by less than this per vote.

    Returns
    -------
    Fit

    Raises
    ------
    ValueError
        As `aggregate`.

    Notes
    -----
    Starts from the majority, with ties shared equally, so the result is deterministic and does not
    depend on the order of votes, items and validators. A validator who is wrong more often than
    chance counts against the label they chose. Under equal and one-coin, wrong labels are equally
    likely. An item voted on at random has any labels with equal probability: where people differ
    more than their skills explain, a posterior stays nearer to the class shares.

    Source: Dawid & Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM
    Algorithm (Applied Statistics 28, 1979), eqs 2.3–2.5; with equal errors, "one-coin" in Zhang,
    Chen, Zhou & Jordan, Spectral Methods Meet EM (JMLR 2016), §2. Departures: the priors, the items
    voted on at random, and log space, so that an item with many votes does not underflow.

    Examples
    --------
    >>> columns = [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0, 0, 1, 1, 1, 0]
    >>> found = fit(*columns, Model.ONE_COIN)
    >>> found.posteriors.argmax(axis=1).tolist(), bool(found.skills[0] > found.skills[2])
    ([0, 1], True)
    """
    votes = _Votes.of(items, workers, labels, n_labels)
    prior = _Prior(PRIOR_VOTES[model] if prior_votes is None else prior_votes, usual, random_items)
    return _em(votes, model, prior, max_iter=max_iter, tol=tol)


@dataclass(frozen=True)
class _Votes:
    items: Ints
    workers: Ints
    labels: Ints
    n_items: int
    n_workers: int
    n_labels: int

    @classmethod
    def of(cls, items: ArrayLike, workers: ArrayLike, labels: ArrayLike, n_labels: int) -> _Votes:
        if n_labels < 2:
            raise ValueError(f"n_labels must be at least 2, got {n_labels}")
        counts = label_counts(items, labels, n_labels=n_labels)
        by_worker = label_counts(workers, labels, n_labels=n_labels)
        if not counts.sum():
            raise ValueError("items: there must be at least one vote")
        rows, validators, said = (
            np.asarray(column, dtype=np.int64) for column in (items, workers, labels)
        )
        return cls(rows, validators, said, len(counts), len(by_worker), n_labels)

    @cached_property
    def start(self) -> Floats:
        return majority_shares(label_counts(self.items, self.labels, n_labels=self.n_labels))

    def where(self, rows: np.ndarray) -> _Votes:
        """Return some votes, with their items numbered anew."""
        items = np.unique(self.items[rows], return_inverse=True)[1].astype(np.int64)
        n = int(items.max(initial=-1)) + 1
        return _Votes(
            items, self.workers[rows], self.labels[rows], n, self.n_workers, self.n_labels
        )

    def tables(self, posteriors: Floats) -> Floats:
        """Count each validator's labels by truth: (n_workers, n_labels, n_labels)."""
        cells, size = self.workers * self.n_labels + self.labels, self.n_workers * self.n_labels
        counts = [
            np.bincount(cells, weights=posteriors[self.items, truth], minlength=size)
            for truth in range(self.n_labels)
        ]
        return np.stack([count.reshape(self.n_workers, self.n_labels) for count in counts], axis=1)


@dataclass(frozen=True, slots=True)
class _Prior:
    votes: float
    usual: float
    random_items: tuple[float, float] | None


def one_coin_tables(skills: Floats, n_labels: int = 2) -> Floats:
    """Return skills (n,) as tables (n, n_labels, n_labels) in which wrong labels are alike."""
    wrong = (1 - skills) / (n_labels - 1)
    tables = np.repeat(wrong[:, None], n_labels**2, axis=1).reshape(-1, n_labels, n_labels)
    tables[:, np.arange(n_labels), np.arange(n_labels)] = skills[:, None]
    return tables


def _fits(votes: _Votes, tol: float = 1e-6) -> dict[Model, Fit]:
    equal = _em(votes, Model.EQUAL, _Prior(0, USUAL_RIGHT, RANDOM_ITEMS), tol=tol)
    usual = float(equal.skills[0])
    rest = {
        model: _em(votes, model, _Prior(PRIOR_VOTES[model], usual, RANDOM_ITEMS), tol=tol)
        for model in (Model.ONE_COIN, Model.DAWID_SKENE)
    }
    return {Model.EQUAL: equal} | rest


def _choose_model(votes: _Votes) -> Model:
    held_out = _held_out(votes)
    best = max(held_out.values(), key=lambda scores: float(scores.sum()))
    gaps = {model: best - scores for model, scores in held_out.items()}
    return next(
        model for model, gap in gaps.items() if gap.sum() <= gap.std(ddof=1) * np.sqrt(len(gap))
    )


def _held_out(votes: _Votes) -> dict[Model, Floats]:
    """Return the log likelihood of each item's votes under fits to other items, by model."""
    every = -(-len(votes.items) // MOST_COMPARED)
    some = votes.where(votes.items % every == 0)
    scores: dict[Model, list[Floats]] = {model: [] for model in Model}
    for fold in range(FOLDS):
        is_out = some.items % FOLDS == fold
        out = some.where(is_out)
        for model, model_fit in _fits(some.where(~is_out), 1e-5).items():
            scores[model].append(_e_step(out, model_fit.tables, model_fit.shares)[2])
    return {model: np.concatenate(parts) for model, parts in scores.items()}


def _em(
    votes: _Votes, model: Model, prior: _Prior, *, max_iter: int = 200, tol: float = 1e-6
) -> Fit:
    """Alternate M and E steps until the objective no longer grows."""
    even = np.full(votes.n_labels, 1 / votes.n_labels)
    posteriors, random, before = votes.start, np.zeros(votes.n_items), -np.inf
    for step in range(1, max_iter + 1):
        weighted = posteriors * (1 - random)[:, None]
        named = weighted.sum(axis=0) + CLASS_ITEMS
        classes = named / named.sum() if model == Model.DAWID_SKENE else even
        shares = Shares(classes, _random_share(random, prior, step))
        tables, penalty = _m_step(votes.tables(weighted), model, prior)
        posteriors, random, likelihoods = _e_step(votes, tables, shares)
        objective = likelihoods.sum() + penalty + _log_prior(shares, model, prior)
        converged = objective - before < tol * len(votes.items) and step > 2
        if converged:
            break
        before = objective
    usual = float(tables[0, 0, 0]) if model == Model.EQUAL else prior.usual
    # What is not known of an item voted on at random is how frequent its labels are.
    mixed = (1 - random)[:, None] * posteriors + random[:, None] * shares.classes
    return Fit(model, mixed, tables, shares, usual, step, bool(converged), float(objective))


def _random_share(random: Floats, prior: _Prior, step: int) -> float:
    if prior.random_items is None:
        return 0.0
    some, others = prior.random_items
    total = random.sum() if step > 1 else 0.0
    return float((total + some) / (len(random) + some + others))


def _m_step(counts: Floats, model: Model, prior: _Prior) -> tuple[Floats, float]:
    """Return the tables that fit counts (n_workers, n_labels, n_labels), and their log prior."""
    n_labels = counts.shape[1]
    if model == Model.DAWID_SKENE:
        earlier = prior.votes * one_coin_tables(np.array([prior.usual]), n_labels)
        tables = counts + np.maximum(earlier, TINY)
        tables /= tables.sum(axis=2, keepdims=True)
        return tables, float((earlier * np.log(tables)).sum())
    right, given = np.einsum("wtt->w", counts), counts.sum(axis=(1, 2))
    n, hits = (USUAL_VOTES, USUAL_VOTES * USUAL_RIGHT)
    if model == Model.ONE_COIN:
        n, hits = prior.votes, prior.votes * prior.usual
    else:
        right, given = np.array([right.sum()]), np.array([given.sum()])
    skills = np.clip((right + hits) / np.maximum(given + n, TINY), TINY, 1 - TINY)
    penalty = float((hits * np.log(skills) + (n - hits) * np.log1p(-skills)).sum())
    return one_coin_tables(np.broadcast_to(skills, len(counts)), n_labels), penalty


def _e_step(votes: _Votes, tables: Floats, shares: Shares) -> tuple[Floats, Floats, Floats]:
    """Return posteriors if not voted on at random, the probability of that, log likelihoods."""
    logs = np.log(np.maximum(tables, TINY))[votes.workers, :, votes.labels]
    return weighed(votes.items, logs, shares, votes.n_items)


def _log_prior(shares: Shares, model: Model, prior: _Prior) -> float:
    total = CLASS_ITEMS * np.log(shares.classes).sum() if model == Model.DAWID_SKENE else 0.0
    if prior.random_items is not None:
        some, others = prior.random_items
        total += some * np.log(shares.random) + others * np.log1p(-shares.random)
    return float(total)
