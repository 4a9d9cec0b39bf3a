"""Features of the surface of texts, and the ratios of their counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.special import expit, softmax

from collection.core.advice.polarity import polarity
from collection.core.matching import best_place, fold
from collection.core.words import words
from corpora.core.items import BLANK, TwinItem
from filtering.core.pmi import Association, tokens, word_pmi

KNOTS = np.linspace(-4.5, 4.5, 37)
BENDING = 10.0 ** np.arange(5, -7, -1.5)  # penalties, from a parabola to flexible
SLOPE = 0.02  # penalty; keeps the slope finite where labels do not overlap
DEGREE = 2.5  # deviance charged per degree of freedom; see `log_ratios`
STEPS, HALVINGS, CLOSE = 50, 12, 1e-3

Floats = NDArray[np.float64]


def log_ratios(places: Floats, first: Floats, second: Floats) -> Floats:
    """Return log p(x | y = 1) / p(x | y = 2) at each place, for many sets at once.

    Parameters
    ----------
    places : float (n_places,)
        Rising, mostly between ±4.5.
    first, second : float (n_sets, n_places), at least 0
        Number of rows of each label at each place; at least one of each in every set.

    Returns
    -------
    float (n_sets, n_places)

    Notes
    -----
    A logistic regression of the label on a cubic spline, straight beyond ±4.5, averaged over eight
    penalties on its third derivative. A penalty has the weight exp(-c / 2), where c is the deviance
    plus 2.5 times the degrees of freedom. So the ratio is a parabola, as for any two normals,
    unless the rows indicate otherwise. With 2 times (Akaike's) a difference is found too often in
    small sets without one; with log n times (Schwarz's) large sets are smoothed too much.

    Source: the ratio of two densities by logistic regression, Qin (Biometrika 1998); the spline,
    its penalty and its degrees of freedom, Hastie, Tibshirani and Friedman, The Elements of
    Statistical Learning (2009), sections 5.2 to 5.6; the weights, Buckland, Burnham and Augustin
    (Biometrics 1997).
    """
    basis, bend, slope = _spline(places)
    prior = np.log(first.sum(axis=1) / second.sum(axis=1))
    at_knots = np.repeat(prior[:, None], len(KNOTS), axis=1)  # (n_sets, n_knots)
    worth, logits = [], []
    for bending in BENDING:
        at_knots, degrees = _fit(basis, first, second, bending * bend + SLOPE * slope, at_knots)
        logits.append(at_knots @ basis.T)  # (n_sets, n_places)
        worth.append(_loss(logits[-1], first, second) + DEGREE / 2 * degrees)
    weights = softmax(-np.array(worth), axis=0)  # (n_bendings, n_sets)
    mean = np.einsum("bs,bsp->sp", weights, np.array(logits))
    return np.asarray(mean - prior[:, None])


def _spline(places: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the matrix from a spline's values at the knots to the places (n_places, n_knots).

    Also the integrals of its squared third and first derivatives (n_knots, n_knots).
    """
    spline = CubicSpline(KNOTS, np.eye(len(KNOTS)), bc_type="not-a-knot")
    within = np.clip(places, KNOTS[0], KNOTS[-1])
    basis = spline(within) + (places - within)[:, None] * spline(within, 1)
    fine = np.linspace(KNOTS[0], KNOTS[-1], 601)
    step = fine[1] - fine[0]
    bend, slope = (spline(fine, order).T @ spline(fine, order) * step for order in (3, 1))
    return basis, bend, slope


def _loss(logits: Floats, first: Floats, second: Floats) -> Floats:
    """Return each set's negative log-likelihood (n_sets,)."""
    return np.asarray(((first + second) * np.logaddexp(0, logits) - first * logits).sum(axis=1))


def _fit(
    basis: Floats, first: Floats, second: Floats, penalty: Floats, start: Floats
) -> tuple[Floats, Floats]:
    """Minimise the penalised loss by Newton's method; return values at knots, degrees of freedom.

    Both for all sets: (n_sets, n_knots) and (n_sets,).
    """
    both, n_knots = first + second, basis.shape[1]
    squares = (basis[:, :, None] * basis[:, None, :]).reshape(len(basis), -1)

    def cost(values: Floats) -> Floats:
        bent = ((values @ penalty) * values).sum(axis=1) / 2
        return np.asarray(_loss(values @ basis.T, first, second) + bent)

    values, now = start, cost(start)
    for _ in range(STEPS):
        chance = expit(values @ basis.T)  # (n_sets, n_places)
        gradient = (both * chance - first) @ basis + values @ penalty
        curved = ((both * chance * (1 - chance)) @ squares).reshape(-1, n_knots, n_knots)
        whole = curved + penalty + 1e-9 * np.eye(n_knots)
        step = np.linalg.solve(whole, gradient[:, :, None])[:, :, 0]
        if ((step * gradient).sum(axis=1) < CLOSE).all():
            break
        for _ in range(HALVINGS):
            worse = cost(values - step) > now
            if not worse.any():
                break
            step[worse] /= 2
        values = values - step
        now = cost(values)
    degrees = np.trace(np.linalg.solve(whole, curved), axis1=1, axis2=2)
    return values, degrees


# Each feature and its value if it is independent of the answer; None if it has no such value.
FEATURES: dict[str, float | None] = {
    "answer_is_first": 0.5,
    "right_stands_first": 0.5,
    "right_is_longer": 0.5,
    "words": None,
    "trigger_pmi": None,
    "polarity_clear": None,
    "polarity_right": 0.5,
    "polarity_pattern": None,
}
# Trigger words with fewer occurrences are ignored: three in four of them with one answer may be
# chance (sign test, 5 %).
LEAST_COUNT = 20


Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Every question's values, and its trigger words.

    Parameters
    ----------
    values : dict of float (n,)
        For each of `FEATURES`, nan where it is undefined for a question:

        ``answer_is_first``
            1 where the answer is option 1, else 0.
        ``right_stands_first``
            1 where the right option is named first in the sentence, 0 where the wrong one is.
        ``right_is_longer``
            1 where the right option has more characters, 0 where fewer, 0.5 where as many.
        ``words``
            Length of the sentence.
        ``trigger_pmi``
            Sum of PMI(y; w), y the question's own answer, over the words that its twin lacks and
            that occur as trigger words at least `LEAST_COUNT` times. Counted over the same
            questions, so slightly above 0 for words without information. Undefined for a question
            without such a word, including unpaired questions.
        ``polarity_clear``
            1 where good and bad words favour one of the options; see `polarity`.
        ``polarity_right``
            1 where they favour the right one, 0 for the wrong one; undefined where unclear.
        ``polarity_pattern``
            1 where they favour the right option in both questions of a twin (Table 2), else 0.
            Undefined for an unpaired question.
    triggers : tuple of Counter
        The words that a question has and its twin lacks, empty for an unpaired question.
    polarity : float (n,)
        How strongly polarity favours the right option (above 0) or the wrong one; 0 if unclear.

    Source: WinoGrande §3 ("What bias has been actually detected by AFLITE?") and Table 2.
    """

    values: dict[str, Floats]
    triggers: tuple[Counter[str], ...]
    polarity: Floats


def surface(questions: Sequence[TwinItem]) -> Surface:
    """Compute the surface features of every question; twins share ``group`` in *questions*."""
    answers = np.array([question.answer for question in questions])
    partner = _partners(questions)
    triggers = _triggers(questions, partner)
    leanings = np.array([_toward_right(question) for question in questions])
    alone = np.array([row is None for row in partner])
    other = np.array([i if row is None else row for i, row in enumerate(partner)], dtype=np.intp)
    pattern = (leanings > 0) & (leanings[other] > 0) if len(other) else np.zeros(0, dtype=bool)
    values = {
        "answer_is_first": (answers == 1).astype(float),
        "right_stands_first": np.array([_stands_first(question) for question in questions]),
        "right_is_longer": np.array([_is_longer(question) for question in questions]),
        "words": np.array([float(len(words(question.sentence))) for question in questions]),
        "trigger_pmi": _trigger_pmi(triggers, answers.tolist()),
        "polarity_clear": (leanings != 0).astype(float),
        "polarity_right": np.where(leanings == 0, np.nan, (leanings > 0).astype(float)),
        "polarity_pattern": np.where(alone, np.nan, pattern.astype(float)),
    }
    return Surface(values, triggers, leanings)


@dataclass(frozen=True, slots=True)
class LeaningWord:
    """A trigger word that occurs more often with one of the answers.

    Parameters
    ----------
    word : str
    before, after : tuple (n1, n2)
        Number of questions with answer 1 and with answer 2 of which it is a trigger word, in the
        whole set and among those kept.
    pmi : float
        PMI(y = 1; w) over the trigger words of the whole set.
    """

    word: str
    before: tuple[int, int]
    after: tuple[int, int]
    pmi: float


def leaning_words(
    found: Surface, answers: Sequence[int], kept: Bools, *, limit: int = 10
) -> list[LeaningWord]:
    """Return the trigger words whose PMI with an answer is farthest from 0, the farthest first.

    Words with fewer than `LEAST_COUNT` occurrences are left out; ties are in alphabetical order.
    """
    rows, all_of_them = word_pmi(found.triggers, answers)
    pmi = all_of_them.pmi() if rows else np.empty((0, 2))
    after = _counts(found, answers, kept)
    ranked = sorted(
        _often(rows, all_of_them), key=lambda word: (-abs(float(pmi[rows[word], 0])), word)
    )
    return [
        LeaningWord(
            word,
            _pair(all_of_them.counts[rows[word]]),
            (after[word, 1], after[word, 2]),
            float(pmi[rows[word], 0]),
        )
        for word in ranked[:limit]
    ]


def _pair(counts: NDArray[np.int64]) -> tuple[int, int]:
    return int(counts[0]), int(counts[1])


def _counts(features: Surface, answers: Sequence[int], is_kept: Bools) -> Counter[tuple[str, int]]:
    counts: Counter[tuple[str, int]] = Counter()
    for bag, answer, stays in zip(features.triggers, answers, is_kept.tolist(), strict=True):
        if stays:
            counts.update({(word, answer): count for word, count in bag.items()})
    return counts


def _partners(questions: Sequence[TwinItem]) -> list[int | None]:
    """Return the row of each question's twin, None for an unpaired question."""
    first: dict[str, int] = {}
    partner: list[int | None] = [None] * len(questions)
    for row, question in enumerate(questions):
        other = first.setdefault(question.group, row)
        if other != row:
            partner[row], partner[other] = other, row
    return partner


def _triggers(
    questions: Sequence[TwinItem], partner: Sequence[int | None]
) -> tuple[Counter[str], ...]:
    bags = [Counter(tokens(question.sentence)) for question in questions]
    return tuple(
        Counter() if other is None else bag - bags[other]
        for bag, other in zip(bags, partner, strict=True)
    )


def _trigger_pmi(triggers: Sequence[Counter[str]], answers: Sequence[int]) -> Floats:
    rows, association = word_pmi(triggers, answers)
    often = _often(rows, association)
    pmi = association.pmi() if often else np.empty((0, 2))
    scores = np.full(len(triggers), np.nan)
    for i, (bag, answer) in enumerate(zip(triggers, answers, strict=True)):
        if common := bag.keys() & often:
            scores[i] = fsum(bag[word] * pmi[rows[word], answer - 1] for word in common)
    return scores


def _often(rows: Mapping[str, int], association: Association) -> set[str]:
    """Return the words with at least `LEAST_COUNT` occurrences."""
    totals = association.counts.sum(axis=1)
    return {word for word, row in rows.items() if totals[row] >= LEAST_COUNT}


def _toward_right(question: TwinItem) -> float:
    felt = polarity(question.sentence, question.options)
    leaning = 0.0 if felt is None else felt.leaning()
    return leaning if question.answer == 1 else -leaning


def _stands_first(question: TwinItem) -> float:
    folded = fold(question.sentence.partition(BLANK)[0])
    places = [best_place(option, folded) for option in question.options]
    if places[0] is None or places[1] is None or places[0].start == places[1].start:
        return float("nan")
    first = 1 if places[0].start < places[1].start else 2
    return float(first == question.answer)


def _is_longer(question: TwinItem) -> float:
    sizes = [len(option) for option in question.options]
    if sizes[0] == sizes[1]:
        return 0.5
    return float((sizes[0] > sizes[1]) == (question.answer == 1))
