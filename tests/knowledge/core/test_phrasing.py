"""Sentences phrased from formulas."""

import pytest

from knowledge.core.groundings import groundings
from knowledge.core.language import parse
from knowledge.core.phrasing import Lexicon, PhraseError, phrase, without_words
from knowledge.core.slots import read

LEXICON = Lexicon(
    {
        "Strong": ("{x is|are} strong enough", "{x is|are} not strong enough"),
        "below": ("{x is|are} below {y}", "{x is|are} not below {y}"),
        "late": ("{x is|are} late", "{x is|are} on time"),
        "tries": ("{x tries|try} {y}", "{x does|do} not try {y}"),
        "rains": ("it rains", "it does not rain"),
        "steps_on": ("{x steps|step} on {y}", "{x does|do} not step on {y}"),
    },
    {"lift": "possible for {x} to lift {y}", "call": "possible for {x} to call {y}"},
    {"Stairs": "the stairs"},
)


def words(text, **kinds):
    return phrase(parse(text), LEXICON, kinds=kinds).text


def test_the_papers_formula_becomes_its_sentence():
    found = words(
        "forall x, y: not Strong(x, s) -> not Poss(lift(x, y), s)", x="person", y="person"
    )
    assert found == (
        "If {X:person is|are} not strong enough, then it wouldn't be possible for {X} to lift "
        "{Y:person}."
    )
    assert read(found).render("variable") == (
        "If person X is not strong enough, then it wouldn't be possible for X to lift person Y."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Poss(lift(x, y), s) ≡ Strong(x, s)",
            "It is possible for {X:object} to lift {Y:object} if and only if {X is|are} strong "
            "enough.",
        ),
        ("late(x) and rains", "{X:object is|are} late and it rains."),
        (
            "(late(x) or rains) and not late(y)",
            "Either {X:object is|are} late or it rains and {Y:object is|are} on time.",
        ),
        ("late(x) xor rains", "Either {X:object is|are} late or it rains, but not both."),
        ("not (late(x) and rains)", "It is not the case that {X:object is|are} late and it rains."),
        (
            "x = y -> x != z",
            "If {X:object} and {Y:object} are the same, then {X} and {Z:object} are different.",
        ),
        (
            "below(x, y) -> exists z: below(z, x)",
            "If {X:object is|are} below {Y:object}, then there is {Z:an object} such that "
            "{Z is|are} below {X}.",
        ),
        (
            "rains -> forall x: late(x)",
            "If it rains, then for every {X:object}, {X is|are} late.",
        ),
        (
            "not late(x) -> exists a: tries(x, a)",
            "If {X:object is|are} on time, then {X tries|try} to do something.",
        ),
        ("tries(x, call(x, y))", "{X:object tries|try} to call {Y:object}."),
        ("tries(x, call(y, x))", "{X:object tries|try} for {Y:object} to call {X}."),
        ("forall x: steps_on(x, Stairs)", "{X:object steps|step} on the stairs."),
    ],
)
def test_each_construct_has_words(text, expected):
    found = words(text)
    assert found == expected
    assert read(found).text == found


def test_a_variable_that_is_bound_again_gets_another_name():
    found = words("late(x) -> exists x: not late(x)")
    assert found == (
        "If {X:object is|are} late, then there is {Y:an object} such that {Y is|are} on time."
    )


def test_kinds_may_have_an_article():
    assert words("below(x, y)", x="a container") == "{X:a container is|are} below {Y:object}."


def test_what_has_no_words_is_named():
    formula = parse("Poss(carry(x), s) -> heavy(x) and late(x)")
    assert without_words(formula, LEXICON) == ("carry", "heavy")
    with pytest.raises(PhraseError) as refusal:
        phrase(formula, LEXICON)
    assert refusal.value.missing == ("carry", "heavy")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Strong(x, do(lift(x, y), s))", "do_has_no_words"),
        ("below(x)", "no_argument"),
    ],
)
def test_what_cannot_be_phrased_is_refused(text, code):
    with pytest.raises(PhraseError) as refusal:
        words(text)
    assert refusal.value.code == code


@pytest.mark.parametrize("phrase_of", ["{q} is late", "{x is late", "", "{x is|}", "x} is"])
def test_words_with_other_places_are_refused(phrase_of):
    with pytest.raises(PhraseError):
        Lexicon({"late": (phrase_of, "{x} is on time")}, {})


def test_the_words_of_an_action_begin_with_possible():
    with pytest.raises(PhraseError, match="possible for"):
        Lexicon({}, {"lift": "to lift {y}"})


def test_variables_stand_for_the_things_of_the_question():
    knowledge = parse("forall x, y: asks(y, x) and afraid(x) -> refuses(x, y)")
    facts = [parse("asks(Demonstrators, Councilmen)"), parse("afraid(Councilmen)")]
    assert groundings(knowledge, facts) == {"x": "Councilmen", "y": "Demonstrators"}


def test_a_fact_that_does_not_fit_what_is_known_is_passed_over():
    knowledge = parse("above(x, y) -> below(y, x)")
    facts = [parse("above(Sun, Cloud)"), parse("below(Sun, Cloud)"), parse("above(Sun, Sun)")]
    assert groundings(knowledge, facts) == {"x": "Sun", "y": "Cloud"}
