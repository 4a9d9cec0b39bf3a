"""Conversions between a blank, a pronoun, and true or false."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.forms import from_truth, pronoun_of, to_blank, to_pronoun, to_reading, to_truth
from corpora.core.items import TRUTH, Item

ITEM = Item(
    id="q",
    group="twins",
    sentence="Ann told Eve that she was late.",
    options=("Ann", "Eve", "nobody"),
    answer=2,
    form="pronoun",
    span=(18, 21),
    metadata={"domain": "social"},
)
PREMISE = Item(
    id="p",
    group="p",
    sentence="It rained.",
    options=("We got wet.", "We got rich."),
    form="premise",
    relation="effect",
)

texts = st.text(st.characters(blacklist_characters="_\0", blacklist_categories=["Cs"]))


@st.composite
def questions(draw) -> Item:
    before, after = draw(texts), draw(texts)
    pronoun = draw(texts.filter(str.strip))
    options = draw(st.lists(texts, min_size=2, max_size=5, unique=True))
    return Item(
        id=draw(texts.filter(str.strip)),
        group=draw(texts.filter(str.strip)),
        sentence=before + pronoun + after,
        options=tuple(options),
        answer=draw(st.none() | st.integers(1, len(options))),
        form="pronoun",
        span=(len(before), len(before) + len(pronoun)),
        metadata=draw(st.dictionaries(texts, st.booleans() | st.integers() | texts, max_size=2)),
    )


@given(questions())
def test_a_question_comes_back_from_a_blank(item):
    assert to_pronoun(to_blank(item), pronoun=pronoun_of(item)) == item


@given(questions())
def test_a_question_comes_back_from_true_and_false(item):
    asked = to_truth(item)
    assert len(asked) == len(item.options)
    assert {one.group for one in asked} == {item.group}
    assert len({one.id for one in asked}) == len(asked)
    assert from_truth(asked) == item


@given(questions())
def test_the_filled_sentences_are_the_same_in_both_forms(item):
    assert to_blank(item).filled == item.filled


def test_exactly_the_right_candidate_is_true():
    asked = to_truth(ITEM)
    assert [(one.id, one.candidate, one.answer) for one in asked] == [
        ("q.1", "Ann", 2), ("q.2", "Eve", 1), ("q.3", "nobody", 2),
    ]  # fmt: skip
    assert all(one.metadata == ITEM.metadata for one in asked)


def test_without_an_answer_no_candidate_has_one():
    asked = to_truth(replace(ITEM, answer=None))
    assert {one.answer for one in asked} == {None}
    assert from_truth(asked).answer is None


def test_what_has_the_form_already_is_returned():
    blank = to_blank(ITEM)
    assert to_blank(blank) is blank
    assert to_pronoun(ITEM, pronoun="she") is ITEM


@pytest.mark.parametrize(
    ("convert", "says"),
    [
        (lambda: to_blank(PREMISE), "'p' must be of the form 'pronoun', got 'premise'"),
        (lambda: to_blank(to_truth(ITEM)[0]), "must be of the form 'pronoun', got 'truth'"),
        (lambda: to_truth(to_blank(ITEM)), "must be of the form 'pronoun', got 'blank'"),
        (lambda: to_truth(PREMISE), "got 'premise'"),
        (lambda: to_pronoun(PREMISE, pronoun="it"), "must be of the form 'blank'"),
        (lambda: to_pronoun(ITEM, pronoun="he"), "must be of the form 'blank'"),
        (lambda: to_pronoun(to_blank(ITEM), pronoun=" "), "pronoun must be a word"),
        (lambda: to_pronoun(to_blank(ITEM), pronoun="_"), "pronoun must be a word"),
        (lambda: to_blank(replace(ITEM, sentence=ITEM.sentence + "_")), "exactly one blank"),
        (lambda: pronoun_of(to_blank(ITEM)), "has no pronoun"),
        (lambda: from_truth(to_truth(ITEM)[:1]), "items must be at least 2, got 1"),
        (lambda: from_truth([ITEM, ITEM]), "must be of the form 'truth'"),
        (lambda: from_truth(to_truth(ITEM)[::2]), "exactly one of the items must be true"),
        (lambda: from_truth([to_truth(ITEM)[1]] * 2), "exactly one of the items must be true"),
    ],
)
def test_what_cannot_be_converted_is_refused(convert, says):
    with pytest.raises(ValueError, match=says):
        convert()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"group": "other"}, "items must have one group"),
        ({"span": (0, 3)}, "items must have one span"),
        ({"sentence": "Eve told Ann that she was late."}, "items must have one sentence"),
        ({"answer": None}, "all answers known"),
        ({"answer": 1}, "exactly one of the items must be true"),
        ({"candidate": "Eve"}, "all different"),
    ],
)
def test_items_of_several_questions_are_not_joined(fields, says):
    first, *others = to_truth(ITEM)
    with pytest.raises(ValueError, match=says):
        from_truth([replace(first, **fields), *others])


def test_other_ids_and_metadata_give_the_first_id_and_what_is_common():
    first, second, third = to_truth(ITEM)
    joined = from_truth([
        replace(first, id="x", metadata={"a": 1, "b": 2}),
        replace(second, id="y", metadata={"a": 1}),
        replace(third, id="z", metadata={"a": 1, "b": 3}),
    ])  # fmt: skip
    assert (joined.id, joined.metadata) == ("x", {"a": 1})


@pytest.mark.parametrize(
    ("sentence", "candidate", "filled"),
    [
        ("Ann saw his dog.", "Bob", "Ann saw Bob's dog."),
        ("Ann saw his dog.", "the cooks", "Ann saw the cooks' dog."),
        ("Ann saw his dog.", "Bob's", "Ann saw Bob's dog."),
        ("Ann saw that it is his.", "Bob", "Ann saw that it is Bob's."),
        ("Ann saw him run.", "Bob", "Ann saw Bob run."),
    ],
)
def test_a_reading_has_the_candidate_in_the_place_of_the_pronoun(sentence, candidate, filled):
    pronoun = re.search("his|him", sentence)
    item = Item(id="a", group="g", sentence=sentence, form="truth", span=pronoun.span(),
                options=TRUTH, candidate=candidate, answer=2)  # fmt: skip
    found = to_reading(item)
    assert found.filled == (filled, sentence)
    assert (found.answer, found.id, found.group) == (2, "a", "g")
    with pytest.raises(ValueError, match="must be of the form 'truth'"):
        to_reading(found)
