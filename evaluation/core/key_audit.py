"""Which answer keys of a set are probably wrong, by the answers of many systems.

Able systems miss a question whose key is wrong, and weak ones hit it by mistake. Both hypotheses
about a key are item response models with a positive discrimination: of the key, or of another
option. Their marginal likelihoods and the share of wrong keys, learned from the whole set, give
each question a probability of a wrong key.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit, logsumexp, softmax

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

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

LEAST_POWER = 0.5
FALSE_SHARE = 0.1
"""Of the suspected keys, the expected share that is right."""
FEWEST_SYSTEMS = 5
DRAWS = 400
BEST = 0.1
"""The share of systems without whom a suspicion must hold, too."""
NOISE = 3.0
"""Standard errors above which two systems' common errors are no chance."""


@dataclass(frozen=True, slots=True, eq=False)
class KeyAudit:
    """Probabilities that keys are wrong.

    Parameters
    ----------
    evidence : float (n,)
        The log-likelihood ratio of a wrong to a right key.
    probability : float in [0, 1] (n,)
        Of a wrong key, given the systems' answers.
    only_best_miss : bool (n,)
        Whether there is no evidence without the most able tenth of the systems. Such a key may be
        right, and is not suspected by this alone.
    is_suspected : bool (n,)
        The questions of highest probability, of which at most a tenth is expected to have a right
        key. No question if `power` is below one half.
    share : float
        The estimated share of wrong keys.
    ability, weight : float (m,)
        Of each system; the weight is 1 for one whose errors are its own, and 1/k for one of k that
        make the same errors.
    power : float
        The share of wrong keys that would get a probability of at least one half, for questions
        like these and these systems.
    """

    evidence: Floats
    probability: Floats
    only_best_miss: Flags
    is_suspected: Flags
    share: float
    ability: Floats
    weight: Floats
    power: float

    @property
    def can_tell(self) -> bool:
        """Whether at least half of the wrong keys would be found."""
        return self.power >= LEAST_POWER


