"""Two published files of predictions for WinoGrande's dev split."""

import csv
from functools import cache

import pytest

from corpora.core.metrics import accuracy
from corpora.core.readers import READERS
from evaluation.core.predictions import is_correct, parse_answer, read_answers, read_table
from tests.data_dir import data_dir, needs_data

pytestmark = needs_data
FOLDER = data_dir() / "winogrande_predictions"
CLEAN, FREE = FOLDER / "cuichenx_roberta_dev_preds.csv", FOLDER / "ugorsahin_chatgpt_results.csv"

# Of the free answers, by row number: the option, read by eye.
BY_EYE = {
    "a number": {0: 1, 1: 2, 2: 1, 3: 1, 7: 2},
    "label: text": {51: 1, 52: 1, 54: 2},
    "label: text, a space after": {210: 1, 211: 1, 213: 1},
    "label": {194: 2, 198: 1, 199: 1, 285: 2},
    "label, a space after": {219: 1, 222: 1, 224: 1, 234: 2},
    "label : text": {50: 1, 53: 1, 56: 1, 59: 1},
    "label : text, a space after": {226: 1, 233: 1, 250: 1, 259: 1, 265: 2},
    "label with a space: text": {86: 1, 147: 1, 163: 2, 164: 2, 165: 1},
    "label with a space: text, a space after": {212: 1, 242: 2, 252: 1, 401: 2, 431: 2},
    "label with a space": {243: 2, 351: 2, 626: 2, 722: 2},
    "a full stop": {128: 1, 129: 2, 130: 2, 131: 1, 132: 2, 133: 2, 134: 1, 135: 1, 136: 2,
                    137: 2, 138: 1, 139: 2, 140: 1},
    "an option within the other": {70: 2},
    "the text is the plural of the option": {639: 1, 640: 1},
    "another case": {898: 2, 1242: 2},
}  # fmt: skip


@cache
def items():
    with (data_dir() / "winogrande" / "dev.jsonl").open(encoding="utf-8") as lines:
        return list(READERS["winogrande"](lines))


def read(path, **columns):
    with path.open("rb") as file:
        return read_table(file, items(), **columns)


def test_the_clean_file_has_the_accuracy_of_its_own_summary_row():
    found = read(CLEAN)
    n_correct = int(is_correct(found, items()).sum())
    stated = float(found.report.summary["answer==pred"])
    # The row divides by 1,268: it counts one row more than the file has items.
    assert stated == pytest.approx(n_correct / (len(items()) + 1), abs=1e-9)
    assert (n_correct, len(items())) == (966, 1267)
    assert (found.report.n_understood, found.report.n_missing, found.report.n_unknown) == (
        1267,
        0,
        0,
    )


def test_every_free_answer_is_understood():
    found = read(FREE, prediction_column="chatgpt")
    report = found.report
    assert (report.n_rows, report.n_understood, report.n_unknown) == (1267, 1267, 0)
    assert report.rules == {"start": 947, "whole": 320}
    correct = is_correct(found, items())
    assert int(correct.sum()) == 795
    assert accuracy(correct, [item.group for item in items()]).value == pytest.approx(
        0.6275, abs=5e-5
    )


def test_free_answers_are_understood_as_by_eye():
    found = list(read(FREE, prediction_column="chatgpt").predictions.values())
    expected = {row: option for rows in BY_EYE.values() for row, option in rows.items()}
    assert len(expected) == 60
    assert {row: found[row] for row in expected} == expected


@pytest.mark.long
def test_an_explanation_is_understood_as_its_answer_or_not_at_all():
    """Explanations are harder than answers: most name both options, and then nothing is guessed."""
    answers = read(FREE, prediction_column="chatgpt").predictions
    with FREE.open(encoding="utf-8", newline="") as lines:
        reasons = [row["reason"].removeprefix("Explanation:") for row in csv.DictReader(lines)]
    parsed = {
        item.id: parse_answer(reason, item.options, filled=item.filled).option
        for item, reason in zip(items(), reasons, strict=True)
    }
    agreeing = [option == answers[id] for id, option in parsed.items() if option is not None]
    assert len(agreeing) > 300
    assert sum(agreeing) / len(agreeing) > 0.97


def test_the_published_labels_score_one():
    labels = (data_dir() / "winogrande" / "dev-labels.lst").read_text().splitlines()
    assert is_correct(read_answers(labels, items()), items()).all()
