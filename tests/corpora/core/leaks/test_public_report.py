"""What readers of public reports learn about blind labels: attacks, with controls that succeed."""

import json
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from corpora.core.leaks.blocks import blocks, letter_names, letter_signs
from corpora.core.leaks.clues import clues_of
from corpora.core.leaks.files import PublishedFile, units
from corpora.core.leaks.report import leak_report
from tests.corpora.core.leaks.releases_of_coins import Rows, clean, file_of, published, texts

BLIND = 40
RELEASES = 10


def relabelled(file: PublishedFile, seed: int) -> PublishedFile:
    """Draw the labels again; twins, which are adjacent, stay opposite."""
    rng = random.Random(seed)
    bases = [row["qID"][:-2] for row in file.rows]
    answers = [rng.choice([1, 2]) for _ in bases]
    for place, (one, other) in enumerate(pairwise(bases), 1):
        if one == other:
            answers[place] = 3 - answers[place - 1]
    return PublishedFile(file.name, file.rows, answers, file.n_rows)


def assert_the_same_report_for_nearly_all_labels(draws: int) -> None:
    train = file_of(clean(30, 10, seed=1), "train_xl.jsonl")
    test = file_of(clean(30, 10, seed=2), "test.jsonl")
    reports = [leak_report([train, relabelled(test, seed)], alpha=0.05) for seed in range(draws)]
    texts = [report.to_json() for report in reports]
    commonest = max(texts.count(text) for text in set(texts))
    assert commonest >= (1 - 0.05) * draws - 3 * np.sqrt(0.05 * 0.95 * draws)
    assert len({report.to_json(curators=True) for report in reports}) > draws / 2
    assert reports[0].bits < 0.29  # of 40 bits; the entropy of a coin with 0.05


@pytest.mark.long
def test_the_public_report_is_the_same_for_nearly_all_blind_labels():
    assert_the_same_report_for_nearly_all_labels(20)


@pytest.mark.long
def test_the_public_report_is_the_same_for_nearly_all_of_400_blind_labels():
    assert_the_same_report_for_nearly_all_labels(400)


def test_figures_of_curators_would_tell_blind_labels_and_public_ones_do_not():
    releases = blind_releases()
    assert share_guessed(releases, curators=True) >= 0.9
    assert share_guessed(releases, curators=False) is None


def blind_releases() -> list[Rows]:
    """Publish the same blind questions again and again, with other ids and orders of options."""
    known = texts(0, BLIND, seed=3)
    return [published(known, seed=seed) for seed in range(RELEASES)]


def share_guessed(releases: Sequence[Rows], *, curators: bool) -> float | None:
    """Solve the equations in reports for the right options; None if there are none.

    The attacker knows all rows and computes what each clue says of them. A report adds how often
    it is right: the sum over questions of what it says times the answer.
    """
    places = {
        sentence: place for place, sentence in enumerate(sorted(r.sentence for r in releases[0]))
    }
    left, right = [], []
    for rows in releases:
        file = file_of(rows, "test.jsonl")
        document = json.loads(leak_report([file]).to_json(curators=curators))
        said = said_by_clue(file)
        for test in figures_in(document):
            if test["clue"] in said:
                equation = np.zeros(len(places))
                for row, says in zip(rows, said[test["clue"]], strict=True):
                    equation[places[row.sentence]] = says * order(row)
                left.append(equation)
                right.append(2 * test["right"] - test["throws"])
    if not left:
        return None
    guessed = np.linalg.lstsq(np.array(left), np.array(right, dtype=float), rcond=None)[0]
    truth = np.zeros(len(places))
    for row in releases[0]:
        truth[places[row.sentence]] = order(row) * (1 if row.answer == 1 else -1)
    return float(np.mean(np.sign(guessed) == truth))


def order(row) -> int:
    """Return 1 if option 1 is first in the alphabet: what turns answers into right options."""
    return 1 if row.options[0] < row.options[1] else -1


def said_by_clue(file: PublishedFile) -> dict[str, Any]:
    clues = clues_of([file])
    parts = list(blocks(units([file]), clues))
    signs = np.vstack([part.signs for part in parts])
    letters = np.vstack([letter_signs(part.letters) for part in parts])
    said = dict(zip(letter_names(), letters.T, strict=True))
    said |= {clue.name: signs[:, i] for i, clue in enumerate(clues)}
    for i, one in enumerate(clues):
        for j, other in enumerate(clues[i + 1 :], i + 1):
            said[f"{one.name}, {other.name}"] = signs[:, i] * signs[:, j]
    return said


def figures_in(document: Any) -> Iterator[dict[str, Any]]:
    """Yield every object with a count of right answers, wherever it is."""
    if isinstance(document, dict):
        if "right" in document:
            yield document
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            yield from figures_in(part)


def test_figures_of_labelled_splits_do_not_depend_on_blind_labels():
    train = file_of(clean(30, 10, seed=1), "train_xl.jsonl")
    test = file_of(clean(30, 10, seed=2), "test.jsonl")
    one, other = (leak_report([train, relabelled(test, seed)]).document() for seed in range(2))
    assert one["sections"][0] == other["sections"][0]
    assert one["sections"][0]["publication"][0]["nearest"]


def test_a_leak_in_a_blind_split_is_said_without_figures():
    rows = [row for row in clean(0, 400, seed=1) if row.qid[-1] == str(row.answer)]
    public = leak_report([file_of(rows, "test.jsonl")]).to_json()
    assert "leak found among" in public
    assert "ending of qID" not in public
    assert not list(figures_in(json.loads(public)))
