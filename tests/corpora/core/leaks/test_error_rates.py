"""Simulations with a known truth: false alarms, and the power that reports state."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from corpora.core.leaks.report import leak_report
from stats.binomial import fewest_hits
from tests.corpora.core.leaks.releases_of_coins import (
    Row,
    Rows,
    clean,
    file_of,
    published,
    texts,
    told,
)

pytestmark = pytest.mark.long

SEEDS = 400


def test_clean_releases_raise_no_more_false_alarms_than_stated():
    reports = [leak_report(release(seed), alpha=0.05) for seed in range(SEEDS)]
    alarms = sum(report.leaks for report in reports)
    assert alarms <= 0.05 * SEEDS + 3 * np.sqrt(0.05 * 0.95 * SEEDS)


def release(seed: int):
    rows = clean(80, 40, seed=seed)
    bases = sorted({row.qid[:-2] for row in rows})
    names = {base: ("train_xl", "dev", "test")[i % 3] for i, base in enumerate(bases)}
    splits = {
        name: [row for row in rows if names[row.qid[:-2]] == name]
        for name in ("train_xl", "dev", "test")
    }
    return [file_of(part, f"{name}.jsonl") for name, part in splits.items()]


def test_clean_releases_of_the_same_questions_raise_no_more_either():
    alarms = 0
    for seed in range(SEEDS):
        known = texts(30, 30, seed=seed)
        first, second = (file_of(published(known, seed=2 * seed + i)) for i in range(2))
        report = leak_report([second], name="r2", earlier={"r1": [first]}, alpha=0.05)
        alarms += report.leaks
    assert alarms <= 0.05 * SEEDS + 3 * np.sqrt(0.05 * 0.95 * SEEDS)


def test_three_clean_releases_raise_no_more_either():
    alarms = 0
    for seed in range(SEEDS):
        known = texts(30, 30, seed=seed)
        first, second, third = (file_of(published(known, seed=3 * seed + i)) for i in range(3))
        earlier = {"r1": [first], "r2": [second]}
        alarms += leak_report([third], name="r3", earlier=earlier, alpha=0.05).leaks
    assert alarms <= 0.05 * SEEDS + 3 * np.sqrt(0.05 * 0.95 * SEEDS)


def test_a_leak_of_the_stated_size_is_found_with_the_stated_power():
    """In 800 releases whose share of right answers is drawn again each time."""
    stated = leak_report([file_of(clean(150, 150, seed=0))]).sections[0].publication[0]
    fewest = fewest_hits(300, level=stated.alpha / stated.n_tests)
    n = 800
    releases = [clean(150, 150, seed=1000 + seed) for seed in range(n)]
    for power, accuracy in zip((0.8, 0.9), stated.detectable, strict=True):
        shares = [right(planted(rows, seed, accuracy)) for seed, rows in enumerate(releases)]
        found = sum(one >= fewest for one in shares) / n
        assert found >= power - 3 * np.sqrt(power * (1 - power) / n)
        # It is not stated far too large either.
        assert found <= power + 0.01 + 3 * np.sqrt(power * (1 - power) / n)


def test_a_report_finds_a_leak_exactly_from_the_fewest_hits_on():
    """So the simulation above need not make whole reports."""
    for seed in range(30):
        rows = planted(clean(150, 150, seed=seed), seed, 0.65)
        family = leak_report([file_of(rows)]).sections[0].publication[0]
        fewest = fewest_hits(300, level=family.alpha / family.n_tests)
        is_found = any(one.clue == "ending of qID" for one in family.found)
        assert is_found == (right(rows) >= fewest)


def test_the_power_of_the_summary_holds_for_a_small_earlier_release_too():
    """Its rows are examined with the later one's, so the weakest tests of the report are on them.

    The leak: two clues agree, the ending in the later release and the domain. What the later
    release alone would state is not found that often.
    """
    known = texts(150, 150, seed=0)
    later = published(known, seed=0)
    ending = {row.sentence: row.qid[-1] for row in later}
    report = pooled(published(known[90:210], seed=1), later)
    (weakest,) = (s for s in report.sections if s.release == "r1" and s.others)
    fewest = fewest_hits(120, level=weakest.alpha / 3 / weakest.publication[1].n_tests)
    alone = max(family.detectable[0] for family in report.sections[0].publication)
    n, found = 800, {}
    for accuracy in (report.detectable, alone):
        shares = []
        for seed in range(n):
            rows = published(known[90:210], seed=1000 + seed)
            leaking = told(rows, says(ending), random.Random(seed), share=2 * accuracy - 1)
            shares.append(agreeing(leaking, ending))
        found[accuracy] = sum(one >= fewest for one in shares) / n
    error = 3 * np.sqrt(0.16 / n)
    assert 0.8 - error <= found[report.detectable] <= 0.83 + error
    assert found[alone] < 0.5


def test_a_leak_with_a_later_release_is_found_exactly_from_the_fewest_hits_on():
    known, seen = texts(60, 60, seed=0), set()
    later = published(known, seed=0)
    ending = {row.sentence: row.qid[-1] for row in later}
    for seed in range(20):
        rng = random.Random(seed)
        rows = told(published(known, seed=9000 + seed), says(ending), rng, share=0.5)
        (section,) = (s for s in pooled(rows, later).sections if s.release == "r1" and s.others)
        family = section.publication[1]
        fewest = fewest_hits(120, level=family.alpha / family.n_tests)
        clues = {frozenset(one.clue.split(", ")) for one in family.found}
        is_found = frozenset({"ending of qID in r2", "domain social"}) in clues
        assert is_found == (agreeing(rows, ending) >= fewest)
        seen.add(is_found)
    assert seen == {True, False}


def pooled(first: Rows, second: Rows):
    return leak_report([file_of(second)], name="r2", earlier={"r1": [file_of(first)]})


def says(ending: dict[str, str]) -> Callable[[Row], bool]:
    return lambda row: (ending[row.sentence] == "1") == (row.domain == "social")


def agreeing(rows: Rows, ending: dict[str, str]) -> int:
    first = {row.qid[:-2]: row for row in reversed(rows)}
    return sum((row.answer == 1) == says(ending)(row) for row in first.values())


def planted(rows: Rows, seed: int, accuracy: float) -> Rows:
    rng = random.Random(f"leak {seed}")
    return told(rows, lambda row: row.qid.endswith("1"), rng, share=2 * accuracy - 1)


def right(rows: Rows) -> int:
    """How many twins and unpaired questions the ending of the id is right on."""
    first = {row.qid[:-2]: row for row in reversed(rows)}
    return sum((row.answer == 1) == row.qid.endswith("1") for row in first.values())
