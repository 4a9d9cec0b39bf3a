"""Each kind of leak is found and named, and releases without leaks are said to have none."""

import hashlib
import json
import random
from collections import Counter
from dataclasses import replace

import pytest

from corpora.core.leaks.files import PublishedFile, files_section
from corpora.core.leaks.report import leak_report
from corpora.core.leaks.results import Tested as Clue
from tests.corpora.core.leaks.releases_of_coins import (
    Row,
    Rows,
    clean,
    file_of,
    published,
    swapped,
    texts,
    told,
)

WEAK = range(29)


def found(report) -> dict[str, Clue]:
    families = [family for section in report.sections for family in section.publication]
    return {one.clue: one for family in families for one in family.found}


def first_rows(rows: Rows) -> set[str]:
    seen: dict[str, str] = {}
    return {seen.setdefault(row.qid[:-2], row.qid) for row in rows}


def unpaired(rows: Rows) -> set[str]:
    sizes = Counter(row.qid[:-2] for row in rows)
    return {row.qid for row in rows if sizes[row.qid[:-2]] == 1}


def by_ending(row: Row) -> bool:
    return row.qid.endswith("1")


def by_character(row: Row) -> bool:
    return ord(row.qid[7]) & 1 == 1


def by_words(row: Row) -> bool:
    return len(row.sentence) % 2 == 1


def by_domain(row: Row) -> bool:
    return row.domain == "social"


def by_many(row: Row) -> bool:
    return sum(ord(row.qid[place]) & 1 for place in WEAK) > len(WEAK) / 2


PLANTED = {
    "ending of qID": by_ending,
    "bit 0 of character 8 of qID": by_character,
    "odd number of characters": by_words,
    "always option 1": lambda row: True,
    "domain social": by_domain,
}


@pytest.mark.long
@pytest.mark.parametrize("clue", PLANTED)
def test_a_clue_that_tells_unpaired_answers_is_found(clue):
    rows = told(clean(0, 300, seed=1), PLANTED[clue], random.Random(0))
    one = found(leak_report([file_of(rows)]))[clue]
    assert one.right == one.throws == 300


@pytest.mark.parametrize("clue", ["bit 0 of character 8 of qID", "domain social"])
def test_a_clue_that_twins_share_is_found_by_their_order(clue):
    rows = told(clean(300, 0, seed=1), PLANTED[clue], random.Random(0))
    one = next(found for name, found in pair_clues(rows).items() if clue in name)
    assert one.throws == 300
    assert one.right in {0, 300}


def pair_clues(rows: Rows) -> dict[str, Clue]:
    return {name: one for name, one in found(leak_report([file_of(rows)])).items() if "," in name}


def test_the_order_of_rows_is_found_even_if_only_pairs_follow_it():
    rows = told(clean(200, 0, seed=1), lambda row: True, random.Random(0))
    assert found(leak_report([file_of(rows)]))["first row of its pair"].right == 200


@pytest.mark.long
@pytest.mark.parametrize("modulus", [2, 3, 5, 8])
def test_the_line_number_is_found(modulus):
    rows = clean(0, 400, seed=1)
    lines = {row.qid: line for line, row in enumerate(rows)}
    rows = told(rows, lambda row: 2 * (lines[row.qid] % modulus) < modulus, random.Random(0))
    assert found(leak_report([file_of(rows)]))[f"line number modulo {modulus}"].right == 400


def test_lines_in_the_order_of_answers_are_found():
    rows = clean(0, 300, seed=1)
    rows.sort(key=lambda row: row.answer)
    assert "first third of the file" in found(leak_report([file_of(rows)]))


def test_the_presence_of_the_twin_is_found():
    rows = clean(200, 200, seed=1)
    alone = unpaired(rows)
    rows = [swapped(row) if row.qid in alone and row.answer == 1 else row for row in rows]
    assert found(leak_report([file_of(rows)]))["twin in the split"].right == 200


