"""What the answers to both twins of a pair say about their keys.

Twins have the same two options and opposite answers. A system that understands a pair answers both
as they should be answered. One that does not often answers both alike, since it prefers an option.
If one key is wrong, the systems that understand the pair seem to answer both alike, so that such
answers become more frequent with ability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logsumexp, softmax

from evaluation.core import key_model
from evaluation.core.key_model import LOGITS, NODES, Answers, Fit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

BOTH, FIRST, SECOND, NEITHER = range(4)
"""Which keys of a pair a system hits. One that understands the pair hits both if both are right,
the first alone if the second is wrong, and so on."""
HITS = ((1, 1), (1, 0), (0, 1), (0, 0))
LOG_SLOPES, INTERCEPTS, GAPS = (
    axis.ravel()
    for axis in np.meshgrid(
        np.linspace(-1.2, 1.2, 4), np.linspace(-5.0, 4.0, 8), [-1.5, 0.0, 1.5], indexing="ij"
    )
)
"""Slope and intercept of a pair, and by how much the first twin's intercept is above the second's.
"""
LEANINGS, CHANGES, ALIKE = (
    axis.ravel()
    for axis in np.meshgrid([-1.5, 0.0, 1.5], [-0.8, 0.0, 0.8], [0.3, 0.6, 0.9], indexing="ij")
)
"""Of systems that do not understand a pair: the log-odds of preferring the first twin's key, their
change with ability, and the probability that both answers follow the preference."""
CHANGE = 0.02
"""The share of pairs with an increasing preference, and that with a decreasing one, at the start.
"""
START = ((0.0, 0.7), (-0.5, 1.5))
LEAST_SD = (0.25, 0.5)
PAIRS = 20.0
"""The weight of the start of the priors, in pairs."""
ITERATIONS = 15
TINY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class PairModel:
    """What pairs are like: ``prior`` (27, 1, 96) is the log-prior of kinds and curves.

    ``nodes`` (k,) are abilities, ``share`` is that of wrong keys in the set: the twin's key may be
    wrong, too. ``understood`` is the share of pairs that are understood as a pair; of the others
    each twin is known or not by itself.
    """

    nodes: Floats
    prior: Floats
    share: float
    understood: float

    def evidence(self, counts: Floats, ability: Floats, alone: Floats | None = None) -> Floats:
        """Return the log-likelihood ratios (p, 2) of a wrong to a right key of both twins.

        Parameters
        ----------
        counts : float (4, p, m)
            The weight of each system under the keys that it hits, from `BOTH` to `NEITHER`, and 0
            elsewhere and for systems that did not answer both twins.
        ability : float (m, k)
            The distribution of each system's ability.
        alone : float (2, 2, p), optional
            The log-likelihoods of a right and a wrong key of both twins, each by itself; without
            them every pair is understood as a pair.
        """
        likely = _log_likelihoods(counts, self.nodes, ability)
        together = logsumexp(likely + self.prior, axis=(1, 3))
        if alone is not None:
            both = np.log(self.understood), np.log1p(-self.understood)
            together = np.logaddexp(both[0] + together, both[1] + _apart(alone))
        return _ratios(together, self.share)

    def simulated(self, ability: Ints, n: int, rng: np.random.Generator) -> Flags:
        """Return what systems hit (4, n, m) of n pairs whose second key is wrong.

        *ability* (m,) has the number of each system's node.
        """
        weights = np.exp(self.prior).ravel()
        kinds, curves = np.divmod(
            rng.choice(weights.size, size=n, p=weights / weights.sum()), len(LOG_SLOPES)
        )
        theta = self.nodes[ability]
        knows_first, knows_second = (rows[curves] for rows in _knowledge(theta))
        luck, leaning = rng.random((3, n, len(theta))), np.outer(CHANGES[kinds], theta)
        prefers = luck[0] < expit(LEANINGS[kinds, None] + leaning)
        is_alike, coin = luck[1] < ALIKE[kinds, None], rng.random(prefers.shape) < 0.5
        first = (luck[2] < knows_first) | np.where(is_alike, prefers, coin)
        second = (luck[2] >= knows_second) & np.where(is_alike, ~prefers, coin)
        return np.asarray(2 * ~first + ~second == np.arange(4)[:, None, None])


def _knowledge(theta: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities (96, m) that systems of some abilities know each twin."""
    slopes = np.outer(np.exp(LOG_SLOPES), theta)
    first, second = ((INTERCEPTS + side * GAPS / 2)[:, None] for side in (1, -1))
    return expit(slopes + first), expit(slopes + second)


