"""Which thing of a question each variable of its knowledge stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from knowledge.core.language.signature import Sort, sort_of_variable
from knowledge.core.language.tree import (
    Apply,
    Atom,
    Formula,
    Name,
    Term,
    Variable,
    every,
    every_term,
)


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
    found: dict[str, str] = {}
    uses = list(_uses(formula))
    for name, things in (use for fact in facts for use in _uses(fact)):
        for other, variables in uses:
            if other == name and len(things) == len(variables):
                found |= _matched(variables, things, found)
    return found


def _uses(formula: Formula) -> Iterator[tuple[str, Sequence[Term]]]:
    """Yield each predicate and action with arguments, and those arguments."""
    for part in every(formula):
        if isinstance(part, Atom):
            yield part.name, part.terms
    for term in every_term(formula):
        if isinstance(term, Apply):
            yield term.name, term.terms


def _matched(
    variables: Sequence[Term], things: Sequence[Term], found: Mapping[str, str]
) -> dict[str, str]:
    """Return new groundings if all arguments fit together and with those found; else none."""
    new = dict(found)
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
