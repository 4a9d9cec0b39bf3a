"""Which answer keys of a set are probably wrong, by systems' answers, twins and people's votes.

Able systems miss a question whose key is wrong, and weak ones hit it by mistake. Both hypotheses
about a key are item response models with a positive discrimination: of the key, or of another
option. Their marginal likelihoods and the share of wrong keys, learned from the whole set, give
each question a probability of a wrong key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from evaluation.core import key_model
from evaluation.core.key_model import Answers, Fit, Floats
from evaluation.core.key_power import (
    FALSE_SHARE,
    LEAST_POWER,
    SystemsNeeded,
    power_of,
    systems_needed,
)
from evaluation.core.twin_evidence import Pairs

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

BEST = 0.1
"""The share of systems without whom a suspicion must hold, too."""
NO_TWIN = -1
STEPS = 50
SURE = 0.9
"""The probability of the key from votes below which people are split."""
SPLIT = (0.3, 0.7)
"""The abler half's share of hits between which the systems are split."""


class Finding(StrEnum):
    """What an audit says of a key: it is suspected, or who is split about it."""

    NOTHING = "nothing"
    KEY = "key"
    PEOPLE = "people"
    MODELS = "models"
    BOTH = "both"


@dataclass(frozen=True, slots=True, eq=False)
class KeyFigures:
    """Probabilities that keys are wrong.

    Parameters
    ----------
    evidence : float (n,)
        The log-likelihood ratio of a wrong to a right key, from the answers to the question.
    twin_evidence : float (n,)
        What the answers to both twins together add to it; nan without a twin.
    people_evidence : float (n,)
        The log-likelihood ratio from votes, among questions that these votes let into the set; 0
        without votes.
    probability : float in [0, 1] (n,)
        Of a wrong key, given all three.
    only_best_miss : bool (n,)
        Whether there is no evidence without the most able tenth of the systems. Such a key may be
        right, and is not suspected by this alone.
    findings : Finding (n,)
        Suspected are the questions of highest probability, of which at most a tenth is expected to
        have a right key; none if `power` is below one half.
    share : float
        The estimated share of wrong keys.
    ability, weight : float (m,)
        Of each system; the weight is 1 for one whose errors are its own, and 1/k for one of k that
        make the same errors.
    power : float
        The share of wrong keys that the systems' answers, to twins too, would give a probability of
        at least 0.9, for questions like these and these systems. Such keys are suspected.
    needed : SystemsNeeded (5,)
    """

    evidence: Floats
    twin_evidence: Floats
    people_evidence: Floats
    probability: Floats
    only_best_miss: Flags
    findings: tuple[Finding, ...]
    share: float
    ability: Floats
    weight: Floats
    power: float
    needed: tuple[SystemsNeeded, ...]

    @property
    def can_tell(self) -> bool:
        """Whether at least half of the wrong keys would be found."""
        return self.power >= LEAST_POWER

    @property
    def is_suspected(self) -> Flags:
        return np.array([one == Finding.KEY for one in self.findings])


def audit(
    right: ArrayLike,
    *,
    n_options: ArrayLike = 2,
    twins: ArrayLike | None = None,
    people: ArrayLike | None = None,
    seed: int = 0,
) -> KeyFigures:
    """Return the probability of a wrong key for each question of a set.

    Parameters
    ----------
    right : int (m, n)
        1 if the system chose the key, 0 if another option, -1 without an answer.
    n_options : int, at least 2, or int (n,)
    twins : int (n,), optional
        The row of each question's twin, which has the same two options and the opposite key; -1
        without one.
    people : float in (0, 1) (n,), optional
        The probability that the key is right from people's votes alone, with even odds before
        them; nan without votes.
    seed : int
        Draws the simulated questions of `KeyFigures.power`.

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

    For twins see `learn_pairs`. Votes often decided which questions are in a set, so that all
    have votes for their keys. Among such questions a likelihood ratio has a mean of 1 where keys
    are right: the ratios of votes are divided by their mean, weighted by the probability of a right
    key. Votes and systems' answers are taken as independent, given the key and the parameters.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> right = rng.random((30, 50)) < np.linspace(0.4, 0.95, 30)[:, None]
    >>> right[:, 7] = ~right[:, 7]
    >>> np.flatnonzero(audit(right).is_suspected).tolist()
    [7]
    """
    answers = Answers.of(right, n_options)
    columns = _pairs(answers, twins)
    votes = _votes(answers, people)
    weight = key_model.weights_of(answers, key_model.fit(answers))
    answers = replace(answers, weight=weight)
    fitted = key_model.fit(answers)
    without_best = _without_best(weight, fitted)
    evidence, left = key_model.evidence_of(answers, fitted, weight, without_best)
    pairs = Pairs.of(columns, answers, fitted)
    twin = _with_twins(answers, fitted, weight, pairs) - evidence
    left = np.fmax(left, _with_twins(answers, fitted, without_best, pairs))
    systems = evidence + np.nan_to_num(twin)
    share, by_people = _combine(systems, votes, fitted.share)
    probability = np.asarray(expit(systems + by_people + _log_odds(share)))
    rng = np.random.default_rng(seed)
    power = power_of(answers, fitted, without_best, pairs, rng)
    may_be = (left + by_people > 0) & (power >= LEAST_POWER)
    suspected = _suspected(probability, may_be)
    return KeyFigures(
        evidence=evidence,
        twin_evidence=twin,
        people_evidence=by_people,
        probability=probability,
        only_best_miss=left <= 0,
        findings=tuple(_findings(suspected, votes, _abler_share(answers, fitted))),
        share=share,
        ability=fitted.ability,
        weight=weight,
        power=power,
        needed=tuple(systems_needed(answers, fitted, rng)),
    )


