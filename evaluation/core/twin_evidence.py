"""What the answers to both twins of a pair say about their keys.

Twins have the same two options and opposite answers. A system that understands a pair answers both
as they should be answered. One that does not often answers both alike, since it prefers an option.
If one key is wrong, the systems that understand the pair seem to answer both alike, so that such
answers become more frequent with ability.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logsumexp, softmax

Floats = NDArray[np.float64]

BOTH, FIRST, SECOND, NEITHER = range(4)
"""Which keys of a pair a system hits. One that understands the pair hits both if both are right,
the first alone if the second is wrong, and so on."""
LOG_SLOPES, INTERCEPTS = (
    axis.ravel()
    for axis in np.meshgrid(np.linspace(-1.5, 1.5, 7), np.linspace(-5.0, 4.0, 10), indexing="ij")
)
LEANINGS, CHANGES, ALIKE = (
    axis.ravel()
    for axis in np.meshgrid([-1.5, 0.0, 1.5], [-1.0, 0.0, 1.0], [0.3, 0.6, 0.9], indexing="ij")
)
"""Of systems that do not understand a pair: the log-odds of preferring the first twin's key, their
change with ability, and the probability that both answers follow the preference."""
START = ((0.0, 0.7), (-0.5, 1.5))
LEAST_SD = (0.25, 0.5)
PAIRS = 20.0
"""The weight of the start of the priors, in pairs."""
ITERATIONS = 15
TINY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class PairAnswers:
    """The answers of m systems to p pairs.

    Parameters
    ----------
    counts : float (4, p, m)
        The weight of each system under the keys that it hits, from `BOTH` to `NEITHER`, and 0
        elsewhere and for systems that did not answer both twins.
    nodes : float (k,)
        Abilities.
    posterior : float (m, k)
        Of each system's ability.
    """

    counts: Floats
    nodes: Floats
    posterior: Floats


def pair_evidence(
    answers: PairAnswers, *, share: float, without: Callable[[int], Floats] | None = None
) -> Floats:
    """Return the log-likelihood ratios (p, 2) of a wrong to a right key of both twins.

    Parameters
    ----------
    answers : PairAnswers
    share : float in (0, 1)
        Of wrong keys in the set: the twin's key may be wrong, too.
    without : callable, optional
        Returns for a pair the posteriors (m, k) of abilities without the answers to it.

    Notes
    -----
    A system of ability θ understands a pair with probability σ(a θ + d). Otherwise both answers
    follow its preferred option with probability c, and are opposite else, each way equally often.
    It prefers the first twin's key with probability σ(u + v θ): preferences may grow with ability.
    Each pair has its a and d, with a normal prior, and its u, v and c of 27 kinds. Both priors are
    learned from all pairs by EM, starting as if from 20 pairs.
    """
    likely = _log_likelihoods(answers.counts, answers.nodes, answers.posterior)
    prior = _learned(likely, share)
    if without is not None:
        each = [
            _log_likelihoods(answers.counts[:, [pair]], answers.nodes, without(pair))
            for pair in range(likely.shape[2])
        ]
        likely = np.concatenate(each, axis=2)
    return _ratios(logsumexp(likely + prior, axis=(1, 3)), share)


def _log_likelihoods(counts: Floats, nodes: Floats, ability: Floats) -> Floats:
    """Return the log-likelihoods (4, 27, p, 70) of what understanding hits, kinds and curves."""
    knows = expit(np.outer(np.exp(LOG_SLOPES), nodes) + INTERCEPTS[:, None])  # (70, k)
    understood = ability @ knows.T  # (m, 70)
    likely = np.empty((4, len(ALIKE), counts.shape[1], len(knows)))
    for kind, alike in enumerate(ALIKE):
        leaning = expit(LEANINGS[kind] + CHANGES[kind] * nodes)
        first = ability @ ((1 - knows) * leaning).T
        opposite = (1 - alike) / 2 * (1 - understood)
        else_hit = (opposite, alike * first, alike * (1 - understood - first), opposite)
        chances = [np.maximum(chance, TINY) for chance in else_hit]
        base = sum(one @ np.log(chance) for one, chance in zip(counts, chances, strict=True))
        for hit, chance in enumerate(chances):
            likely[hit, kind] = base + counts[hit] @ np.log1p(understood / chance)
    return likely


def _learned(likely: Floats, share: float) -> Floats:
    """Return the log-prior (27, 1, 70) of kinds and curves."""
    start = kinds, curves = np.full(len(ALIKE), -np.log(len(ALIKE))), _normal(*START)
    n = likely.shape[2]
    for _ in range(ITERATIONS):
        joint = likely + kinds[:, None, None] + curves + _log_keys(share)[:, None, None, None]
        weights = softmax(joint, axis=(0, 1, 3))
        of_kinds = weights.sum(axis=(0, 2, 3)) + PAIRS * np.exp(start[0])
        of_curves = weights.sum(axis=(0, 1, 2)) + PAIRS * np.exp(start[1])
        kinds = np.log(of_kinds / (n + PAIRS))
        curves = _with_moments(of_curves / (n + PAIRS))
    return np.asarray(kinds[:, None, None] + curves)


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
