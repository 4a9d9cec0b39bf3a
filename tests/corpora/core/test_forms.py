"""Conversions between a blank, a pronoun, and true or false."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.forms import pronoun_of, to_blank, to_reading
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
def test_the_filled_sentences_are_the_same_in_both_forms(item):
    assert to_blank(item).filled == item.filled


def test_what_has_the_form_already_is_returned():
    blank = to_blank(ITEM)
    assert to_blank(blank) is blank


@pytest.mark.parametrize(
    ("convert", "says"),
    [
        (lambda: to_blank(PREMISE), "'p' must be of the form 'pronoun', got 'premise'"),
        (lambda: to_blank(replace(ITEM, sentence=ITEM.sentence + "_")), "exactly one blank"),
        (lambda: pronoun_of(to_blank(ITEM)), "has no pronoun"),
    ],
)
def test_what_cannot_be_converted_is_refused(convert, says):
    with pytest.raises(ValueError, match=says):
        convert()


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
