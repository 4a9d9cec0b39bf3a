"""Twenty-seven ways to a blind label, tried on every public file of three releases.

Each way is a rule that guesses the right option of blind questions. A pair is one guess, since its
answers are opposite.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from scipy.stats import binomtest

from corpora.core.bundle import layout
from corpora.core.publish import Publisher, canonical, commitment
from corpora.models import Draw, Release
from corpora.selectors import read_index
from tests.corpora.test_blind_once import SHARES, grown, whole
from tests.corpora.test_bytes_of_bundles import Files, kept, public
from tests.filtering.stages import frozen, snapshot_of

QUESTIONS = frozen(pairs=110, unpaired=30)
EARLY = 170
LEVEL = 1e-5  # of each way
Row = dict[str, str]
Way = Callable[["Amendment"], dict[str, str]]


class Amendment:
    """The public files of three releases, as an outsider reads them."""

    def __init__(self, releases: list[Release]) -> None:
        self.files: list[Files] = [
            {name.partition("/")[2]: data for name, data in public(release).items()}
            for release in releases
        ]
        self.tests = [self.rows(number, "test.jsonl") for number in range(3)]
        self.by_sentence = [{row["sentence"]: row for row in test} for test in self.tests]

    def rows(self, number: int, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.files[number][name].splitlines()]

    def shared(self) -> Iterator[tuple[str, list[Row]]]:
        """Blind sentences of the first release with their rows in all three."""
        for sentence in self.by_sentence[0]:
            if all(sentence in rows for rows in self.by_sentence):
                yield sentence, [rows[sentence] for rows in self.by_sentence]


def by_row(says: Callable[[int, Row], bool]) -> Way:
    """Guess option 1 where a property of a row and its place holds."""

    def way(told: Amendment) -> dict[str, str]:
        return {
            row["sentence"]: row["option1"] if says(place, row) else row["option2"]
            for test in told.tests[:1]
            for place, row in enumerate(test)
        }

    return way


def by_releases(says: Callable[[list[Row]], bool]) -> Way:
    """Guess the option that is first in the alphabet where its rows in all releases say so."""

    def way(told: Amendment) -> dict[str, str]:
        found = {}
        for sentence, rows in told.shared():
            options = sorted((rows[0]["option1"], rows[0]["option2"]))
            found[sentence] = options[0] if says(rows) else options[1]
        return found

    return way


def digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def is_sorted(row: Row) -> bool:
    return row["option1"] < row["option2"]


def by_commitment(told: Amendment) -> dict[str, str]:
    sums = {row["qID"]: int(row["sha256"][:2], 16) for row in told.rows(0, layout.COMMITMENTS)}
    return by_row(lambda _, row: sums[row["qID"]] % 2 == 0)(told)


def by_order_of_commitments(told: Amendment) -> dict[str, str]:
    places = {row["qID"]: n for n, row in enumerate(told.rows(0, layout.COMMITMENTS))}
    return by_row(lambda place, row: places[row["qID"]] % 2 == place % 2)(told)


def by_unsalted_commitment(told: Amendment) -> dict[str, str]:
    """Confirm a guess of the committed line."""
    sums = {row["qID"]: row["sha256"] for row in told.rows(0, layout.COMMITMENTS)}
    found = {}
    for row in told.tests[0]:
        for answer in "12":
            parts = {name: row[name] for name in ("qID", "sentence", "option1", "option2")}
            guesses = [
                parts | {"answer": answer},
                parts | {"answer": answer, "votes": [], "verdict": None},
                {"qID": row["qID"], "answer": answer},
            ]
            texts = [canonical(guess) for guess in guesses] + [(row["qID"] + answer).encode()]
            if sums[row["qID"]] in map(commitment, texts):
                found[row["sentence"]] = row[f"option{answer}"]
    return found


def by_label_files(told: Amendment) -> dict[str, str]:
    """Read labels under any name, for rows in the order of the test."""
    found = {}
    for files in told.files:
        for data in files.values():
            lines = data.split()
            if set(lines) <= {b"1", b"2"} and len(lines) == len(told.tests[0]):
                for row, line in zip(told.tests[0], lines, strict=True):
                    found[row["sentence"]] = row[f"option{int(line)}"]
    return found


def by_answers_elsewhere(told: Amendment) -> dict[str, str]:
    """Look blind sentences up in the labelled files of every release."""
    found = {}
    for number in range(3):
        for name in told.files[number]:
            if name.endswith(".jsonl") and "provenance" not in name:
                for row in told.rows(number, name):
                    if row["sentence"] in told.by_sentence[0] and row.get("answer"):
                        found[row["sentence"]] = row[f"option{row['answer']}"]
    return found


def by_twin_elsewhere(told: Amendment) -> dict[str, str]:
    """Take the other option than a labelled row with the same base of its id."""
    answers: dict[str, str] = {}
    for number in range(3):
        for name in ("train_xl.jsonl", "dev.jsonl"):
            for row in told.rows(number, name):
                answers[row["qID"][:-2]] = row[f"option{row['answer']}"]
    found = {}
    for rows in told.tests:
        for row in rows:
            if row["qID"][:-2] in answers:
                options = {row["option1"], row["option2"]} - {answers[row["qID"][:-2]]}
                found[row["sentence"]] = options.pop()
    return found


def by_options_of_training(told: Amendment) -> dict[str, str]:
    """Take the option that is the rarer right one in training: a twin's would be the other."""
    right: dict[str, int] = defaultdict(int)
    for name in ("train_xl.jsonl", "dev.jsonl"):
        for row in told.rows(0, name):
            right[row[f"option{row['answer']}"]] += 1
    return by_row(lambda _, row: right[row["option1"]] < right[row["option2"]])(told)


