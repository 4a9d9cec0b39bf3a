"""An option that takes the place of a possessive pronoun is possessive."""

import re

import pytest

from corpora.core.forms import clozes, to_blank
from corpora.core.items import Item
from corpora.core.possessives import is_possessive, possessive
from tests.corpora.real_sets import items, winobias
from tests.data_dir import needs_data


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