def audit(right: ArrayLike, *, n_options: ArrayLike = 2, seed: int = 0) -> KeyAudit:
    """Return the probability of a wrong key for each question of a set.

    Parameters
    ----------
    right : int (m, n)
        1 if the system chose the key, 0 if another option, -1 without an answer.
    n_options : int, at least 2, or int (n,)
    seed : int
        Draws the simulated questions of `KeyAudit.power`.

    Raises
    ------
    ValueError
        For another shape or other values, or fewer than 5 systems.

    Notes
    -----
    A system of ability θ knows the right option with probability σ(a θ + d), a > 0, and otherwise
    chooses any other. If the key is right, it is that option. The parameters of each question have
    a distribution over a grid, whose normal prior is learned from the set; so has the ability of
    each system (variational EM). The probability of question j uses abilities from the other
    questions.

    Systems that share data or a family make the same errors and are not so many witnesses. A
    system's weight is 1 / (1 + the sum of its error correlations with the others), of those
    correlations that are more than three standard errors above 0.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> right = rng.random((30, 50)) < np.linspace(0.4, 0.95, 30)[:, None]
    >>> right[:, 7] = ~right[:, 7]
    >>> np.flatnonzero(audit(right).is_suspected).tolist()
    [7]
    """
    answers = _Answers.of(right, n_options)
    fitted = _fit(answers)
    weight = _weights(answers, fitted)
    answers = replace(answers, weight=weight)
    fitted = _fit(answers)
    evidence = _evidence(answers, fitted, weight)
    only_best_miss = _evidence(answers, fitted, _without_best(weight, fitted)) <= 0
    probability = np.asarray(expit(evidence + fitted.log_odds))
    power = _power(answers, fitted, np.random.default_rng(seed))
    return KeyAudit(
        evidence=evidence,
        probability=probability,
        only_best_miss=only_best_miss,
        is_suspected=_suspected(probability, ~only_best_miss & (power >= LEAST_POWER)),
        share=fitted.share,
        ability=fitted.ability,
        weight=weight,
        power=power,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """Hits and misses of the keys as 0 and 1 (m, n), options (n,), and weights of systems (m,)."""

    hits: Floats
    misses: Floats
    n_options: NDArray[np.int64]
    weight: Floats

    @classmethod
    def of(cls, right: ArrayLike, n_options: ArrayLike) -> _Answers:
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
class _Fit:
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

    def without(self, answers: _Answers, column: int) -> Floats:
        """Return the abilities (m, 33) that follow from all questions but one."""
        own = np.outer(answers.hits[:, column], self.hit[column])
        own += np.outer(answers.misses[:, column], self.miss[column])
        return np.asarray(softmax(np.log(np.maximum(self.posterior, 1e-300)) - own, axis=1))


def _fit(answers: _Answers) -> _Fit:
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
    return _Fit(posterior, hit, miss, p, prior, share)


def _start(answers: _Answers) -> Floats:
    """Return abilities around the standardised shares of hits."""
    totals = answers.hits + answers.misses
    share = answers.hits.sum(axis=1) / np.maximum(totals.sum(axis=1), 1.0)
    z = (share - share.mean()) / max(float(share.std()), 1e-9)
    return np.asarray(softmax(-(((NODES - z[:, None]) / START_SD) ** 2) / 2, axis=1))


def _of_questions(
    answers: _Answers, posterior: Floats, prior: Floats, share: float
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


def _missed(answers: _Answers, if_wrong: Floats) -> Floats:
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


def _evidence(answers: _Answers, fitted: _Fit, weight: Floats) -> Floats:
    """Return the log-likelihood ratio (n,) of a wrong to a right key."""
    ratios = np.empty(len(answers.n_options))
    for j, k in enumerate(answers.n_options):
        tables = _log_tables(fitted.without(answers, j), int(k))
        hits, misses = weight * answers.hits[:, j], weight * answers.misses[:, j]
        ratios[j] = _ratio(tables, hits, misses, fitted.prior)
    return ratios


def _log_tables(ability: Floats, k: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return log-probabilities (m, 273): of a hit and a miss, if the key is right and if wrong."""
    knows = np.clip(ability @ expit(LOGITS).T, 1e-12, 1 - 1e-12)
    hit, miss = np.log(knows), np.log1p(-knows)
    return hit, miss, miss - np.log(k - 1), hit if k == 2 else np.log1p(-(1 - knows) / (k - 1))


def _ratio(
    tables: tuple[Floats, Floats, Floats, Floats], hits: Floats, misses: Floats, prior: Floats
) -> Floats:
    """Return the log-likelihood ratios of questions with weighted hits and misses (..., m)."""
    right = hits @ tables[0] + misses @ tables[1]
    wrong = hits @ tables[2] + misses @ tables[3]
    return np.asarray(logsumexp(wrong + prior, axis=-1) - logsumexp(right + prior, axis=-1))


def _weights(answers: _Answers, fitted: _Fit) -> Floats:
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


def _without_best(weight: Floats, fitted: _Fit) -> Floats:
    best = np.argsort(-fitted.ability)[: max(1, round(BEST * len(weight)))]
    left = weight.copy()
    left[best] = 0.0
    return left


def _suspected(probability: Floats, may_be: Flags) -> Flags:
    """Return the longest list of likely wrong keys, of which a tenth is expected to be right."""
    order = np.argsort(-probability, kind="stable")
    order = order[may_be[order] & (probability[order] >= 0.5)]
    false = np.cumsum(1 - probability[order]) / np.arange(1, len(order) + 1)
    suspected = np.zeros(len(probability), dtype=bool)
    suspected[order[: np.count_nonzero(false <= FALSE_SHARE)]] = True
    return suspected


def _power(answers: _Answers, fitted: _Fit, rng: np.random.Generator) -> float:
    """Return the share of simulated questions with a wrong key that get a probability of a half."""
    m, k = len(answers.hits), int(np.median(answers.n_options))
    drawn = rng.choice(len(fitted.prior), size=DRAWS, p=np.exp(fitted.prior))
    above = rng.random((m, 1)) > fitted.posterior.cumsum(axis=1)
    node = above.sum(axis=1).clip(max=len(NODES) - 1)
    hits = rng.random((DRAWS, m)) < expit(-LOGITS[drawn][:, node]) / (k - 1)
    tables = _log_tables(fitted.posterior, k)
    ratios = _ratio(tables, answers.weight * hits, answers.weight * ~hits, fitted.prior)
    return float(np.mean(ratios + fitted.log_odds >= 0))
