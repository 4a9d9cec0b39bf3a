"""A formalisation is refused with every problem and its place, or read."""

from dataclasses import replace

import pytest

from knowledge.core.formalisation import Formalisation, Refused, Thing, read
from knowledge.core.language import show
from tests.knowledge.wsc_formal import LARGE, SMALL, THANKS, TROPHY

KNOWLEDGE = {"large": LARGE, "small": SMALL}
BAD = [
    ({"clause": "too_large("}, "unreadable", "clause", 11),
    ({"clause": "too_large(It, It)"}, "two_arities", "knowledge large", 1),
    ({"clause": "Poss(It, S0)"}, "wrong_sort", "clause", 6),
    ({"clause": "too_large(It) and likes(x, It)"}, "free_variable", "clause", 25),
    ({"outcome": "not Poss(fit_into(Trophy, Suitcase), s)"}, "free_variable", "outcome", 38),
    ({"clause": "too_large(Trophy)"}, "clause_without_pronoun", "clause", 1),
    ({"scene": ("likes(It)",)}, "pronoun_outside_clause", "scene 1", 7),
    ({"scene": ("likes(Suitcases)",)}, "unknown_thing", "scene 1", 7),
    ({"clause": "too_large(It) and " + "x" * 2000}, "too_long", "clause", 1),
    ({"scene": ("not " * 31 + "Aa",)}, "too_deep", "scene 1", 1),
    ({"scene": ("likes(b,c,d,e,f,g,h,i,j,k,l,m,n)",)}, "too_many_variables", "scene 1", 1),
    ({"scene": ("Aa",) * 37}, "too_many_formulas", "", 1),
    ({"things": (*TROPHY.things, Thing("Lid", "the\x00lid"))}, "bad_words", "", 1),
    ({"things": (*TROPHY.things, Thing("Lid", "l" * 201))}, "bad_words", "", 1),
    ({"pronoun": "I" * 201}, "bad_name", "", 1),
    ({"pronoun": "x"}, "bad_name", "", 1),
    ({"pronoun": "not"}, "bad_name", "", 1),
    ({"pronoun": "Trophy"}, "pronoun_is_a_thing", "", 1),
    ({"options": ("Trophy",)}, "bad_options", "", 1),
    ({"options": ("Trophy", "Case")}, "bad_options", "", 1),
    ({"answer": "Case"}, "bad_answer", "", 1),
    ({"things": (*TROPHY.things, Thing("Trophy"))}, "same_name", "", 1),
]


@pytest.mark.parametrize(("changes", "code", "formula", "column"), BAD)
def test_bad_input_is_refused_with_its_place(
    changes: dict[str, object], code: str, formula: str, column: int
) -> None:
    with pytest.raises(Refused) as refused:
        read(replace(TROPHY, **changes), KNOWLEDGE)  # type: ignore[arg-type]
    found = {(one.code, one.formula, one.column): one for one in refused.value.problems}
    assert (code, formula, column) in found
    assert found[code, formula, column].sentence.endswith(".")


@pytest.mark.parametrize("name", ["Trophy", "Suitcase", "It"])
def test_knowledge_cannot_name_an_option_or_the_pronoun(name: str) -> None:
    with pytest.raises(Refused) as refused:
        read(TROPHY, {"large": f"too_large({name}) -> not Poss(fit_into({name}, y), s)"})
    (problem,) = refused.value.problems
    assert (problem.code, problem.formula) == ("knowledge_names_option", "knowledge large")
    assert (problem.line, problem.column) == (1, 11)


def test_forty_formulas_with_the_knowledge_are_read() -> None:
    assert read(replace(TROPHY, scene=("Aa",) * 36), KNOWLEDGE)


def test_all_problems_are_found_at_once() -> None:
    with pytest.raises(Refused) as refused:
        read(replace(TROPHY, clause="too_large(", outcome="likes(x)"), {"large": "§"})
    places = {problem.formula for problem in refused.value.problems}
    assert places == {"clause", "outcome", "knowledge large"}


def test_the_clause_is_read_with_an_option_in_the_place_of_the_pronoun() -> None:
    theory = read(TROPHY, KNOWLEDGE)
    assert show(theory.clause_of("Suitcase")) == "too_large(Suitcase)"


def test_the_pronoun_is_not_a_thing_of_its_own() -> None:
    assert read(TROPHY, KNOWLEDGE).different == ("Suitcase", "Trophy")


def test_the_fingerprint_depends_on_the_formulas_only() -> None:
    own = read(TROPHY, KNOWLEDGE).fingerprint
    things = tuple(Thing(thing.name, "other words", "item") for thing in TROPHY.things)
    written = replace(TROPHY, things=things[::-1], clause=" too_large( It )")
    assert read(written, dict(reversed(KNOWLEDGE.items()))).fingerprint == own
    assert read(replace(TROPHY, answer="Suitcase"), KNOWLEDGE).fingerprint != own
    assert read(TROPHY, {"large": LARGE}).fingerprint != own
    assert read(replace(TROPHY, outcome=None), KNOWLEDGE).fingerprint != own


@pytest.mark.parametrize("made", [TROPHY, THANKS])
def test_a_formalisation_survives_json(made: Formalisation) -> None:
    assert Formalisation.from_dict(made.as_dict()) == made
