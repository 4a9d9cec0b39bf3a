"""Which thing of a question each variable of its knowledge stands for, and worlds of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Self

from knowledge.core.answers import Answer
from knowledge.core.language.parsing import parse
from knowledge.core.language.signature import Sort, sort_of_variable
from knowledge.core.language.tree import (
    POSS,
    START,
    Apply,
    Atom,
    Formula,
    Name,
    Term,
    Variable,
    every,
    every_term,
    free_variables,
    show,
)
from knowledge.core.smt import Claim


def groundings(formula: Formula, facts: Iterable[Formula]) -> dict[str, str]:
    """Return the thing that each variable of a formula stands for in a question.

    Parameters
    ----------
    formula : Formula
        Of knowledge.
    facts : iterable of Formula
        Scene, outcome, and the clause with the answer in place of the pronoun, most telling first.

    Returns
    -------
    dict of variable to name
        From predicates and actions that the formula shares with the facts: the first that fits what
        is known already. A thing stands for one variable, a variable without a fact is left out.

    Examples
    --------
    >>> from knowledge.core.language import parse
    >>> groundings(parse("not Strong(x, s) -> not Poss(lift(x, y), s)"),
    ...            [parse("not Poss(lift(Father, Son), S0)")])
    {'x': 'Father', 'y': 'Son'}
    """
    terms: dict[str, str] = {}
    uses = list(_uses(formula))
    for name, things in (use for fact in facts for use in _uses(fact)):
        for other, variables in uses:
            if other == name and len(things) == len(variables):
                terms |= _matched(variables, things, terms)
    return terms


def _uses(formula: Formula) -> Iterator[tuple[str, Sequence[Term]]]:
    """Yield each predicate and action with arguments, and those arguments."""
    for part in every(formula):
        if isinstance(part, Atom):
            yield part.name, part.terms
    for term in every_term(formula):
        if isinstance(term, Apply):
            yield term.name, term.terms


def _matched(
    variables: Sequence[Term], things: Sequence[Term], terms: Mapping[str, str]
) -> dict[str, str]:
    """Return new groundings if all arguments fit together and with those found; else none."""
    new = dict(terms)
    for variable, thing in zip(variables, things, strict=True):
        if not isinstance(variable, Variable) or not isinstance(thing, Name):
            continue
        if sort_of_variable(variable.name) is not Sort.OBJECT:
            continue
        if new.get(variable.name, thing.name) != thing.name:
            return {}
        if any(new[v] == thing.name for v in new if v != variable.name):
            return {}
        new[variable.name] = thing.name
    return new


MOST_FACTS = 40
Phrase = Callable[[Atom, bool], str | None]


@dataclass(frozen=True, slots=True)
class Fact:
    """An atom as text, and whether it holds."""

    atom: str
    holds: bool


@dataclass(frozen=True, slots=True)
class World:
    """A model of the premises in which the goal fails.

    Parameters
    ----------
    facts
        At most 40: of the named things, in the order of the formulas.
    others
        Whether there are also things without a name.
    """

    facts: tuple[Fact, ...]
    others: bool = False

    @classmethod
    def of(cls, probes: Iterable[Atom], answer: Answer) -> Self:
        """Read the world from the answer to a script with these probes."""
        facts = (
            Fact(show(probe), truth)
            for probe, truth in zip(probes, answer.truths, strict=True)
            if truth is not None
        )
        return cls(tuple(facts), answer.others)


def probes_of(claim: Claim) -> tuple[Atom, ...]:
    """Return the ground atoms that tell about a world of the claim.

    They are the atoms of its formulas, the goal's first, with each variable replaced by every name
    of its sort; a situation is ``S0``, and a variable for actions is replaced by the actions that
    the formulas name.
    """
    goal = (claim.goal,) if claim.goal is not None else ()
    formulas = (*goal, *reversed(claim.premises))
    values = _values(claim, formulas)
    atoms: dict[Atom, None] = {}
    for formula in formulas:
        for part in every(formula):
            if isinstance(part, Atom):
                # Twelve variables and forty names would have more instances than memory.
                atoms |= dict.fromkeys(islice(_ground(part, values), MOST_FACTS))
    return tuple(atoms)[:MOST_FACTS]


def _values(claim: Claim, formulas: Iterable[Formula]) -> dict[Sort, list[Term]]:
    actions = dict.fromkeys(
        term
        for formula in formulas
        for term in every_term(formula)
        if isinstance(term, Apply) and term.name != "do" and not _variables(term)
    )
    return {
        Sort.OBJECT: [Name(name) for name in claim.different],
        Sort.SITUATION: [Name(START)],
        Sort.ACTION: list(actions),
    }


def _ground(atom: Atom, values: Mapping[Sort, list[Term]]) -> Iterator[Atom]:
    names = [variable.name for variable in free_variables(atom)]
    for chosen in product(*(values[sort_of_variable(name)] for name in names)):
        terms = dict(zip(names, chosen, strict=True))
        yield Atom(atom.name, tuple(_with(term, terms) for term in atom.terms))


def _with(term: Term, terms: Mapping[str, Term]) -> Term:
    if isinstance(term, Variable):
        return terms[term.name]
    if isinstance(term, Apply):
        return Apply(term.name, tuple(_with(inner, terms) for inner in term.terms))
    return Name(term.name)


def _variables(term: Apply) -> bool:
    return bool(free_variables(Atom("", (term,))))


def in_words(
    world: World, *, words: Mapping[str, str] | None = None, phrase: Phrase | None = None
) -> tuple[str, ...]:
    """Return one sentence for each fact of a world.

    Parameters
    ----------
    words
        Name of a thing → its noun phrase; a name without one stands for itself.
    phrase
        Says an atom that holds or fails in words, or returns None if it has no words for it.
    """
    sentences = [_sentence(fact, words or {}, phrase) for fact in world.facts]
    if world.others:
        sentences.append("There are other things beside those named.")
    return tuple(sentences)


def _sentence(fact: Fact, words: Mapping[str, str], phrase: Phrase | None) -> str:
    atom = parse(fact.atom)
    assert isinstance(atom, Atom)
    own = phrase(atom, fact.holds) if phrase is not None else None
    return own or _plain(atom, fact.holds, words)


def _plain(atom: Atom, holds: bool, words: Mapping[str, str]) -> str:
    """Say an atom without a lexicon.

    >>> _plain(Atom("too_large", (Name("Trophy"),)), False, {"Trophy": "the trophy"})
    'It is false that “too large” holds of the trophy.'
    """
    truth = "true" if holds else "false"
    if atom.name == POSS:
        return f"It is {truth} that {_term_words(atom.terms[0], words)} is possible."
    name = atom.name.replace("_", " ")
    terms = [term for term in atom.terms if term != Name(START)]
    if not terms:
        return f"It is {truth} that “{name}” holds."
    return f"It is {truth} that “{name}” holds of {_list(terms, words)}."


def _term_words(term: Term, words: Mapping[str, str]) -> str:
    if isinstance(term, Apply):
        return f"“{term.name.replace('_', ' ')}” of {_list(term.terms, words)}"
    return words.get(term.name) or term.name


def _list(terms: Iterable[Term], words: Mapping[str, str]) -> str:
    return ", ".join(_term_words(term, words) for term in terms)