def test_a_smaller_training_set_that_tells_is_found():
    rows = clean(0, 400, seed=1)
    small = [row for row in rows if row.answer == 1][:100]
    report = leak_report([file_of(rows, "train_xl.jsonl"), file_of(small, "train_l.jsonl")])
    assert "in train_l.jsonl" in found(report)


def test_the_hash_of_a_row_is_found():
    rows = told(clean(0, 600, seed=1), by_ending, random.Random(0))
    kept = [row for row in rows if hash_bit(row) == (row.answer == 1)]
    assert "bit 0 of the row's SHA-256" in found(leak_report([file_of(kept)]))


def hash_bit(row: Row) -> bool:
    shown = [row.qid, row.sentence, *row.options]
    return hashlib.sha256(json.dumps(shown).encode()).digest()[0] & 1 == 1


def test_a_leak_in_two_clues_is_found():
    rows = told(
        clean(0, 400, seed=1), lambda row: by_ending(row) != by_words(row), random.Random(0)
    )
    assert found(leak_report([file_of(rows)]))["ending of qID, odd number of characters"].right == 0


@pytest.mark.long
def test_a_leak_in_many_weak_clues_is_found_by_all_together():
    rows = told(clean(0, 1500, seed=1), by_many, random.Random(0))
    one = found(leak_report([file_of(rows)]))["all clues together"]
    assert one.right > one.throws * 0.55


def test_the_order_of_options_in_an_earlier_release_is_found():
    known = texts(0, 300, seed=1)
    first, second = (published(known, seed=seed) for seed in (1, 2))
    there = {row.sentence: row.options[0] < row.options[1] for row in first}
    second = told(second, lambda row: there[row.sentence], random.Random(0))
    report = leak_report([file_of(second)], name="r2", earlier={"r1": [file_of(first)]})
    assert found(report)["order of options in r1"].right == 300
    assert {section.release for section in report.sections if section.leaks} >= {"r2"}


def test_a_new_id_that_tells_the_answer_in_an_older_release_is_found():
    known = texts(0, 300, seed=1)
    first, second = (published(known, seed=seed) for seed in (1, 2))
    there = {row.sentence: row.answer for row in first}
    second = [replace(row, qid=f"{row.qid[:-1]}{there[row.sentence]}") for row in second]
    report = leak_report([file_of(second)], name="r2", earlier={"r1": [file_of(first)]})
    (section,) = [one for one in report.sections if one.leaks]
    assert (section.release, section.others) == ("r1", ("r2",))
    assert "ending of qID in r2" in found(report)


def test_what_an_earlier_release_leaves_out_is_found():
    known = texts(0, 400, seed=1)
    second = published(known, seed=2)
    kept = {row.sentence for row in second if row.answer == 1}
    first = published([one for one in known if one[0][0] in kept], seed=1)
    report = leak_report([file_of(second)], name="r2", earlier={"r1": [file_of(first)]})
    assert "in r1" in found(report)


def pooled(third: Rows, first: Rows, second: Rows, name: str = "dev.jsonl"):
    earlier = {"r1": [file_of(first, name)], "r2": [file_of(second, name)]}
    return leak_report([file_of(third, name)], name="r3", earlier=earlier)


@pytest.mark.long
def test_orders_of_options_that_tell_only_in_three_releases_together_are_found():
    known = texts(0, 300, seed=1)
    first, second, third = (published(known, seed=seed) for seed in (1, 2, 3))
    one, two = (
        {row.sentence: row.options[0] < row.options[1] for row in rows} for rows in (first, second)
    )
    third = told(third, lambda row: one[row.sentence] == two[row.sentence], random.Random(0))
    for other in (first, second):
        alone = leak_report([file_of(third)], name="r3", earlier={"r": [file_of(other)]})
        assert not alone.leaks
    assert found(pooled(third, first, second))["orders of options in all releases"].right == 300


