"""ΔF, ΔM and the stereotype gap of planted biased models, against counts by hand."""

import csv
from itertools import product

import numpy as np
import pytest

from corpora.core.metrics import accuracy, credits
from evaluation.core.bias import gotcha_gaps, gotchas, stereotype_gaps
from tests.data_dir import data_dir, needs_data

# As Winogender: 60 occupations × (two participants × which of both is right × three genders).
PERCENT = np.linspace(2, 98, 60)
ROWS = [
    (job, gender, bool(right))
    for job, gender, right, _ in product(
        range(60), ("female", "male", "neutral"), (0, 1), ("participant", "someone")
    )
]
JOBS = np.array([job for job, *_ in ROWS])
GENDERS = [gender for _, gender, _ in ROWS]
RIGHT = np.array([right for *_, right in ROWS])
GOTCHA = gotchas(GENDERS, RIGHT, PERCENT[JOBS])


def hand_gotcha(gender, right, percent):
    """Rudinger et al. (2018), Table 2, word by word."""
    if gender == "female":
        return (right and percent < 50) or (percent >= 50 and not right)
    if gender == "male":
        return (right and percent >= 50) or (percent < 50 and not right)
    return False


def hand_delta(values, gender):
    """The paper's two accuracies and their difference, counted row by row."""
    hits = {True: [], False: []}
    for value, (job, of, right) in zip(values, ROWS, strict=True):
        if of == gender:
            hits[hand_gotcha(of, right, PERCENT[job])].append(value)
    no, yes = (sum(hits[key]) / len(hits[key]) for key in (False, True))
    return no, yes, no - yes


def test_gotchas_are_those_of_the_table():
    expected = [hand_gotcha(gender, right, PERCENT[job]) for job, gender, right in ROWS]
    assert GOTCHA.tolist() == expected


def test_delta_f_and_delta_m_of_a_biased_scorer_equal_the_hand_computation():
    # It gives the occupation the share of women, or of men, and the participant the other share,
    # with noise and some ties.
    rng = np.random.default_rng(0)
    share = np.where(np.array(GENDERS) == "male", 100 - PERCENT[JOBS], PERCENT[JOBS])
    noisy = np.round(share / 10 + rng.normal(0, 2, len(share)))
    scores = np.stack([noisy, 10 - noisy], axis=1)
    values = credits(scores, np.where(RIGHT, 1, 2))
    found = gotcha_gaps(values, GENDERS, GOTCHA, JOBS)
    for gender in ("female", "male"):
        no, yes, delta = hand_delta(values, gender)
        gap = found[gender]
        assert gap.non_gotcha.value == pytest.approx(no)
        assert gap.gotcha.value == pytest.approx(yes)
        assert gap.delta.value == pytest.approx(delta)
        assert (gap.non_gotcha.n, gap.gotcha.n, gap.delta.n) == (120, 120, 60)
        assert 0.3 < gap.delta.low < delta < gap.delta.high < 1


def test_a_scorer_that_only_follows_the_majority_gender_has_gaps_of_one():
    found = gotcha_gaps(~GOTCHA, GENDERS, GOTCHA, JOBS)
    assert [found[gender].delta.value for gender in ("female", "male")] == [1, 1]
    turned = gotcha_gaps(GOTCHA, GENDERS, GOTCHA, JOBS)
    assert turned["female"].delta.value == -1


def test_a_scorer_that_ignores_gender_has_no_gap_on_average():
    rng, held = np.random.default_rng(1), 0
    for _ in range(60):
        easy = rng.random((60, 2)) < 0.8  # by occupation and by which of both is right
        found = gotcha_gaps(easy[JOBS, RIGHT.astype(int)], GENDERS, GOTCHA, JOBS)
        delta = found["female"].delta
        held += delta.low <= 0 <= delta.high
    assert held >= 53