def _pairs(answers: Answers, twins: ArrayLike | None) -> Ints:
    """Return the columns of both twins of each pair (p, 2)."""
    n = len(answers.n_options)
    columns = np.full(n, NO_TWIN) if twins is None else np.asarray(twins, dtype=np.int64)
    if columns.shape != (n,) or (columns < NO_TWIN).any() or (columns >= n).any():
        raise ValueError("twins must have the row of each question's twin, or -1")
    first = np.flatnonzero(columns > np.arange(n))
    second = columns[first]
    if (columns[second] != first).any() or (columns != NO_TWIN).sum() != 2 * len(first):
        raise ValueError("twins must be each other's twin")
    if (answers.n_options[[first, second]] != 2).any():
        raise ValueError("twins must have two options")
    return np.stack([first, second], axis=1)


def _votes(answers: Answers, people: ArrayLike | None) -> Floats:
    n = len(answers.n_options)
    votes = np.full(n, np.nan) if people is None else np.asarray(people, dtype=np.float64)
    if votes.shape != (n,) or not ((votes > 0) & (votes < 1) | np.isnan(votes)).all():
        raise ValueError("people must have a probability between 0 and 1, or nan, of each question")
    return votes


def _with_twins(answers: Answers, fitted: Fit, weight: Floats, pairs: Pairs | None) -> Floats:
    """Return the evidence (n,) from the answers to both twins; nan without a twin."""
    found = np.full(len(answers.n_options), np.nan)
    if pairs is None:
        return found
    found[pairs.columns] = pairs.evidence(weight * pairs.hits, fitted.posterior, fitted)
    return found


def _log_odds(share: float) -> float:
    return float(np.log(share) - np.log1p(-share))


def _combine(systems: Floats, votes: Floats, share: float) -> tuple[float, Floats]:
    """Return the share of wrong keys, and the evidence of votes (n,), that fit one another."""
    has_votes = ~np.isnan(votes)
    ratios = np.where(has_votes, (1 - votes) / votes, 1.0)
    evidence = np.zeros(len(votes))
    for _ in range(STEPS):
        before = evidence
        right = expit(-(systems + _log_odds(share)))[has_votes]
        if has_votes.any():
            mean = (right @ ratios[has_votes]) / max(float(right.sum()), 1e-9)
            evidence = np.where(has_votes, np.log(ratios / mean), 0.0)
        wrong = expit(systems + evidence + _log_odds(share)).sum()
        new = (wrong + key_model.WRONG) / (len(votes) + key_model.QUESTIONS)
        is_done = abs(new - share) < 1e-6 and np.abs(evidence - before).max() < 1e-6
        share = float(new)
        if is_done:
            break
    return share, evidence


def _without_best(weight: Floats, fitted: Fit) -> Floats:
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


def _abler_share(answers: Answers, fitted: Fit) -> Floats:
    """Return the share of hits (n,) among the abler half of the systems; nan without answers."""
    abler = np.where(fitted.ability >= np.median(fitted.ability), answers.weight, 0.0)
    hits, misses = abler @ answers.hits, abler @ answers.misses
    with np.errstate(invalid="ignore"):
        return np.asarray(hits / (hits + misses))


def _findings(suspected: Flags, votes: Floats, abler: Floats) -> Iterator[Finding]:
    people, models = votes < SURE, (abler >= SPLIT[0]) & (abler <= SPLIT[1])
    for is_suspected, by_people, by_models in zip(suspected, people, models, strict=True):
        if is_suspected:
            yield Finding.KEY
        elif by_people and by_models:
            yield Finding.BOTH
        elif by_people:
            yield Finding.PEOPLE
        else:
            yield Finding.MODELS if by_models else Finding.NOTHING
