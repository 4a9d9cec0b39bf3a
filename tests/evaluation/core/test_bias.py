"""Bias, facets counted from patterns, and consistency over switched candidates."""

import csv
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.metrics import accuracy, credits
from evaluation.core.bias import gotcha_gaps, gotchas, stereotype_gaps
from evaluation.core.consistency import consistency
from evaluation.core.facets import NO_VOTES, Pattern, agreement_of, count_facets, votes_of
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


VALUES = st.lists(st.sampled_from("abc"), unique=True, max_size=3)
COUNTED = st.lists(st.tuples(VALUES, VALUES, st.integers(1, 3)), max_size=12)


@given(COUNTED, VALUES, VALUES)
def test_a_facet_counts_what_matches_the_others(
    rows: list[tuple[list[str], list[str], int]], ones: list[str], twos: list[str]
) -> None:
    patterns = [Pattern({"one": a, "two": b}, n, {}, {}) for a, b, n in rows]
    found = count_facets(patterns, {"one": ones, "two": twos})
    fits = [(not ones or set(a) & set(ones), not twos or set(b) & set(twos)) for a, b, _ in rows]
    assert found.total == sum(n for (_, _, n), (x, y) in zip(rows, fits, strict=True) if x and y)
    for value in "abc":
        one = sum(n for (a, _, n), (_, y) in zip(rows, fits, strict=True) if value in a and y)
        two = sum(n for (_, b, n), (x, _) in zip(rows, fits, strict=True) if value in b and x)
        assert found.facets.get("one", {}).get(value, 0) == one
        assert found.facets.get("two", {}).get(value, 0) == two


@given(st.integers(0, 9), st.integers(1, 9))
def test_an_agreement_is_read_as_it_was_written(right: int, votes: int) -> None:
    assert votes_of(agreement_of(right, votes)) == (right, votes)
    assert votes_of(NO_VOTES) == (0, 0)


@pytest.mark.parametrize("wrong", ["", "/", "2", "2/", "a/b", "-1/3", "²/3", "2/3/4"])
def test_what_is_no_agreement_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="agreement must be like"):
        votes_of(wrong)


N = 400
ANSWERS = np.tile([1, 2], N // 2)
UNGROUPED = [None] * N


def test_a_model_that_understands_follows_every_switch():
    before, after = np.eye(2)[ANSWERS - 1], np.eye(2)[2 - ANSWERS]
    found = consistency(before, after, ANSWERS, 3 - ANSWERS, UNGROUPED)
    assert [found.consistency.value, found.before.value, found.after.value] == [1, 1, 1]


def test_a_model_that_always_prefers_one_name_never_changes_its_answer():
    scores = np.tile([1.0, 0.0], (N, 1))
    found = consistency(scores, scores, ANSWERS, 3 - ANSWERS, UNGROUPED)
    assert [found.consistency.value, found.before.value, found.after.value] == [0, 0.5, 0.5]


def test_a_model_that_always_chooses_the_first_place_is_consistent_and_half_right():
    # Its answer changes with the switch although it understands nothing.
    before, after = np.tile([1.0, 0.0], (N, 1)), np.tile([0.0, 1.0], (N, 1))
    found = consistency(before, after, ANSWERS, 3 - ANSWERS, UNGROUPED)
    assert [found.consistency.value, found.before.value, found.after.value] == [1, 0.5, 0.5]


def test_the_order_in_which_options_are_listed_does_not_matter():
    rng = np.random.default_rng(0)
    before, after = rng.random((2, N, 2))
    by_name = consistency(before, after, ANSWERS, 3 - ANSWERS, UNGROUPED)
    by_place = consistency(before, after[:, ::-1], ANSWERS, ANSWERS, UNGROUPED)
    assert by_name == by_place


def test_with_two_options_it_is_the_share_of_items_right_or_wrong_in_both():
    rng = np.random.default_rng(1)
    before, after = rng.random((2, N, 2))
    found = consistency(before, after, ANSWERS, 3 - ANSWERS, UNGROUPED)
    one, two = credits(before, ANSWERS), credits(after, 3 - ANSWERS)
    assert found.consistency == accuracy(one == two, UNGROUPED)
    assert (found.before, found.after) == (accuracy(one, UNGROUPED), accuracy(two, UNGROUPED))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_ties_are_as_consistent_as_a_coin(k):
    ties = np.zeros((N, k))
    found = consistency(ties, ties, ANSWERS, 3 - ANSWERS, UNGROUPED)
    assert found.consistency.value == pytest.approx(1 / k)
    assert found.after.value == pytest.approx(1 / k)


def test_the_interval_holds_the_true_consistency():
    # The truth is 0.8: how often the scores are exchanged with the candidates. Twins are alike.
    rng, held, n = np.random.default_rng(2), 0, 120
    for _ in range(60):
        before = rng.random((n, 2))
        follows = np.repeat(rng.random((n // 2, 1)) < 0.8, 2, axis=0)
        after = np.where(follows, before[:, ::-1], before)
        found = consistency(before, after, ANSWERS[:n], 3 - ANSWERS[:n], np.arange(n) // 2)
        held += found.consistency.low <= 0.8 <= found.consistency.high
    assert held >= 52


def test_bad_input_of_consistency_is_named():
    with pytest.raises(ValueError, match="after must have as many items"):
        consistency([[1, 0]], [[1, 0, 0]], [1], [2], [None])
    with pytest.raises(ValueError, match="answers_after must be from 1 to 2 at 0, got 3"):
        consistency([[1, 0]], [[1, 0]], [1], [3], [None])
    assert consistency([], [], [], [], []).consistency.n == 0
