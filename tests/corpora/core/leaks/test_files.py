"""Files are read as pairs and unpaired questions, and broken ones are refused."""

import re
import tracemalloc

import pytest

from corpora.core.leaks.files import PublishedFile, units
from corpora.core.leaks.report import leak_report
from tests.corpora.core.leaks.releases_of_coins import clean, file_of


def test_questions_in_several_files_are_read_once_with_all_their_lines():
    rows = clean(20, 10, seed=1)
    small = [row for row in rows if row.qid[0] < "M"]
    found = list(units([file_of(small, "train_l.jsonl"), file_of(rows, "train_xl.jsonl")]))
    assert [len(unit) for unit in found].count(2) == 20
    assert [row.columns["qID"] for unit in found for row in unit] == [row.qid for row in rows]
    assert {row.home.name for unit in found for row in unit} == {"train_xl.jsonl"}
    assert sum("train_l.jsonl" in row.lines for unit in found for row in unit) == len(small)


def test_a_list_in_any_order_gives_the_same_units():
    rows = clean(20, 10, seed=1)
    turned = [*reversed(rows)]
    bases = [[unit[0].base for unit in units([file_of(part)])] for part in (rows, turned)]
    assert bases[0] == bases[1]


def changed(**change: object) -> PublishedFile:
    file = file_of(clean(3, 2, seed=1))
    rows, answers = list(file.rows), list(file.answers)
    if "row" in change:
        rows[0] = {**rows[0], **change["row"]}
    answers = change.get("answers", answers)
    stream = tuple(reversed(rows)) if change.get("reverse") else rows
    return PublishedFile(file.name, stream, answers, file.n_rows)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"row": {"votes": "3"}}, "rows must have known columns only, got ['votes']"),
        ({"answers": [3] * 8}, "a question must have one answer, 1 or 2, unlike "),
        ({"answers": [1] * 8}, "twins must have opposite answers, got equal ones for "),
        ({"answers": [1]}, "zip() argument 2 is shorter"),
        ({"reverse": True}, "dev.jsonl must be sorted by qID"),
        ({"row": {"qID": "A" * 31 + "-1"}}, "an id must have at most 30 characters"),
    ],
)
def test_broken_files_are_refused(change, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        leak_report([changed(**change)])


@pytest.mark.parametrize("alpha", [0, 1, -0.1])
def test_an_error_rate_out_of_range_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha must be above 0 and below 1"):
        leak_report([], alpha=alpha)


def test_nothing_has_no_leaks():
    assert not leak_report([file_of([])]).leaks
    assert leak_report([]).detectable is None


class Endless:
    """A file of unpaired questions that are made while they are read."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __iter__(self):
        for number in range(self.n):
            sentence = f"Fir met oak on day {number}, but _ left early."
            yield {
                "qID": f"{number:030}-1",
                "sentence": sentence,
                "option1": "Fir",
                "option2": "oak",
            }


@pytest.mark.long
def test_memory_does_not_grow_with_the_number_of_rows():
    peaks = []
    for n in (12_000, 36_000):
        answers = Answers(n)
        tracemalloc.start()
        leak_report([PublishedFile("train_xl.jsonl", Endless(n), answers, n)])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


class Answers(Endless):
    """Their answers."""

    def __iter__(self):
        return (1 + number * 7919 % 2 for number in range(self.n))
