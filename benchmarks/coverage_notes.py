"""Rows of `benchmarks.coverage`: notes about people of whom none is true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from benchmarks.coverage_people import PEOPLE, QUESTIONS, VOTES
from benchmarks.coverage_rows import Note, Pair
from evaluation.core.comparison import compare
from panels.core.people import leaning
from stats.agreement import agreement
from stats.intervals import wilson_ends
from stats.tables import label_counts
from validation.core.golds import Step, next_step
from validation.core.outliers import group_medians, log_seconds, robust_z
from validation.core.posteriors import Model
from validation.core.validator_figures import ENOUGH, Flag, Validators, validators
from validation.core.votes import Votes, step_seconds

SKILL, PASS_SHARE, WITHIN = 0.9, 0.7, 0.6
NOTES = {
    "speed": {Flag.FAST, Flag.SLOW},
    "agreement with others": {Flag.APART},
    "control questions": {Flag.GOLD},
}


@dataclass(frozen=True, slots=True)
class Crowd:
    """Validators of one skill.

    ``between`` is the standard deviation of their log speeds. Loads are unequal if ``uneven``.
    Control questions, a tenth of the votes, are right as often as the campaign requires.
    """

    n_people: int
    n_questions: int
    between: float
    uneven: bool


def campaign(rng: np.random.Generator, crowd: Crowd) -> Votes:
    """Simulate the votes of a campaign."""
    load = rng.gamma(0.7, size=crowd.n_people) + 0.02 if crowd.uneven else np.ones(crowd.n_people)
    order = np.log(load) + rng.gumbel(size=(crowd.n_questions, crowd.n_people))
    people = (-order).argsort(axis=1)[:, :VOTES].ravel()
    question = np.repeat(np.arange(crowd.n_questions), VOTES)
    n, hard = len(people), rng.normal(0, 0.8, crowd.n_questions)[question]
    gold = rng.random(n) < 0.1
    right = rng.random(n) < np.where(gold, PASS_SHARE, expit(logit(SKILL) + hard))
    pace = 2.2 + rng.normal(0, crowd.between, crowd.n_people)[people]
    seconds = np.exp(pace + rng.normal(0, WITHIN, n))
    begun = 1e9 + 1e4 * rng.permutation(n)
    no = np.zeros(n, dtype=bool)
    answer = rng.integers(1, 3, crowd.n_questions)[question]
    return Votes(
        question=question, twin=question, worker=people, option=np.where(right, answer, 3 - answer),
        answer=answer, ambiguous=no, local=np.zeros(n, dtype=np.int64), gold=gold, excluded=no,
        due=np.full(n, VOTES),
        reported=no, domain=np.zeros(n, dtype=np.int64), shown_at=begun, local_at=begun + 5,
        at=begun + 5 + seconds,
    )  # fmt: skip


def notes_before(votes: Votes, found: Validators) -> dict[str, bool]:
    """Return which notes the page had with thresholds for each validator alone."""
    _, second = step_seconds(votes)
    speeds = log_seconds(second)
    _, of = np.unique(votes.worker, return_inverse=True)
    medians = group_medians(of, speeds, n_groups=len(found.workers))
    enough = np.bincount(of, minlength=len(medians)) >= ENOUGH
    others, gold = found.others, found.gold
    usual = others.n_right.sum() / max(1, others.n.sum())
    high = wilson_ends(others.n_right, others.n)[1]
    of_gold = wilson_ends(gold.n_right, gold.n)[1]
    with np.errstate(invalid="ignore"):
        return {
            "speed": bool((np.abs(robust_z(np.where(enough, medians, np.nan))) >= 3.5).any()),
            "agreement with others": bool(((others.n >= ENOUGH) & (high < usual)).any()),
            "control questions": bool(((gold.n > 0) & (of_gold < PASS_SHARE)).any()),
            "very fast votes": bool((robust_z(speeds) <= -3.5).any()),
        }


def _no_skills(votes: Votes) -> Any:
    """Return unknown skills: no note depends on them, and to learn them takes most of the time."""
    k = len(np.unique(votes.worker[~votes.gold & ~votes.excluded]))
    coin = SimpleNamespace(skills=np.full(k, np.nan))
    table = SimpleNamespace(tables=np.full((k, 2, 2), np.nan))
    return SimpleNamespace(fits={Model.ONE_COIN: coin, Model.DAWID_SKENE: table})


def _of_validators(rng: np.random.Generator, *, name: str, crowd: Crowd) -> Pair:
    votes = campaign(rng, crowd)
    found = validators(votes, learnt=_no_skills(votes))
    flags = {flag for one in found.flags(gold_pass_share=PASS_SHARE) for flag in one}
    after = {name: bool(flags & of) for name, of in NOTES.items()}
    after["very fast votes"] = bool(found.n_fast.any())
    return notes_before(votes, found)[name], after[name]


def _first_option(rng: np.random.Generator, *, n_people: int, n: int) -> Pair:
    votes = [rng.random(max(1, 3 * n // n_people)) < 0.5 for _ in range(n_people)]
    return None, any(leaning([[(bool(one), 0.5) for one in each] for each in votes]))


def _low_alpha(rng: np.random.Generator, *, n: int) -> Pair:
    """Is alpha said to be below 0.667 where it is 0.667?"""
    answer = rng.integers(0, 2, n)
    skill = (1 + np.sqrt(0.667)) / 2  # of equal questions, this gives an alpha of 0.667
    right = rng.random((n, VOTES)) < skill
    labels = np.where(right, answer[:, None], 1 - answer[:, None])
    counts = label_counts(np.repeat(np.arange(n), VOTES), labels.ravel(), n_items=n, n_labels=2)
    found = agreement(counts, mirror=(1, 0)).alpha
    assert found.value is not None
    assert found.high is not None
    return found.value < 0.667 and n >= 30, found.high < 0.667


def _beside_systems(rng: np.random.Generator, *, n: int, n_systems: int) -> Pair:
    """Does any system differ from people's majority where all are equally accurate?"""
    ease = rng.normal(0, 0.8, n // 2)[np.arange(n) // 2]
    right: NDArray[np.bool_] = rng.random((1 + n_systems, n)) < expit(logit(0.85) + ease)
    found = compare({str(k): one for k, one in enumerate(right)}, np.arange(n) // 2)
    differ = any(one.p_corrected <= 0.05 for one in found.others.values())
    return differ, differ


def _gold_rule(rng: np.random.Generator, *, share: float) -> Pair:
    """Is a validator warned within 100 control questions?"""
    right = (rng.random(100) < share).tolist()
    steps = (next_step(right[:n][::-1], pass_share=PASS_SHARE, warned=False) for n in range(1, 101))
    warned = any(step != Step.NOTHING for step in steps)
    return warned, warned


def rows() -> Iterator[Note]:
    """Yield the notes of every page about people."""
    kinds = (("equal loads, one speed", 0.0, False), ("unequal loads, speeds differ", 0.4, True))
    for n_people, n, (words, between, uneven) in product((*PEOPLE, 40), QUESTIONS, kinds):
        crowd = Crowd(n_people, n, between, uneven)
        for name in (*NOTES, "very fast votes"):
            draw = partial(_of_validators, name=name, crowd=crowd)
            yield Note(f"note, {name}", f"{n_people} validators, {n} questions, {words}", draw)
    for n_people, n in product((*PEOPLE, 40), QUESTIONS):
        draw = partial(_first_option, n_people=n_people, n=n)
        yield Note("note, option shown first", f"{n_people} people, {n} questions", draw)
    for n in (30, *QUESTIONS):
        yield Note(
            "alert, alpha below 0.667", f"alpha 0.667, {n} questions", partial(_low_alpha, n=n)
        )
    for n, n_systems in product((100, 1000), (1, 4)):
        draw = partial(_beside_systems, n=n, n_systems=n_systems)
        yield Note("people and systems differ", f"{n_systems} systems, {n} questions", draw)
    for share in (0.8, 0.9, 0.95):
        draw = partial(_gold_rule, share=share)
        yield Note("rule, control questions", f"validator right on {share:.0%}", draw, level=None)