def learn_pairs(
    counts: Floats, *, nodes: Floats, ability: Floats, alone: Floats, share: float
) -> PairModel:
    """Return what the pairs of a set are like; the arrays are as in `PairModel.evidence`.

    Notes
    -----
    A system of ability θ understands the twins with probabilities σ(a θ + d ± g / 2); one that
    understands the harder twin understands the other as well. Otherwise both answers follow its
    preferred option with probability c, and are opposite else, each way equally often. It prefers
    the first twin's key with probability σ(u + v θ): preferences may grow with ability. Each pair
    has its a and d, with a normal prior, g of three values, and its u, v and c of 27 kinds. Both
    priors are learned from all pairs by EM, starting as if from 20 pairs; and so is the share of
    pairs that are like this, and not each twin by itself, which starts from one half.
    """
    likely = _log_likelihoods(counts, nodes, ability)
    keys = _log_keys(share)[:, None]
    apart = logsumexp(_apart(alone) + keys, axis=0)  # (p,)
    prior, understood = _learned(likely, share, np.full(counts.shape[1], 0.5)), 0.5
    for _ in range(2):
        together = logsumexp(logsumexp(likely + prior, axis=(1, 3)) + keys, axis=0)
        for _ in range(ITERATIONS):
            odds = np.log(understood) - np.log1p(-understood)
            is_pair = expit(together - apart + odds)
            understood = float((is_pair.sum() + PAIRS / 2) / (len(is_pair) + PAIRS))
        prior = _learned(likely, share, is_pair)
    return PairModel(nodes, prior, share, understood)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The columns of both twins of each pair (p, 2), what is hit (4, p, m), and what is learned.

    Hits are as in `PairModel.evidence`, without the systems' weights.
    """

    columns: Ints
    hits: Floats
    model: PairModel

    @classmethod
    def of(cls, columns: Ints, answers: Answers, fitted: Fit) -> Pairs | None:
        if not len(columns):
            return None
        both = [(answers.hits.T[side], answers.misses.T[side]) for side in columns.T]
        hits = np.array([one * other for one in both[0] for other in both[1]])
        counts = answers.weight * hits
        model = learn_pairs(
            counts,
            nodes=NODES,
            ability=fitted.posterior,
            alone=_alone(counts, fitted.posterior, fitted),
            share=fitted.share,
        )
        return cls(columns, hits, model)

    def evidence(self, counts: Floats, ability: Floats, fitted: Fit) -> Floats:
        """Return the evidence (p, 2) of pairs from weighted hits (4, p, m)."""
        return self.model.evidence(counts, ability, _alone(counts, ability, fitted))


def _alone(counts: Floats, ability: Floats, fitted: Fit) -> Floats:
    """Return log-likelihoods (2, 2, p) of right and wrong keys of both twins by themselves."""
    tables = key_model.log_tables(ability @ expit(LOGITS).T, 2)
    both, first, second, neither = counts
    sides = ((both + first, second + neither), (both + second, first + neither))
    each = [key_model.log_likelihoods(tables, *side, fitted.prior) for side in sides]
    return np.array(each).swapaxes(0, 1)


def _apart(alone: Floats) -> Floats:
    """Return the log-likelihoods (4, p) of what is hit, of each twin by itself."""
    right, wrong = alone
    sides = ((right, right), (right, wrong), (wrong, right), (wrong, wrong))
    return np.array([first[0] + second[1] for first, second in sides])


def _log_likelihoods(counts: Floats, nodes: Floats, ability: Floats) -> Floats:
    """Return the log-likelihoods (4, 27, p, 96) of what understanding hits, kinds and curves."""
    first, second = _knowledge(nodes)
    both, none = np.minimum(first, second), 1 - np.maximum(first, second)
    understood = ability @ both.T
    likely = np.zeros((4, len(ALIKE), counts.shape[1], len(first)))
    for kind, alike in enumerate(ALIKE):
        leaning = expit(LEANINGS[kind] + CHANGES[kind] * nodes)
        guess = [alike * one + (1 - alike) / 2 for one in (leaning, 1 - leaning)]
        by_hit = [(1 - one, one) for one in guess]
        only_first = [ability @ ((first - both) * one).T for one in by_hit[1]]
        only_second = [ability @ ((second - both) * one).T for one in by_hit[0]]
        opposite = np.full(len(nodes), (1 - alike) / 2)
        guessed = (opposite, alike * leaning, alike * (1 - leaning), opposite)
        for place, hit in enumerate(HITS):
            rest = ability @ (none * guessed[place]).T
            for truth, known in enumerate(HITS):
                chance = rest + understood * (place == truth)
                chance = chance + only_first[hit[1]] * (hit[0] == known[0])
                chance = chance + only_second[hit[0]] * (hit[1] == known[1])
                likely[truth, kind] += counts[place] @ np.log(np.maximum(chance, TINY))
    return likely


def _learned(likely: Floats, share: float, is_pair: Floats) -> Floats:
    """Return the log-prior (27, 1, 96) of kinds and curves, from pairs with weights (p,)."""
    start = kinds, curves = _kinds(), _normal(*START)
    n = is_pair.sum()
    for _ in range(ITERATIONS):
        joint = likely + kinds[:, None, None] + curves + _log_keys(share)[:, None, None, None]
        weights = softmax(joint, axis=(0, 1, 3)) * is_pair[:, None]
        of_kinds = weights.sum(axis=(0, 2, 3)) + PAIRS * np.exp(start[0])
        of_curves = weights.sum(axis=(0, 1, 2)) + PAIRS * np.exp(start[1])
        kinds = np.log(of_kinds / (n + PAIRS))
        curves = _with_moments(of_curves / (n + PAIRS))
    return np.asarray(kinds[:, None, None] + curves)


def _kinds() -> Floats:
    weights = np.where(CHANGES == 0, 1 - 2 * CHANGE, CHANGE)
    return np.asarray(np.log(weights / weights.sum()))


def _log_keys(share: float) -> Floats:
    """Return the log-probabilities (4,) of what is hit by systems that understand a pair."""
    wrong, right = np.log(share), np.log1p(-share)
    return np.array([2 * right, right + wrong, wrong + right, 2 * wrong])


def _ratios(likely: Floats, share: float) -> Floats:
    """Return the ratios (p, 2) from log-likelihoods (4, p)."""
    right, wrong = np.log1p(-share), np.log(share)
    first = np.logaddexp(likely[SECOND] + right, likely[NEITHER] + wrong)
    first -= np.logaddexp(likely[BOTH] + right, likely[FIRST] + wrong)
    second = np.logaddexp(likely[FIRST] + right, likely[NEITHER] + wrong)
    second -= np.logaddexp(likely[BOTH] + right, likely[SECOND] + wrong)
    return np.stack([first, second], axis=1)


def _normal(slope: tuple[float, float], intercept: tuple[float, float]) -> Floats:
    squares = [
        ((values - mean) / sd) ** 2
        for values, (mean, sd) in zip((LOG_SLOPES, INTERCEPTS), (slope, intercept), strict=True)
    ]
    return np.asarray(-sum(squares) / 2 - logsumexp(-sum(squares) / 2))


def _with_moments(weights: Floats) -> Floats:
    moments = []
    for values, least in zip((LOG_SLOPES, INTERCEPTS), LEAST_SD, strict=True):
        mean = float(weights @ values)
        moments.append((mean, max(least, float(np.sqrt(weights @ (values - mean) ** 2)))))
    return _normal(*moments)
