"""Readers of published benchmarks, on small records and on the real files."""

from collections import Counter

import pytest

from corpora.core.readers import READERS
from tests.data_dir import data_dir, needs_data

RECORD = ["The cup stood on the tray, so [MASK] fell.", "[MASK]", " the tray ,the cup ", "the cup"]
LINE = (
    '{"qID": "a-2", "sentence": "The cup stood on the tray, so _ fell.",'
    ' "option1": "the cup", "option2": "the tray", "answer": "1"}'
)


def real(name: str, path: str):
    with (data_dir() / path).open(encoding="utf-8") as lines:
        return list(READERS[name](lines))


def sizes_of_groups(items) -> Counter:
    return Counter(Counter(item.group for item in items).values())


def test_a_masked_pronoun_is_the_blank_and_options_are_sorted():
    (item,) = READERS["pdp"](RECORD)
    assert item.sentence == "The cup stood on the tray, so _ fell."
    assert (item.options, item.answer) == (("the cup", "the tray"), 1)
    assert item.id == item.group == "pdp-001"


@pytest.mark.parametrize(
    ("masked", "shown"),
    [
        ("so  [MASK]  fell.", "so _ fell."),
        ("took care of  [MASK] .", "took care of _."),
        ("it was [MASK]'s fault", "it was _'s fault"),
        ("[MASK]  fell.", "_ fell."),
    ],
)
def test_gaps_around_the_blank_are_those_of_a_sentence(masked, shown):
    (item,) = READERS["pdp"]([masked, *RECORD[1:]])
    assert item.sentence == shown


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (["No mask.", *RECORD[1:]], "pdp-001: expected a sentence with one"),
        ([*RECORD[:3], "the jar"], "the answer 'the jar' is not among the options"),
        (RECORD[:2], "pdp-001: expected"),
    ],
)
def test_a_record_of_another_form_is_named(record, says):
    with pytest.raises(ValueError, match=says):
        list(READERS["pdp"](record))


@needs_data
def test_wsc273_is_135_pairs_and_a_triplet():
    items = real("wsc273", "wsc/wsc273.txt")
    assert len(items) == 273
    assert sizes_of_groups(items) == {2: 135, 3: 1}
    assert Counter(item.answer for item in items) == {1: 136, 2: 137}


@needs_data
def test_wsc273_has_the_same_questions_and_answers_in_winogrande_s_columns():
    """Two files of different authors, each an oracle of the other; few sentences are edited."""

    def told(items):
        return {
            (" ".join(item.sentence.casefold().split()), item.options[item.answer - 1].casefold())
            for item in items
        }

    masks, columns = told(real("wsc273", "wsc/wsc273.txt")), real("winogrande", "wsc/wsc273.jsonl")
    assert len(columns) == 273
    assert len(masks & told(columns)) >= 265


@needs_data
def test_pdp_has_sixty_questions_of_two_to_five_options():
    items = real("pdp", "pdp/PDP60.txt")
    assert Counter(len(item.options) for item in items) == {2: 45, 3: 12, 4: 1, 5: 2}


def test_in_winogrande_s_columns_the_ending_of_the_id_is_dropped_from_the_group():
    labelled, blind = READERS["winogrande"]([LINE, LINE.replace(', "answer": "1"', ""), "\n"])
    assert (labelled.id, labelled.group, labelled.answer) == ("a-2", "a", 1)
    assert blind.answer is None


@pytest.mark.parametrize("name", ["winogrande", "items"])
@pytest.mark.parametrize("line", ["{}", "{[]", "null", "nonsense"])
def test_a_line_that_is_no_question_is_named(name, line):
    with pytest.raises(ValueError, match="line 2"):
        list(READERS[name](["", line]))


def test_items_are_read_as_they_were_written():
    (item,) = READERS["winogrande"]([LINE])
    assert list(READERS["items"]([item.to_line()])) == [item]
