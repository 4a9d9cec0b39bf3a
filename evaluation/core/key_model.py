"""Two hypotheses about each key of a set: item response models of the key, or of another option.

A system of ability θ knows the right option with probability σ(a θ + d), a > 0, and otherwise
chooses any other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit, logsumexp, softmax

Floats = NDArray[np.float64]

MISSING = -1
NODES = np.linspace(-4.0, 4.0, 33)
"""Abilities, in standard deviations of the systems."""
LOG_SLOPES, INTERCEPTS = (
    axis.ravel()
    for axis in np.meshgrid(np.linspace(-2.0, 1.6, 13), np.linspace(-5.0, 5.0, 21), indexing="ij")
)
LOGITS = np.outer(np.exp(LOG_SLOPES), NODES) + INTERCEPTS[:, None]
KNOWS, KNOWS_NOT = log_expit(LOGITS), log_expit(-LOGITS)  # (273, 33)

# The prior share of wrong keys: one in forty questions, worth forty questions.
WRONG, QUESTIONS = 1.0, 40.0
TOLERANCE, MAX_ITERATIONS = 1e-3, 60
LEAST_SD = (0.25, 0.5)
START_SD = 0.5
FEWEST_SYSTEMS = 5
NOISE = 3.0
"""Standard errors above which two systems' common errors are no chance."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Hits and misses of the keys as 0 and 1 (m, n), options (n,), and weights of systems (m,)."""

    hits: Floats
    misses: Floats
    n_options: NDArray[np.int64]
    weight: Floats

    @classmethod
    def of(cls, right: ArrayLike, n_options: ArrayLike) -> Answers:
        values = np.asarray(right)
        if values.ndim != 2 or not values.shape[-1]:
            raise ValueError("right must be an array of systems and questions")
        if len(values) < FEWEST_SYSTEMS:
            raise ValueError(f"an audit needs at least {FEWEST_SYSTEMS} systems")
        if not np.isin(values, (MISSING, 0, 1)).all():
            raise ValueError("right must have 1, 0, or -1 for no answer")
        options = np.broadcast_to(np.asarray(n_options, dtype=np.int64), values.shape[1:])
        if (options < 2).any():
            raise ValueError("questions must have at least two options")
        hits, misses = ((values == value).astype(np.float64) for value in (1, 0))
        return cls(hits, misses, options, np.ones(len(values)))

    @property
    def others(self) -> Floats:
        """The number of options besides the key (n, 1)."""
        return (self.n_options[:, None] - 1).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Distributions of abilities (m, 33), and of questions given them.

    ``hit`` and ``miss`` (n, 33) are expected log-probabilities, ``p`` (n, 33) the probability of a
    hit, ``prior`` (273,) the log-prior of a question's parameters.
    """

    posterior: Floats
    hit: Floats
    miss: Floats
    p: Floats
    prior: Floats
    share: float

    @property
    def ability(self) -> Floats:
        return np.asarray(self.posterior @ NODES)

    @property
    def log_odds(self) -> float:
        return float(np.log(self.share) - np.log1p(-self.share))

    def without(self, answers: Answers, *columns: int) -> Floats:
        """Return the abilities (m, 33) that follow from all questions but some."""
        left = list(columns)
        own = answers.hits[:, left] @ self.hit[left] + answers.misses[:, left] @ self.miss[left]
        return np.asarray(softmax(np.log(np.maximum(self.posterior, 1e-300)) - own, axis=1))


def fit(answers: Answers) -> Fit:
    posterior = _start(answers)
    prior, share = _normal(0.0, 0.5, 1.0, 1.5), WRONG / QUESTIONS
    before = np.zeros(answers.hits.shape[1])
    for _ in range(MAX_ITERATIONS):
        if_right, if_wrong = _of_questions(answers, posterior, prior, share)
        wrong = if_wrong.sum(axis=1)
        share = float((wrong.sum() + WRONG) / (len(wrong) + QUESTIONS))
        prior = _prior_of((if_right + if_wrong).mean(axis=0))
        hit = if_right @ KNOWS + if_wrong @ KNOWS_NOT - wrong[:, None] * np.log(answers.others)
        miss = if_right @ KNOWS_NOT + _missed(answers, if_wrong)
        posterior = softmax(answers.hits @ hit + answers.misses @ miss - NODES**2 / 2, axis=1)
        if np.abs(wrong - before).max() < TOLERANCE:
            break
        before = wrong
    p = if_right @ expit(LOGITS) + if_wrong @ expit(-LOGITS) / answers.others
    return Fit(posterior, hit, miss, p, prior, share)


def _start(answers: Answers) -> Floats:
    """Return abilities around the standardised shares of hits."""
    totals = answers.hits + answers.misses
    share = answers.hits.sum(axis=1) / np.maximum(totals.sum(axis=1), 1.0)
    z = (share - share.mean()) / max(float(share.std()), 1e-9)
    return np.asarray(softmax(-(((NODES - z[:, None]) / START_SD) ** 2) / 2, axis=1))


def _of_questions(
    answers: Answers, posterior: Floats, prior: Floats, share: float
) -> tuple[Floats, Floats]:
    """Return the distribution of each question over the grid, for a right and a wrong key."""
    weighted = answers.weight[:, None] * posterior
    hits, misses = answers.hits.T @ weighted, answers.misses.T @ weighted  # (n, 33)
    if_right = hits @ KNOWS.T + misses @ KNOWS_NOT.T + prior + np.log1p(-share)
    if_wrong = hits @ KNOWS_NOT.T - hits.sum(axis=1, keepdims=True) * np.log(answers.others)
    for k in np.unique(answers.n_options):
        rows = answers.n_options == k
        if_wrong[rows] += misses[rows] @ _log_other(k).T
    both = softmax(np.hstack([if_right, if_wrong + prior + np.log(share)]), axis=1)
    return both[:, : len(prior)], both[:, len(prior) :]


def _log_other(k: int) -> Floats:
    """Return the log-probability (273, 33) that another option than a wrong key is chosen."""
    return np.asarray(np.log1p(-expit(-LOGITS) / (k - 1))) if k > 2 else KNOWS


def _missed(answers: Answers, if_wrong: Floats) -> Floats:
    missed = np.empty((len(if_wrong), len(NODES)))
    for k in np.unique(answers.n_options):
        rows = answers.n_options == k
        missed[rows] = if_wrong[rows] @ _log_other(k)
    return missed


def _normal(slope: float, slope_sd: float, intercept: float, intercept_sd: float) -> Floats:
    log_p = (
        -(((LOG_SLOPES - slope) / slope_sd) ** 2 + ((INTERCEPTS - intercept) / intercept_sd) ** 2)
        / 2
    )
    return np.asarray(log_p - logsumexp(log_p))


def _prior_of(weights: Floats) -> Floats:
    """Return the normal prior with the mean and spread of the questions' distributions."""
    moments: list[float] = []
    for values, least in zip((LOG_SLOPES, INTERCEPTS), LEAST_SD, strict=True):
        mean = weights @ values
        moments += [float(mean), max(least, float(np.sqrt(weights @ (values - mean) ** 2)))]
    return _normal(*moments)