def test_what_one_of_two_earlier_releases_leaves_out_is_found():
    known = texts(0, 500, seed=1)
    third = published(known, seed=3)
    rng = random.Random(0)
    in_first = {row.sentence: rng.random() < 0.5 for row in third}
    in_second = {row.sentence: in_first[row.sentence] == (row.answer == 1) for row in third}
    first, second = (
        published([one for one in known if there[one[0][0]]], seed=seed)
        for seed, there in enumerate((in_first, in_second), 1)
    )
    assert "in r1, in r2" in found(pooled(third, first, second))


def test_an_answer_published_in_the_first_of_three_releases_is_found():
    known = texts(0, 100, seed=1)
    first, second, third = (published(known, seed=seed) for seed in (1, 2, 3))
    earlier = {"r1": [file_of(first, "train_xl.jsonl")], "r2": [file_of(second, "test.jsonl")]}
    report = leak_report([file_of(third, "test.jsonl")], name="r3", earlier=earlier)
    leaking = {(one.release, one.split) for one in report.sections if one.leaks}
    assert leaking >= {("r2", "test"), ("r3", "test")}


def test_three_clean_releases_of_the_same_questions_are_clean():
    known = texts(150, 100, seed=1)
    first, second, third = (published(known, seed=seed) for seed in (1, 2, 3))
    report = pooled(third, first, second)
    assert not report.leaks
    assert [section.others for section in report.sections] == [
        (), ("r2", "r3"), ("r1", "r3"), ("r1", "r2"), ("r1", "r2"),
    ]  # fmt: skip


def test_an_answer_published_in_another_release_is_found():
    known = texts(0, 100, seed=1)
    first, second = (published(known, seed=seed) for seed in (1, 2))
    earlier = {"r1": [file_of(first, "train_xl.jsonl")]}
    report = leak_report([file_of(second, "test.jsonl")], name="r2", earlier=earlier)
    assert found(report)["published answer of the same sentence"].right == 100


def test_a_blind_question_whose_twin_is_in_train_is_found():
    pairs = texts(100, 0, seed=1)
    train, test = (published([(one[part],) for one in pairs], seed=part) for part in range(2))
    report = leak_report([file_of(train, "train_xl.jsonl"), file_of(test, "test.jsonl")])
    assert (
        found(report)["other option than published for the same text before the blank"].right == 100
    )


def test_sizes_of_files_that_tell_their_majority_are_found():
    releases = {f"r{number}": [one_row(number)] for number in range(40)}
    section = files_section(releases, name="r39", blind=(), alpha=0.01)
    assert [one.clue for one in section.publication[0].found] == ["odd size"]


def one_row(number: int) -> PublishedFile:
    rows = clean(0, 1, seed=number)
    return file_of(rows, size=100 + rows[0].answer, sha256=f"{number * 37 % 256:064x}")


def test_a_text_that_tells_is_no_leak_of_the_publication():
    rows = [row for row in clean(0, 800, seed=1) if mentioned_first(row)]
    report = leak_report([file_of(rows)])
    assert not report.leaks
    assert any(
        one.clue == "option that is first in the sentence" and one.right == one.throws
        for family in report.sections[0].text
        for one in family.found
    )


def mentioned_first(row: Row) -> bool:
    return row.sentence.startswith(row.options[row.answer - 1])


def test_a_clean_release_is_reported_as_clean():
    report = leak_report([file_of(clean(seed=3))], name="words 1.0.0")
    assert not report.leaks
    assert report.leak_sentences == ()
    publication, texts, _ = report.summary
    assert publication.startswith("words 1.0.0 dev: no clue found among ids, line numbers, files, ")
    assert "over 300 pairs and 100 unpaired questions; a clue that is right on" in publication
    assert texts.startswith("words 1.0.0 dev, sentences and options: No clue found among: which ")
    assert "one to three characters in a row, with case, punctuation, digits and spaces (" in texts
    assert "of 300 pairs" in texts
    assert "of 100 unpaired questions" in texts
    assert report.detectable is not None