def by_votes(told: Amendment) -> dict[str, str]:
    """Take what votes say of ids of the blind test, in any release's provenance."""
    ids = {row["qID"]: row for test in told.tests for row in test}
    found = {}
    for number in range(3):
        for name in (layout.VOTES, layout.QUESTIONS):
            for line in told.rows(number, name):
                row = ids.get(line["qID"])
                if row is not None:
                    found[row["sentence"]] = row[f"option{line.get('option', 1)}"]
    return found


def by_label_balance(told: Amendment) -> dict[str, str]:
    """Take the majority that the manifest gives for the test."""
    said = json.loads(told.files[0]["manifest.json"])["splits"]["test"]["label_1"]
    return {} if said is None else by_row(lambda _, row: 2 * said > len(told.tests[0]))(told)


def by_difference_of_leaks(told: Amendment) -> dict[str, str]:
    """Use any figure about a blind section of a leak report."""
    for files in told.files:
        for section in json.loads(files["leaks.json"])["sections"]:
            figures = [family for family in section["publication"] if "found" in family]
            if section["blind"] and (figures or "text" in section):
                return by_row(lambda *_: True)(told)
    return {}


def by_what_is_filtered(told: Amendment) -> dict[str, str]:
    """Ask whether the next release, which is not filtered, still has the sentence."""
    return {
        row["sentence"]: row["option1"] if row["sentence"] in told.by_sentence[1] else "neither"
        for row in told.tests[0]
        if row["sentence"] not in told.by_sentence[1]
    }


def by_presence_of_twin(told: Amendment) -> dict[str, str]:
    bases = [row["qID"][:-2] for row in told.tests[0]]
    return by_row(lambda _, row: bases.count(row["qID"][:-2]) == 2)(told)


def by_first_of_pair(told: Amendment) -> dict[str, str]:
    rows = told.tests[0]
    first = {one["qID"] for one, other in pairwise(rows) if one["qID"][:-2] == other["qID"][:-2]}
    return by_row(lambda _, row: row["qID"] in first)(told)


def by_sizes(told: Amendment) -> dict[str, str]:
    """Let the parities of sizes of all files decide, as one bit for each row in turn."""
    bits = [len(data) % 2 for files in told.files for data in files.values()]
    return by_row(lambda place, _: bits[place % len(bits)] == 1)(told)


def by_hashes(told: Amendment) -> dict[str, str]:
    text = told.files[0][layout.SUMS].decode()
    bits = [int(line[:2], 16) % 2 for line in text.splitlines()]
    return by_row(lambda place, _: bits[place % len(bits)] == 1)(told)


