"""Rows of `benchmarks.coverage`: people's accuracy and agreement, with a known truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from benchmarks.coverage_rows import Interval, Pair, holds
from panels.core.people import people_scores
from stats.agreement import agreement
from stats.people import People
from stats.rated_items import LabelledVotes
from stats.tables import label_counts
from validation.core.human import human_performance

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

QUESTIONS, PEOPLE, SKILL_SDS = (100, 300, 1000), (4, 8, 14), (0.03, 0.10)
VOTES, MEAN, TWIN_SD, QUESTION_SD = 3, 0.85, 0.8, 0.56
MANY = 200_000  # questions of which the truth is computed


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Who answered which question, and how hard it is on a logit scale."""

    people: Ints  # (n, VOTES)
    twins: Ints  # (n,)
    skill: Floats  # (n, VOTES), of each vote's person
    ease: Floats  # (n,)


def skills(rng: np.random.Generator, n: int, sd: float) -> Floats:
    """Draw people: shares of right answers to a question of usual difficulty."""
    return np.clip(rng.normal(MEAN, sd, n), 0.5, 0.99)


def asked(rng: np.random.Generator, n: int, pool: Floats) -> Asked:
    """Ask three people of a pool about each question, and other three about its twin.

    With fewer than six people the questions have no twins.
    """
    paired = len(pool) >= 2 * VOTES
    order = rng.random((n // 2 if paired else n, len(pool))).argsort(axis=1)
    people = order[:, : 2 * VOTES].reshape(-1, VOTES) if paired else order[:, :VOTES]
    twins = np.arange(n) // 2 if paired else np.arange(n)
    ease = rng.normal(0, TWIN_SD, n)[twins] + rng.normal(0, QUESTION_SD, n)
    return Asked(people, twins, pool[people], ease)


def asked_anew(rng: np.random.Generator, n: int, sd: float) -> Asked:
    """Ask new people about every question."""
    people, twins = np.arange(n * VOTES).reshape(n, VOTES), np.arange(n) // 2
    ease = rng.normal(0, TWIN_SD, n)[twins] + rng.normal(0, QUESTION_SD, n)
    return Asked(people, twins, skills(rng, n * VOTES, sd).reshape(n, VOTES), ease)


def right_votes(rng: np.random.Generator, to: Asked) -> NDArray[np.bool_]:
    chances = expit(logit(to.skill) + to.ease[:, None])
    return np.asarray(rng.random(to.people.shape) < chances)


@lru_cache(maxsize=64)
def pool_of(n_people: int, sd: float) -> tuple[float, ...]:
    """Return the people of rows about "these people"."""
    return tuple(skills(np.random.default_rng([n_people, 7]), n_people, sd).tolist())


def _truth_set(n_people: int | None, sd: float, seed: int) -> tuple[np.random.Generator, Asked]:
    rng = np.random.default_rng([seed, n_people or 0])
    if n_people is None:
        return rng, asked_anew(rng, MANY, sd)
    return rng, asked(rng, MANY, np.array(pool_of(n_people, sd)))


@lru_cache(maxsize=64)
def accuracies(n_people: int | None, sd: float) -> dict[str, float]:
    """Return the truth of these people, or of the population if *n_people* is None."""
    rng, to = _truth_set(n_people, sd, 11)
    right = right_votes(rng, to)
    majority = 2 * right.sum(axis=1) > VOTES
    both = majority[0::2] & majority[1::2]
    return {
        "single": float(right.mean()),
        "majority": float(majority.mean()),
        "group": float(both.mean()),
    }


def _accuracy(
    rng: np.random.Generator, *, figure: str, n: int, n_people: int, sd: float, like_them: bool
) -> Pair:
    pool = skills(rng, n_people, sd) if like_them else np.array(pool_of(n_people, sd))
    to = asked(rng, n, pool)
    right = right_votes(rng, to)
    if figure == "group":
        answers = np.ones(n, dtype=np.int64)
        votes = np.where(right, 1, 2)
        scores = people_scores(votes, to.people, answers, to.twins, n_options=[2] * n)
        found = scores.group
    else:
        found = getattr(human_performance(right, to.people, to.twins), figure)
    truth = accuracies(None if like_them else n_people, sd)[figure]
    return _pair(found, truth, like_them=like_them)


def _pair(found: object, truth: float, *, like_them: bool) -> Pair:
    """Compare with the first interval before, and with the one that is for it after."""
    before = holds(found, truth)
    if not like_them:
        return before, before
    return before, holds(found, truth, low="people_low", high="people_high")


Labels = Callable[[np.random.Generator, Asked], Ints]


def answer_labels(rng: np.random.Generator, to: Asked) -> Ints:
    """Options, of which the right one is the first in half of the questions."""
    first = rng.random(len(to.twins)) < 0.5
    return np.asarray(right_votes(rng, to) == first[:, None]).astype(np.int64)


def ambiguity_labels(rng: np.random.Generator, to: Asked, *, share: float) -> Ints:
    """Votes that a question is ambiguous: some questions invite them, and so do some people."""
    lean = 5 * (to.skill - MEAN) + 1.5 * to.ease[:, None]
    return np.asarray(rng.random(to.people.shape) < expit(logit(share) - 1 + lean)).astype(np.int64)


def local_labels(rng: np.random.Generator, to: Asked) -> Ints:
    """Answers from the local context: mostly "cannot tell", sometimes an option."""
    guesses = rng.random(to.people.shape) < expit(-1.8 + 1.5 * to.ease[:, None])
    side = (rng.random(len(to.twins)) < 0.5)[:, None]
    option = np.where(rng.random(to.people.shape) < expit(to.ease)[:, None], side, ~side)
    return np.where(guesses, 1 + option, 0).astype(np.int64)


PARTS: dict[str, tuple[Labels, int, tuple[int, ...] | None]] = {
    "answer": (answer_labels, 2, (1, 0)),
    "ambiguity, 15 %": (partial(ambiguity_labels, share=0.15), 2, None),
    "ambiguity, 3 %": (partial(ambiguity_labels, share=0.03), 2, None),
    "local context": (local_labels, 3, (0, 2, 1)),
}


def _agreement(rng: np.random.Generator, to: Asked, part: str) -> object:
    draw, n_labels, mirror = PARTS[part]
    labels, item = draw(rng, to).ravel(), np.repeat(np.arange(len(to.twins)), VOTES)
    counts = label_counts(item, labels, n_items=len(to.twins), n_labels=n_labels)
    votes = LabelledVotes(People(item, to.people.ravel()), labels)
    return agreement(counts, groups=to.twins, mirror=mirror, votes=votes)


@lru_cache(maxsize=64)
def agreements(part: str, n_people: int | None, sd: float) -> dict[str, float]:
    rng, to = _truth_set(n_people, sd, 13)
    found = _agreement(rng, to, part)
    return {name: getattr(found, name).value for name in ("alpha", "kappa", "raw")}


def _agrees(
    rng: np.random.Generator,
    *,
    part: str,
    measure: str,
    n: int,
    n_people: int,
    sd: float,
    like_them: bool,
) -> Pair:
    pool = skills(rng, n_people, sd) if like_them else np.array(pool_of(n_people, sd))
    found = getattr(_agreement(rng, asked(rng, n, pool), part), measure)
    truth = agreements(part, None if like_them else n_people, sd)[measure]
    return None, _pair(found, truth, like_them=like_them)[1]


def rows() -> Iterator[Interval]:
    """Yield people's accuracy and agreement at every size."""
    for like_them, n_people, n, sd in product((False, True), PEOPLE, QUESTIONS, SKILL_SDS):
        whom = "people like them" if like_them else "these people"
        size = {"n": n, "n_people": n_people, "sd": sd, "like_them": like_them}
        setting = f"{whom}, {n_people} people with sd {sd:.2f}, {n} questions"
        for figure in ("single", "majority", "group"):
            if figure != "group" or n_people >= 2 * VOTES:
                draw = partial(_accuracy, figure=figure, **size)
                yield Interval(f"accuracy, {figure}", setting, draw)
        if sd == SKILL_SDS[-1]:
            for part in PARTS:
                draw = partial(_agrees, part=part, measure="alpha", **size)
                yield Interval(f"alpha, {part}", setting, draw)
            for measure in ("kappa", "raw"):
                draw = partial(_agrees, part="answer", measure=measure, **size)
                yield Interval(f"{measure}, answer", setting, draw)
