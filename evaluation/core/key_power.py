"""The power of an audit of keys: which wrong keys the answers of some systems would give away.

Questions are drawn from the distribution that is fitted to a set, and get a wrong key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from evaluation.core import key_model
from evaluation.core.key_model import INTERCEPTS, LOG_SLOPES, LOGITS, NODES, Answers, Fit, Floats
from evaluation.core.twin_evidence import Pairs

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

LEAST_POWER = 0.5
FALSE_SHARE = 0.1
"""Of the suspected keys, the expected share that is right."""
DRAWS = 400
ACCURACIES = (0.6, 0.7, 0.8, 0.9, 0.95)
NUMBERS = (10, 20, 50, 100, 200)
MOST_SHARE = 0.05
"""The most that is believed of the share of wrong keys in a forecast for other systems: where these
are weak, the share that is learned may be far too high, and a few systems would seem enough."""
FARTHEST = 8.0
ABOVE_CHANCE = 0.02


@dataclass(frozen=True, slots=True)
class SystemsNeeded:
    """How many independent systems of evenly spread accuracy find half of the wrong keys.

    ``n_systems`` is None if 200 are not enough, ``low`` and ``high`` are the accuracies of the
    weakest and the ablest.
    """

    low: float
    high: float
    n_systems: int | None


def power_of(
    answers: Answers,
    fitted: Fit,
    without_best: Floats,
    pairs: Pairs | None,
    rng: np.random.Generator,
) -> float:
    """Return the share of simulated questions with a wrong key that are sure to be suspected.

    *without_best* (m,) has the systems' weights, 0 of the ablest, without whom evidence must hold.
    """
    above = rng.random((len(answers.hits), 1)) > fitted.posterior.cumsum(axis=1)
    nodes = above.sum(axis=1).clip(max=len(NODES) - 1)
    single = _power_of_questions(answers, fitted, without_best, nodes, rng)
    if pairs is None:
        return single
    share = pairs.columns.size / len(answers.n_options) * pairs.model.understood
    weights = without_best, answers.weight
    return (1 - share) * single + share * _power_of_pairs(weights, fitted, pairs, nodes, rng)


def _power_of_questions(
    answers: Answers, fitted: Fit, without_best: Floats, nodes: Ints, rng: np.random.Generator
) -> float:
    k = int(np.median(answers.n_options))
    drawn = rng.choice(len(fitted.prior), size=DRAWS, p=np.exp(fitted.prior))
    hits = rng.random((DRAWS, len(nodes))) < expit(-LOGITS[drawn][:, nodes]) / (k - 1)
    knows = fitted.posterior @ expit(LOGITS).T
    left = _ratios(knows, k, without_best, hits, fitted)
    ratios = _ratios(knows, k, answers.weight, hits, fitted)
    return float(np.mean(_is_sure(ratios, fitted) & (left > 0)))


def _power_of_pairs(
    weights: tuple[Floats, Floats], fitted: Fit, pairs: Pairs, nodes: Ints, rng: np.random.Generator
) -> float:
    hits = pairs.model.simulated(nodes, DRAWS, rng)
    left, ratios = (
        pairs.evidence(weight * hits, fitted.posterior, fitted)[:, 1] for weight in weights
    )
    return float(np.mean(_is_sure(ratios, fitted) & (left > 0)))


def _ratios(knows: Floats, k: int, weight: Floats, hits: Flags, fitted: Fit) -> Floats:
    tables = key_model.log_tables(knows, k)
    return key_model.log_ratio(tables, weight * hits, weight * ~hits, fitted.prior)


def _is_sure(ratios: Floats, fitted: Fit) -> Flags:
    return np.asarray(expit(ratios + fitted.log_odds) >= 1 - FALSE_SHARE)


def systems_needed(
    answers: Answers, fitted: Fit, rng: np.random.Generator
) -> Iterator[SystemsNeeded]:
    """Yield how many systems up to each accuracy would find half of the wrong keys."""
    fitted = replace(fitted, share=min(fitted.share, MOST_SHARE))
    k = int(np.median(answers.n_options))
    abilities = np.linspace(-FARTHEST, FARTHEST, 161)
    accuracies = expit(np.outer(abilities, np.exp(LOG_SLOPES)) + INTERCEPTS) @ np.exp(fitted.prior)
    low = max(1 / k + ABOVE_CHANCE, float(accuracies[0]))
    drawn = rng.choice(len(fitted.prior), size=DRAWS, p=np.exp(fitted.prior))
    for high in ACCURACIES:
        if not low < high <= accuracies[-1]:
            continue
        enough = (
            n
            for n in NUMBERS
            if _power_at(np.interp(np.linspace(low, high, n), accuracies, abilities),
                         k, fitted, drawn, rng) >= LEAST_POWER
        )  # fmt: skip
        yield SystemsNeeded(low, high, next(enough, None))


def _power_at(
    abilities: Floats, k: int, fitted: Fit, drawn: Ints, rng: np.random.Generator
) -> float:
    """Return the power of independent systems of known abilities."""
    knows = expit(np.outer(abilities, np.exp(LOG_SLOPES)) + INTERCEPTS)  # (m, 273)
    hits = rng.random((len(drawn), len(abilities))) < (1 - knows[:, drawn].T) / (k - 1)
    ratios = _ratios(knows, k, np.ones(len(abilities)), hits, fitted)
    return float(np.mean(_is_sure(ratios, fitted)))
