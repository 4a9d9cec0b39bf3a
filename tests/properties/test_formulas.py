"""What holds for formulas of any shape, and for proofs under any names and in any order."""

from collections.abc import Set
from dataclasses import replace
from functools import reduce
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.core.answers import Verdict
from knowledge.core.formalisation import Formalisation, Thing, read
from knowledge.core.language import FormulaError, parse, show
from knowledge.core.language.errors import Problem
from knowledge.core.language.tree import (
    Apply,
    Atom,
    Chain,
    Connective,
    Equal,
    Formula,
    Implies,
    Name,
    Not,
    Quantified,
    Quantifier,
    Variable,
    chain,
    every,
    with_names,
)
from knowledge.core.obligations import Examination, examine
from knowledge.core.smt import Claim, script
from knowledge.prover.process import Prover
from tests.knowledge.conftest import prover as prover

variables = st.builds(Variable, st.sampled_from(["x", "y", "s", "a", "z1"]))
names = st.sampled_from(["Ann", "Łódź", "S0", "Ann’s", "fit_into", "distinct", "A1"])
terms = st.recursive(
    variables | st.builds(Name, names),
    lambda inner: st.builds(Apply, names, st.lists(inner, min_size=1, max_size=2).map(tuple)),
    max_leaves=4,
)
simple = st.builds(Equal, terms, terms) | st.builds(
    Atom, names, st.lists(terms, max_size=3).map(tuple)
)


def larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return (
        st.builds(Not, inner)
        | st.builds(Implies, inner, inner)
        | st.builds(
            lambda connective, parts: chain(connective, *parts),
            st.sampled_from(Connective),
            st.lists(inner, min_size=2, max_size=3),
        )
        | st.builds(
            Quantified,
            st.sampled_from(Quantifier),
            st.lists(variables, min_size=1, max_size=2).map(tuple),
            inner,
        )
    )


formulas = st.recursive(simple, larger, max_leaves=12)


@given(formulas)
def test_what_is_shown_is_read_as_the_same_formula(formula: Formula) -> None:
    text = show(formula)
    if len(text) <= 2_000:
        assert parse(text) == formula
        assert show(parse(text)) == text


def problem_of(text: str) -> Problem | None:
    try:
        parse(text)
    except FormulaError as error:
        return error.problem
    return None


@given(st.text(max_size=60) | st.text("()xAa, ->∀∃¬≡=.:", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    problem = problem_of(text)
    if problem is not None:
        lines = text.split("\n")
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1


@given(formulas)
def test_renaming_there_and_back_changes_nothing(formula: Formula) -> None:
    there = {"Ann": "Bob", "fit_into": "go_into"}
    back = {new: old for old, new in there.items()}
    assert with_names(with_names(formula, there), back) == formula
    assert len([*every(formula)]) == len([*every(with_names(formula, there))])


propositions = st.recursive(
    st.sampled_from([Atom("Aa"), Atom("Bb"), Atom("Cc")]),
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(Implies, inner, inner)
        | st.builds(
            lambda connective, parts: chain(connective, *parts),
            st.sampled_from(Connective),
            st.lists(inner, min_size=2, max_size=4),
        )
    ),
    max_leaves=10,
)
FOLDS = {
    Connective.AND: lambda one, other: one and other,
    Connective.OR: lambda one, other: one or other,
    Connective.XOR: lambda one, other: one != other,
    Connective.IFF: lambda one, other: one == other,
}


def holds(formula: Formula, true: Set[str]) -> bool:
    """The slow obvious meaning of a formula without terms."""
    match formula:
        case Atom(name, _):
            return name in true
        case Not(body):
            return not holds(body, true)
        case Implies(left, right):
            return not holds(left, true) or holds(right, true)
        case Chain(connective, parts):
            return reduce(FOLDS[connective], [holds(part, true) for part in parts])
    raise TypeError(formula)


@settings(deadline=None)
@given(propositions)
def test_the_prover_agrees_with_truth_tables(prover: Prover, formula: Formula) -> None:
    table = [{*true} for n in range(4) for true in combinations(("Aa", "Bb", "Cc"), n)]
    is_valid = all(holds(formula, true) for true in table)
    answer = prover(script(Claim((), formula)))
    assert (answer.verdict is Verdict.PROVED) == is_valid


PREDICATES = ("large", "small", "above", "fits")
QUESTIONS = st.builds(
    Formalisation,
    things=st.just((Thing("Cup"), Thing("Box"))),
    options=st.just(("Cup", "Box")),
    answer=st.sampled_from(["Cup", "Box"]),
    pronoun=st.just("It"),
    scene=st.lists(
        st.sampled_from(["above(Cup, Box)", "not small(Box)", "exists x: large(x)"]), max_size=2
    ).map(tuple),
    clause=st.sampled_from(["large(It)", "small(It)", "exists y: above(y, It)"]),
    outcome=st.sampled_from([None, "not fits(Cup, Box)", "above(Box, Cup)"]),
)
RULES = (
    "large(x) -> not fits(x, y)",
    "small(y) -> not fits(x, y)",
    "above(x, y) -> not above(y, x)",
    "above(x, y) -> small(x)",
    "large(x) xor small(x)",
)


def findings(done: Examination) -> object:
    other = None if done.other is None else sorted(map(str, done.other.values()))
    cores = {way: bool(core) for way, core in done.cores.items()}
    return done.consistent, done.ways, other, done.without_knowledge, cores, done.verified


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(
    QUESTIONS,
    st.lists(st.sampled_from(RULES), unique=True, max_size=4),
    st.permutations(["Box", "Cup", "Ab", "Zz"]),
    st.permutations(["large", "small", "above", "fits"]),
    st.randoms(use_true_random=False),
)
def test_a_proof_depends_on_neither_names_nor_order(
    prover: Prover,
    question: Formalisation,
    rules: list[str],
    things: list[str],
    predicates: list[str],
    random: object,
) -> None:
    new = dict(zip(("Cup", "Box"), things, strict=False))
    new |= dict(zip(PREDICATES, predicates, strict=True))

    def renamed(text: str) -> str:
        return show(with_names(parse(text), new))

    other = replace(
        question,
        things=tuple(Thing(new[thing.name]) for thing in reversed(question.things)),
        options=tuple(new[option] for option in reversed(question.options)),
        answer=new[question.answer],
        scene=tuple(renamed(text) for text in reversed(question.scene)),
        clause=renamed(question.clause),
        outcome=question.outcome and renamed(question.outcome),
    )
    knowledge = {f"rule {n}": text for n, text in enumerate(rules)}
    shuffled = {f"other {n}": renamed(text) for n, text in enumerate(reversed(rules))}
    first = examine(read(question, knowledge), prover)
    second = examine(read(other, shuffled), prover)
    assert findings(first) == findings(second)
