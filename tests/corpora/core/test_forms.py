"""Conversions between a blank, a pronoun, and true or false."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.forms import clozes, pronoun_of, to_blank, to_reading
from corpora.core.items import TRUTH, Item
from corpora.core.possessives import is_possessive, possessive
from tests.corpora.real_sets import items, winobias
from tests.data_dir import needs_data

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


def asked(sentence: str, pronoun: str, *options: str) -> Item:
    span = re.search(rf"\b{pronoun}\b", sentence).span()
    return Item(id="a", group="a", sentence=sentence, options=options, form="pronoun", span=span)


@pytest.mark.parametrize("pronoun", ["his", "her", "their", "its", "whose", "HIS", "my"])
def test_every_possessive_pronoun_is_replaced_by_a_possessive(pronoun):
    item = asked(f"The frost had ruined {pronoun} oven.", pronoun, "The baker", "Ann")
    assert item.filled == ("The frost had ruined The baker's oven.",
                           "The frost had ruined Ann's oven.")  # fmt: skip
    assert clozes([item])[0].filled == clozes([to_blank(item)])[0].filled
    assert to_blank(item).sentence == "The frost had ruined _'s oven."


@pytest.mark.parametrize(
    ("sentence", "pronoun", "option", "filled"),
    [
        ("He broke his own leg.", "his", "Ann", "He broke Ann's own leg."),
        ("It is hers.", "hers", "Ann", "It is Ann's."),
        ("A friend of theirs came.", "theirs", "Ann", "A friend of Ann's came."),
        ("Her eyes were shut.", "Her", "the cooks", "The cooks' eyes were shut."),
        ("He took his hat.", "his", "the boss", "He took the boss's hat."),
        ("Emma left; her mother stayed.", "her", "Emma's", "Emma left; Emma's mother stayed."),
        ("He took his hat.", "his", "Bob’s", "He took Bob’s hat."),
        ("Ann hurt herself.", "herself", "Ann", "Ann hurt Ann."),
        ("He thanked her.", "her", "Ann", "He thanked Ann."),
        ("It broke because it fell.", "it fell", "Ann", "It broke because Ann."),
    ],
)
def test_only_the_text_that_a_writer_would_write(sentence, pronoun, option, filled):
    item = asked(sentence, pronoun, option, "the man")
    assert item.filled[0] == filled
    assert to_blank(item).filled == item.filled


def test_options_with_different_endings_keep_them_beside_a_blank():
    item = asked("They ate his soup.", "his", "the cooks", "Ann")
    assert item.gap == ("They ate ", ("the cooks'", "Ann's"), " soup.")
    assert to_blank(item).filled == item.filled


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("because ", " voice shook"), ("He stroked ", " back."), ("It was ", " job."),
        ("He told ", " mother"), ("for ", " excellent taste."), ("gave ", " flowers to Ann."),
        ("He made ", " bed."), ("He met ", " two sons."), ("He wore ", " freshly washed coat."),
    ],
)  # fmt: skip
def test_her_before_what_is_hers_is_possessive(before, after):
    assert is_possessive(before, "her", after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He saw ", "."), ("He told ", " that"), ("He called ", " back."), ("made ", " laugh."),
        ("He gave ", " flowers."), ("charged ", " 1,000 dollars."), ("left ", " stranded."),
        ("He drove ", " home."), ("He helped ", " win the case."), ("saw ", " leaving."),
        ("He admired ", " greatly."), ("He asked ", " a question."), ("He called ", " a fool."),
        ("He named ", " Ann."),
    ],
)  # fmt: skip
def test_her_as_an_object_is_not(before, after):
    assert not is_possessive(before, "her", after)


def test_hostile_text_is_read_in_time():
    long = "her " * 50_000
    assert is_possessive(long, "her", " " * 100_000 + "hat") is False
    assert possessive("s'" * 50_000) == "s'" * 50_000


@needs_data
def test_her_is_told_as_its_male_twin_is():
    """WinoBias has each sentence with *him* or *his*, too; its pairs and Winogender's differ."""
    found = [*winobias("dev"), *winobias("test")]
    found += items("winogender", lines="winogender/all_sentences.tsv")
    pronouns = {(words(one), one.sentence[slice(*one.span)].lower()): one for one in found}
    told = [
        (is_possessive(*parts(one)), (text, "his") in pronouns)
        for (text, pronoun), one in pronouns.items()
        if pronoun == "her" and ((text, "his") in pronouns or (text, "him") in pronouns)
    ]
    assert len(told) > 800
    assert sum(rule != truth for rule, truth in told) <= 3


def words(item: Item) -> str:
    return " ".join(re.findall(r"\w+", item.blanked.casefold()))


def parts(item: Item) -> tuple[str, str, str]:
    start, end = item.span
    return item.sentence[:start], item.sentence[start:end], item.sentence[end:]