WAYS: dict[str, Way] = {
    "always option 1": by_row(lambda *_: True),
    "the ending of the id": by_row(lambda _, row: row["qID"].endswith("1")),
    "the first character of the id": by_row(lambda _, row: ord(row["qID"][0]) % 2 == 0),
    "the parity of the line": by_row(lambda place, _: place % 2 == 0),
    "the half of the file": by_row(lambda place, _: place < 40),
    "the hash of the row": by_row(lambda _, row: digest(json.dumps(row)) % 2 == 0),
    "the length of the line": by_row(lambda _, row: len(json.dumps(row)) % 2 == 0),
    "the longer option": by_row(lambda _, row: len(row["option1"]) > len(row["option2"])),
    "the presence of the twin": by_presence_of_twin,
    "the first row of a pair": by_first_of_pair,
    "the order of options in two releases": by_releases(
        lambda rows: is_sorted(rows[0]) == is_sorted(rows[1])
    ),
    "the order of options in three releases": by_releases(
        lambda rows: (is_sorted(rows[0]) == is_sorted(rows[1])) == is_sorted(rows[2])
    ),
    "the endings in three releases": by_releases(
        lambda rows: sum(row["qID"].endswith("1") for row in rows) >= 2
    ),
    "the ids' order in two releases": by_releases(lambda rows: rows[0]["qID"] < rows[1]["qID"]),
    "the hash of a commitment": by_commitment,
    "the order of commitments": by_order_of_commitments,
    "a commitment to a guess": by_unsalted_commitment,
    "a file of labels by its form": by_label_files,
    "an answer of the same sentence": by_answers_elsewhere,
    "the complement of its twin": by_twin_elsewhere,
    "right options of training": by_options_of_training,
    "votes and verdicts": by_votes,
    "the balance of labels": by_label_balance,
    "figures of leak reports": by_difference_of_leaks,
    "what a filter removed": by_what_is_filtered,
    "sizes of files": by_sizes,
    "hashes of files": by_hashes,
}


SILENT = (
    "a commitment to a guess",
    "an answer of the same sentence",
    "the complement of its twin",
    "votes and verdicts",
    "the balance of labels",
    "figures of leak reports",
    "what a filter removed",
)


def three_releases() -> list[Release]:
    first = snapshot_of(QUESTIONS[:EARLY], near_duplicate=1, **SHARES)
    later = grown(first.campaign, QUESTIONS)
    return [kept(first, 1, "one"), whole(first, "two"), kept(later, 2, "three")]


def truth(release: Release) -> dict[str, tuple[str, str]]:
    """The twin and the right option of each blind sentence."""
    answers = {one.id: one for one in QUESTIONS}
    blind = [row for row in read_index(release) if row["split"] == "test"]
    found = [answers[row["question"]] for row in blind]
    return {one.sentence: (one.group, one.options[one.answer - 1]) for one in found}


def revealing(told: Amendment, release: Release) -> dict[str, tuple[int, int]]:
    """The ways that tell, with the number of right guesses and of all."""
    known, found = truth(release), {}
    for name, way in WAYS.items():
        guesses: dict[str, bool] = {}
        # In the order of hashes: by the alphabet, the first sentence of each pair would be the one
        # with answer 1, and a way that always names the same option would be always right or wrong.
        for sentence, option in sorted(way(told).items(), key=lambda guess: digest(guess[0])):
            if sentence in known:
                twin, right = known[sentence]
                guesses.setdefault(twin, option == right)
        right_ones = sum(guesses.values())
        if guesses and binomtest(right_ones, len(guesses)).pvalue < LEVEL:
            found[name] = (right_ones, len(guesses))
    return found


def test_no_way_tells_blind_labels_of_three_releases() -> None:
    releases = three_releases()
    told = Amendment(releases)
    assert len(WAYS) >= 20
    assert len({twin for twin, _ in truth(releases[0]).values()}) >= 18
    assert revealing(told, releases[0]) == {}
    # These find nothing to guess from at all.
    for name in SILENT:
        assert WAYS[name](told) == {}, name
    assert Draw.objects.filter(split="test").count() > 25


def test_planted_leaks_are_told_by_the_way_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: ids that end with the answer, and options in the order of the answer."""
    monkeypatch.setattr(
        Publisher, "_endings", lambda self, questions: {one.id: one.answer for one in questions}
    )
    monkeypatch.setattr(Publisher, "_coin", lambda self, purpose, name: False)
    releases = three_releases()
    assert "the ending of the id" in revealing(Amendment(releases), releases[0])
