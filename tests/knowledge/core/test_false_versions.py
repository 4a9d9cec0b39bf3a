"""False versions of formulas and sentences."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.core.false_versions import Kind, Pick, Side, carried_over, changes, offers
from knowledge.core.formalisation import read as read_theory
from knowledge.core.language import parse, show
from knowledge.core.obligations import examine
from knowledge.core.phrasing import Lexicon, phrase
from knowledge.core.slots import read
from tests.data_dir import data_dir, needs_data
from tests.knowledge.wsc_formal import formalised, lines

LIFT = "forall x, y: not Strong(x, s) -> not Poss(lift(x, y), s)"
LEXICON = Lexicon(
    {"Strong": ("{x is|are} strong enough", "{x is|are} not strong enough")},
    {"lift": "possible for {x} to lift {y}"},
)
SENTENCE = (
    "When {X:person} is about to lift {Y:person} up, if {X} is not strong enough, then it wouldn't "
    "be possible for {X} to lift {Y}."
)


def of(text):
    return [(c.kind, c.side, show(c.formula)) for c in changes(parse(text))]


def test_the_papers_formula_is_negated_swapped_and_replaced_on_either_side():
    assert of(LIFT) == [
        (Kind.NEGATION, Side.ANTECEDENT, LIFT.replace("not Strong", "Strong")),
        (Kind.NEGATION, Side.CONSEQUENT, LIFT.replace("not Poss", "Poss")),
        (Kind.SWAPPED, Side.ANTECEDENT, LIFT.replace("Strong(x, s)", "Strong(y, s)")),
        (Kind.SWAPPED, Side.CONSEQUENT, LIFT.replace("lift(x, y)", "lift(y, x)")),
    ]


def test_a_replacement_is_offered_where_no_swap_says_the_same():
    found = of("big(x) and red(y) -> sees(x, y)")
    replaced = [text for kind, _, text in found if kind is Kind.REPLACED]
    assert replaced == [
        "big(y) and red(y) -> sees(x, y)",
        "big(x) and red(x) -> sees(x, y)",
    ]


def test_both_sides_of_an_equivalence_are_changed():
    sides = {side for _, side, _ in of("big(x) <-> sees(x, y)")}
    assert sides == {Side.ANTECEDENT, Side.CONSEQUENT}
    assert {side for _, side, _ in of("sees(x, y)")} == {Side.WHOLE}


def test_situations_actions_and_inner_variables_are_not_exchanged():
    antecedent, consequent = "forall x, s: big(x, s)", "exists y, a: sees(x, y) and done(a)"
    assert [text for _, _, text in of(f"{antecedent} -> {consequent}")] == [
        f"forall x, s: not big(x, s) -> {consequent}",
        f"{antecedent} -> exists y, a: not sees(x, y) and done(a)",
        f"{antecedent} -> exists y, a: sees(x, y) and not done(a)",
    ]


ATOMS = ["big(x)", "sees(x, y)", "near(y, z)", "sees(z, x)", "not big(y)", "x = y"]
SIDES = st.lists(st.sampled_from(ATOMS), min_size=1, max_size=3)


@given(SIDES, SIDES)
def test_no_change_equals_the_formula_repeats_or_has_a_variable_twice_in_an_atom(left, right):
    formula = parse(f"{' and '.join(left)} -> {' or '.join(right)}")
    found = [show(change.formula) for change in changes(formula)]
    assert show(formula) not in found
    assert len(set(found)) == len(found)
    for text in found:
        assert show(parse(text)) == text
        for name in "xyz":
            assert f"({name}, {name})" not in text
            assert f"{name} = {name}" not in text
            assert f"{name} != {name}" not in text


def test_only_what_loses_the_proof_is_offered_and_first_what_picks_the_other_option():
    picks = {
        LIFT.replace("not Strong", "Strong"): Pick.NEITHER,
        LIFT.replace("not Poss", "Poss"): Pick.UNDECIDED,
        LIFT.replace("Strong(x, s)", "Strong(y, s)"): Pick.OTHER,
        LIFT.replace("lift(x, y)", "lift(y, x)"): Pick.ANSWER,
    }
    found = offers(parse(LIFT), lambda formula: picks[show(formula)])
    assert [pick for _, pick in found.offered] == [Pick.OTHER, Pick.NEITHER]
    assert (found.n_proved, found.n_undecided) == (1, 1)


def test_a_false_sentence_keeps_what_people_edited_in_the_true_one():
    formula = parse(LIFT)
    names = phrase(formula, LEXICON).names
    texts = {
        (change.kind, change.side): carried_over(SENTENCE, change, LEXICON, names)
        for change in changes(formula)
    }
    negated = texts[Kind.NEGATION, Side.ANTECEDENT]
    assert read(negated).render("natural") == (
        "When a person is about to lift another person up, if the first person is strong enough, "
        "then it wouldn't be possible for the first person to lift the second person."
    )
    assert "it is possible for {X} to lift {Y}" in texts[Kind.NEGATION, Side.CONSEQUENT]
    assert "if {Y is|are} not strong enough" in texts[Kind.SWAPPED, Side.ANTECEDENT]
    assert "possible for {Y} to lift {X}" in texts[Kind.SWAPPED, Side.CONSEQUENT]


def test_a_sentence_in_other_words_is_left_to_its_people():
    change = next(changes(parse(LIFT)))
    names = {"x": "X", "y": "Y"}
    assert carried_over("If {X:person} is weak, …", change, LEXICON, names) is None


def picks_in(question, name, prover):
    """What the knowledge picks with another formula in the place of the named one."""
    formalisation = formalised(question)
    theory = read_theory(formalisation, question["knowledge"])

    def pick(formula):
        found = examine(replace(theory, knowledge=theory.knowledge | {name: formula}), prover)
        if found.undecided:
            return Pick.UNDECIDED
        if found.ways:
            return Pick.ANSWER
        return Pick.OTHER if found.other else Pick.NEITHER

    return theory.knowledge[name], pick


def case(question):
    marks = [] if question["wsc273"] in (14, 36) else [pytest.mark.long]
    return pytest.param(question, id=str(question["wsc273"]), marks=marks)


QUESTIONS = lines("questions.jsonl") if data_dir().is_dir() else []


@pytest.mark.long
@needs_data
@pytest.mark.parametrize("question", [case(question) for question in QUESTIONS])
def test_every_proved_question_has_a_false_version_that_loses_its_proof(question, prover):
    for name in question["expected"]["core"]:
        formula, pick = picks_in(question, name, prover)
        found = offers(formula, pick)
        assert found.offered
        assert found.n_undecided == 0
        for change, lost in found.offered:
            assert pick(change.formula) is lost