def evidence_of(answers: Answers, fitted: Fit, *weights: Floats) -> list[Floats]:
    """Return for each weighting of the systems the log-likelihood ratios (n,) of wrong keys."""
    ratios = np.empty((len(weights), len(answers.n_options)))
    weighting, knows = np.array(weights), expit(LOGITS).T  # (w, m), (33, 273)
    for j, k in enumerate(answers.n_options):
        tables = log_tables(fitted.without(answers, j) @ knows, int(k))
        hits, misses = weighting * answers.hits[:, j], weighting * answers.misses[:, j]
        ratios[:, j] = log_ratio(tables, hits, misses, fitted.prior)
    return list(ratios)


def log_tables(knows: Floats, k: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return log-probabilities (m, 273): of a hit and a miss, if the key is right and if wrong.

    *knows* (m, 273) has the probability that a system knows the right option.
    """
    knows = np.clip(knows, 1e-12, 1 - 1e-12)
    hit, miss = np.log(knows), np.log1p(-knows)
    return hit, miss, miss - np.log(k - 1), hit if k == 2 else np.log1p(-(1 - knows) / (k - 1))


def log_ratio(
    tables: tuple[Floats, Floats, Floats, Floats], hits: Floats, misses: Floats, prior: Floats
) -> Floats:
    """Return the log-likelihood ratios of questions with weighted hits and misses (..., m)."""
    right, wrong = log_likelihoods(tables, hits, misses, prior)
    return np.asarray(wrong - right)


def log_likelihoods(
    tables: tuple[Floats, Floats, Floats, Floats], hits: Floats, misses: Floats, prior: Floats
) -> tuple[Floats, Floats]:
    """Return the marginal log-likelihoods (...) of questions, if the key is right and if wrong."""
    right = hits @ tables[0] + misses @ tables[1]
    wrong = hits @ tables[2] + misses @ tables[3]
    return _log_sum(right + prior), _log_sum(wrong + prior)


def _log_sum(values: Floats) -> Floats:
    """Return the logarithms (...) of sums of exponentials (..., 273); quicker than SciPy's."""
    largest = values.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(values - largest).sum(axis=-1)) + largest[..., 0])


def weights_of(answers: Answers, fitted: Fit) -> Floats:
    """Return 1 / (1 + the sum of a system's error correlations with the others)."""
    p = np.clip(fitted.posterior @ fitted.p.T, 1e-6, 1 - 1e-6)
    totals = answers.hits + answers.misses
    errors = totals * (answers.hits - p) / np.sqrt(p * (1 - p))
    common = np.maximum(totals @ totals.T, 1.0)
    square = (errors**2 @ totals.T) / common  # (m, m): of a system, on what it shares with another
    correlation = errors @ errors.T / common / np.sqrt(np.maximum(square * square.T, 1e-12))
    np.fill_diagonal(correlation, 0.0)
    beyond_noise = np.where(correlation > NOISE / np.sqrt(common), correlation, 0.0)
    return np.asarray(1 / (1 + np.minimum(beyond_noise, 1.0).sum(axis=1)))
