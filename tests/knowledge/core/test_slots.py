"""Sentences with slots: the paper's, letter for letter, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.core.problems import Problem
from knowledge.core.slots import (
    FORMS,
    Mention,
    SlotError,
    inside_sentence,
    mentions_of,
    read,
)

EXAMPLE_2 = (
    "When someone is trying to fit {X:an object} into {Y:a container}, if {X} is too large then "
    "it wouldn't be possible to fit {X} into {Y}."
)
LIFT = (
    "When {X:person} is about to lift {Y:person} up, if {X} is not strong enough, then it "
    "wouldn't be possible for {X} to lift {Y}"
)
TOO_STRONG = LIFT.replace("not strong enough", "way too strong")


def test_example_2_of_the_paper_comes_out_letter_for_letter():
    assert read(EXAMPLE_2).render("variable") == (
        "When someone is trying to fit an object X into a container Y, if X is too large then it "
        "wouldn't be possible to fit X into Y."
    )


def test_the_natural_sentence_of_section_4_2_comes_out_letter_for_letter():
    assert read(EXAMPLE_2).render("natural") == (
        "When someone is trying to fit an object into a container, if the object is too large "
        "then it wouldn't be possible to fit the object into the container."
    )


def test_the_sentence_of_section_4_1_comes_out_letter_for_letter():
    assert read(LIFT).render("variable") == (
        "When person X is about to lift person Y up, if X is not strong enough, then it wouldn't "
        "be possible for X to lift Y"
    )


def test_the_grounded_sentence_of_section_4_2_comes_out_letter_for_letter():
    grounded = read(LIFT).render("grounded", mentions_of({"X": "the father", "Y": "the son"}))
    assert grounded.endswith("it wouldn't be possible for the father to lift the son")


@pytest.mark.parametrize(
    ("text", "quality"), [(LIFT, "not strong enough"), (TOO_STRONG, "way too strong")]
)
def test_example_4_of_the_paper_comes_out_letter_for_letter(text, quality):
    knowledge = read(text + ".").render("natural", inside=True)
    sentence = "The man couldn't lift his son because he was so weak."
    problem = Problem(
        sentence, "he", inside_sentence("The man"), inside_sentence("The son"), knowledge
    )
    assert problem.text == (
        "The man couldn't lift his son because he was so weak. The he is more likely to refer to "
        "the man than the son because when a person is about to lift another person up, if the "
        f"first person is {quality}, then it wouldn't be possible for the first person to lift "
        "the second person."
    )


def test_a_verb_agrees_with_a_plural_noun_phrase():
    sentence = read("If {X:person is|are} afraid, {X refuses|refuse} what {Y:person} wants.")
    mentions = {"X": Mention("the councilmen", plural=True), "Y": Mention("Joan", plural=False)}
    assert sentence.render("grounded", mentions) == (
        "If the councilmen are afraid, the councilmen refuse what Joan wants."
    )
    assert sentence.render("variable") == "If person X is afraid, X refuses what person Y wants."


def test_a_plural_kind_is_plural_in_every_form():
    sentence = read("If {X:people is|are} late, {Y:people} wait for {X}.")
    assert sentence.render("variable") == "If people X are late, people Y wait for X."
    assert sentence.render("natural") == (
        "If people are late, other people wait for the first people."
    )


def test_the_possessive_of_a_plural_takes_an_apostrophe_only():
    sentence = read("{X:person}'s drawing")
    mention = {"X": Mention("the demonstrators", plural=True)}
    assert sentence.render("grounded", mention) == "The demonstrators' drawing"
    assert sentence.render("grounded", {"X": Mention("Ines", plural=False)}) == "Ines's drawing"


def test_three_of_a_kind_are_told_apart():
    sentence = read("{X:object} is on {Y:object}, and {Z:object} under {Y}, so not under {X}.")
    assert sentence.render("natural") == (
        "An object is on another object, and a third object under the second object, so not under "
        "the first object."
    )


def test_a_name_without_a_noun_phrase_is_grounded_as_in_the_natural_form():
    sentence = read("If {X:object} lies under {Y:object}, {X} is below {Y}.")
    grounded = sentence.render("grounded", {"X": Mention("Sam's drawing", plural=False)})
    assert grounded == "If Sam's drawing lies under an object, Sam's drawing is below the object."


def test_a_sentence_that_begins_with_a_slot_is_lower_case_only_inside_another():
    sentence = read("{X:person} sleeps.")
    assert sentence.render("natural") == "A person sleeps."
    assert sentence.render("natural", inside=True) == "a person sleeps."
    assert (
        sentence.render("grounded", {"X": Mention("Joan", plural=False)}, inside=True)
        == "Joan sleeps."
    )


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("", "empty", 1),
        ("  ", "empty", 1),
        ("a" * 2001, "too_long", 2000),
        ("If {X} is late", "not_introduced", 4),
        ("If {X:person} and {X:person}", "introduced_twice", 19),
        ("If {X:person} {X is|are} late", "twice_in_a_row", 15),
        ("If {x:person}", "unreadable", 4),
        ("If {X:person is late", "unreadable", 4),
        ("If {X:person} }", "unreadable", 15),
        ("{X:per{Y}son}", "unreadable", 1),
        ("{X:}", "unreadable", 1),
        ("{X:person}{X is|}", "unreadable", 11),
        (" ".join(f"{{{name}:thing {name}}}" for name in "ABCDEFGHIJKLM"), "too_many_names", 1),
        (" ".join(f"{{{name}:thing}}" for name in "ABCDEFGHIJ"), "too_many_of_a_kind", 1),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_column(text, code, column):
    with pytest.raises(SlotError) as refusal:
        read(text)
    assert (refusal.value.code, refusal.value.column) == (code, column)
    assert refusal.value.message.endswith(".")


def test_long_hostile_text_is_refused_quickly():
    for text in ("{X:" + "a " * 990, "{X:a" * 400, "{X:a b c|d " * 180):
        with pytest.raises(SlotError):
            read(text)


@given(st.text(alphabet="{}XY:|a n'.is", max_size=40))
def test_what_is_read_is_written_back_and_has_all_forms(text):
    try:
        found = read(text)
    except SlotError:
        return
    assert read(found.text) == found
    for form in FORMS:
        rendered = found.render(form, {"X": Mention("Joan", plural=False)})
        assert "{" not in rendered
        assert "}" not in rendered