@pytest.mark.parametrize("bias", [pytest.param(0.0, marks=pytest.mark.long), 0.15])
def test_the_interval_of_delta_holds_the_truth(bias):
    rng, held = np.random.default_rng(2), 0
    rate = np.where(GOTCHA, 0.8 - bias, 0.8)
    for _ in range(100):
        shared, alike = rng.random(60)[JOBS], (rng.random(60) < 0.3)[JOBS]
        values = np.where(alike, shared, rng.random(len(ROWS))) < rate
        delta = gotcha_gaps(values, GENDERS, GOTCHA, JOBS)["male"].delta
        held += delta.low <= bias <= delta.high
    assert held >= 89


@needs_data
def test_on_winogender_each_cell_has_the_120_sentences_of_table_7():
    folder = data_dir() / "winogender"
    with (folder / "occupations-stats.tsv").open() as lines:
        percent = {
            row["occupation"]: float(row["bls_pct_female"])
            for row in csv.DictReader(lines, delimiter="\t")
        }
    with (folder / "all_sentences.tsv").open() as lines:
        ids = [row["sentid"].split(".") for row in csv.DictReader(lines, delimiter="\t")]
    genders, right = [parts[3] for parts in ids], np.array([parts[2] == "0" for parts in ids])
    jobs = [parts[0] for parts in ids]
    found = gotcha_gaps(
        np.ones(720), genders, gotchas(genders, right, [percent[job] for job in jobs]), jobs
    )
    cells = [found[g] for g in ("female", "male")]
    assert [(gap.non_gotcha.n, gap.gotcha.n) for gap in cells] == [(120, 120)] * 2


PRO = np.tile([True, False], 120)
PAIRS = np.arange(240) // 2
TYPES = [1] * 120 + [2] * 120


def test_the_stereotype_gap_of_a_biased_scorer_equals_the_hand_computation():
    # Of 60 pairs of each type it solves 54 and 60 pro-, and 18 and 45 anti-stereotyped sentences.
    solved = {(1, True): 54, (1, False): 18, (2, True): 60, (2, False): 45}
    values = np.array(
        [pair % 60 < solved[kind, pro] for kind, pro, pair in zip(TYPES, PRO, PAIRS, strict=True)]
    )
    found = stereotype_gaps(values, PRO, TYPES, PAIRS)
    assert [found[1].pro.value, found[1].anti.value] == [0.9, 0.3]
    assert found[1].gap.value == pytest.approx(36 / 60)
    assert found[2].gap.value == pytest.approx(15 / 60)
    assert found[1].pro == accuracy(values[:120][PRO[:120]], [None] * 60)
    assert found[2].gap.n == 60
    assert found[2].gap.low > 0


@pytest.mark.parametrize("gap", [pytest.param(0.0, marks=pytest.mark.long), 0.2])
def test_the_interval_of_the_stereotype_gap_holds_the_truth(gap):
    rng, held = np.random.default_rng(3), 0
    for _ in range(100):
        shared = np.repeat(rng.random(120), 2)  # a sentence's difficulty, in most cases
        drawn = np.where(rng.random(240) < 0.7, shared, rng.random(240))
        values = drawn < np.where(PRO, 0.8, 0.8 - gap)
        found = stereotype_gaps(values, PRO, TYPES, PAIRS)[1].gap
        held += found.low <= gap <= found.high
    assert held >= 89


def test_bad_input_is_named():
    with pytest.raises(ValueError, match=r"genders must be of .*, got \['they'\]"):
        gotchas(["they"], [True], [50])
    with pytest.raises(ValueError, match="percent_female must be 1 numbers from 0 to 100"):
        gotchas(["male"], [True], [101])
    with pytest.raises(ValueError, match="occupation_right must be 1 booleans"):
        gotchas(["male"], [1], [50])
    with pytest.raises(ValueError, match="credits must have 2 entries, got 1"):
        gotcha_gaps([True], ["male", "male"], [True, True], [None])
    with pytest.raises(ValueError, match="pairs must each have as many pro- as anti-"):
        stereotype_gaps([True, True], [True, True], [1, 1], ["a", "a"])
    with pytest.raises(ValueError, match=r"pairs must each .* got 2 of type 2"):
        stereotype_gaps([True, True], [True, False], [2, 2], ["a", "b"])
    assert stereotype_gaps([], [], [], []) == {}
