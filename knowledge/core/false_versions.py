"""False versions of a knowledge formula, and of its sentence."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, permutations

from knowledge.core.language.signature import Sort, sort_of_variable
from knowledge.core.language.tree import (
    Apply,
    Atom,
    Chain,
    Connective,
    Equal,
    Formula,
    Implies,
    Not,
    Quantified,
    Quantifier,
    Term,
    Variable,
    chain,
    every,
    every_term,
    free_variables,
    show,
    terms_of,
)
from knowledge.core.phrasing import Lexicon, introduced, phrase_part
from knowledge.core.slots import Slot, read

_KIND = re.compile(r"\{([A-Z][0-9]?):[^{}|]*?(?=\}| [^ {}|]+\|)")


class Kind(StrEnum):
    """How a false version differs from the true one.

    The first three are made from the formula; the others are written by hand.
    """

    NEGATION = "negation"
    SWAPPED = "swapped"
    REPLACED = "replaced"
    CHANGED = "changed"
    OTHER = "other"


class Side(StrEnum):
    """The part of a formula that a false version changes."""

    ANTECEDENT = "antecedent"
    CONSEQUENT = "consequent"
    WHOLE = "whole"


class Pick(StrEnum):
    """What knowledge picks in a question."""

    ANSWER = "answer"
    OTHER = "other"
    NEITHER = "neither"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Changed:
    """A formula with one change.

    Parameters
    ----------
    kind : Kind
    side : Side
    formula : Formula
    before, after : Formula
        The part of the formula that was changed, and what it was changed to.
    """

    kind: Kind
    side: Side
    formula: Formula
    before: Formula
    after: Formula


@dataclass(frozen=True, slots=True)
class Offers:
    """False versions of a formula.

    Parameters
    ----------
    offered : tuple of (Changed, Pick)
        Those that no longer pick the answer: first those that pick the other option.
    n_proved : int
        Left out, since some way still picks the answer.
    n_undecided : int
        Left out, since the prover did not decide.
    """

    offered: tuple[tuple[Changed, Pick], ...]
    n_proved: int
    n_undecided: int


def offers(formula: Formula, picks: Callable[[Formula], Pick]) -> Offers:
    """Return the false versions of a formula that lose its proof.

    Parameters
    ----------
    formula : Formula
        Of the knowledge that picks the answer.
    picks : callable
        What the knowledge picks with another formula in the place of this one. ``ANSWER`` wherever
        some way picks the answer, also if another way picks the other option.

    Source: WinoLogic (EMNLP 2021), §4.1. That a false version loses the proof, and that those which
    pick the other option come first, is ours.
    """
    changed_terms = [(change, picks(change.formula)) for change in changes(formula)]
    lost = [pair for pair in changed_terms if pair[1] in (Pick.OTHER, Pick.NEITHER)]
    return Offers(
        offered=tuple(sorted(lost, key=lambda pair: pair[1] is not Pick.OTHER)),
        n_proved=sum(pick is Pick.ANSWER for _, pick in changed_terms),
        n_undecided=sum(pick is Pick.UNDECIDED for _, pick in changed_terms),
    )


def changes(formula: Formula) -> Iterator[Changed]:
    """Yield a formula's negations, swaps and replacements on either side, each formula once.

    An implication and an equivalence have two sides, any other formula one. Swaps and replacements
    are of object variables. A change after which an atom or action has a variable twice is left
    out, and so is what equals the formula.

    Examples
    --------
    >>> from knowledge.core.language import parse, show
    >>> [show(one.formula) for one in changes(parse("tall(x) -> sees(x, y)"))][:3]
    ['not tall(x) -> sees(x, y)', 'tall(x) -> not sees(x, y)', 'tall(y) -> sees(x, y)']
    """
    seen = {show(formula)}
    quantified, body = _opened(formula)
    variables = _objects(formula, quantified)
    for kind, change in _KINDS.items():
        for side, part, whole in _sides(body):
            for new in change(part, variables):
                changed = _closed(quantified, whole(new))
                if show(changed) not in seen and not _has_double(new):
                    seen.add(show(changed))
                    yield Changed(kind, side, changed, part, new)


def carried_over(
    text: str, change: Changed, lexicon: Lexicon, names: Mapping[str, str]
) -> str | None:
    """Return the true sentence with the words of one side changed, as its people edited the rest.

    Parameters
    ----------
    text : str
        The true sentence, with slots.
    change : Changed
    lexicon : Lexicon
    names : mapping of variable to slot name
        As `phrasing.phrase` returned it.

    Returns
    -------
    str or None
        None if the words of the side do not stand in the text exactly once: then the sentence of
        the changed formula has to be phrased again.
    """
    old, new = (phrase_part(part, lexicon, names) for part in (change.before, change.after))
    plain = _KIND.sub(r"{\1", text)
    for before, after in ((old, new), (_unbound(old), new)):
        if plain.count(before) == 1:
            return introduced(plain.replace(before, after), _kinds(text))
    return None


def _unbound(words: str) -> str:
    """Return words whose verbs are written out in the singular, as people often do."""
    return re.sub(r"\{([A-Z][0-9]?) ([^ {}|]+)\|[^ {}|]+\}", r"{\1} \2", words)


def _kinds(text: str) -> dict[str, str]:
    slots = (part for part in read(text).parts if isinstance(part, Slot) and part.kind)
    return {slot.name: slot.article + slot.kind for slot in slots}


def _opened(formula: Formula) -> tuple[list[Quantified], Formula]:
    """Return the outer universal quantifiers, and what is inside them."""
    quantified = []
    while isinstance(formula, Quantified) and formula.quantifier is Quantifier.FORALL:
        quantified.append(formula)
        formula = formula.body
    return quantified, formula


def _closed(quantified: Sequence[Quantified], body: Formula) -> Formula:
    for outer in reversed(quantified):
        body = replace(outer, body=body)
    return body


def _objects(formula: Formula, quantified: Sequence[Quantified]) -> list[str]:
    """Return the object variables that the whole formula binds or leaves free, in order."""
    bound = [variable for outer in quantified for variable in outer.variables]
    names = dict.fromkeys(variable.name for variable in [*bound, *free_variables(formula)])
    return [name for name in names if sort_of_variable(name) is Sort.OBJECT]


def _sides(body: Formula) -> Iterator[tuple[Side, Formula, Callable[[Formula], Formula]]]:
    """Yield each side, and what makes the whole of a new one."""
    if isinstance(body, Implies):
        yield Side.ANTECEDENT, body.left, lambda new: replace(body, left=new)
        yield Side.CONSEQUENT, body.right, lambda new: replace(body, right=new)
    elif isinstance(body, Chain) and body.connective is Connective.IFF and len(body.parts) == 2:
        left, right = body.parts
        yield Side.ANTECEDENT, left, lambda new: chain(Connective.IFF, new, right)
        yield Side.CONSEQUENT, right, lambda new: chain(Connective.IFF, left, new)
    else:
        yield Side.WHOLE, body, lambda new: new


def _negations(part: Formula, variables: Sequence[str]) -> Iterator[Formula]:
    """Yield a part with one literal negated at a time."""
    match part:
        case Not(Atom() | Equal() as inner):
            yield inner
        case Atom() | Equal():
            yield Not(part)
        case Not(body) | Quantified(_, _, body):
            yield from (replace(part, body=new) for new in _negations(body, variables))
        case Implies(left, right):
            yield from (replace(part, left=new) for new in _negations(left, variables))
            yield from (replace(part, right=new) for new in _negations(right, variables))
        case Chain(connective, parts):
            for k, operand in enumerate(parts):
                for new in _negations(operand, variables):
                    yield chain(connective, *parts[:k], new, *parts[k + 1 :])


def _swaps(part: Formula, variables: Sequence[str]) -> Iterator[Formula]:
    for one, other in combinations(variables, 2):
        yield _renamed(part, {one: other, other: one})


def _replacements(part: Formula, variables: Sequence[str]) -> Iterator[Formula]:
    for one, other in permutations(variables, 2):
        yield _renamed(part, {one: other})


_KINDS = {Kind.NEGATION: _negations, Kind.SWAPPED: _swaps, Kind.REPLACED: _replacements}


def _renamed(part: Formula, names: Mapping[str, str]) -> Formula:
    """Rename free variables; what a quantifier inside binds by one of the names stays as it is."""
    match part:
        case Atom(_, terms):
            return replace(part, terms=tuple(_renamed_term(term, names) for term in terms))
        case Equal(left, right):
            left, right = _renamed_term(left, names), _renamed_term(right, names)
            return replace(part, left=left, right=right)
        case Not(body):
            return replace(part, body=_renamed(body, names))
        case Quantified(_, variables, body):
            touched = {variable.name for variable in variables} & (set(names) | set(names.values()))
            return part if touched else replace(part, body=_renamed(body, names))
        case Implies(left, right):
            return replace(part, left=_renamed(left, names), right=_renamed(right, names))
        case Chain(_, parts):
            return replace(part, parts=tuple(_renamed(operand, names) for operand in parts))
    raise TypeError(f"{part!r} is no formula.")


def _renamed_term(term: Term, names: Mapping[str, str]) -> Term:
    if isinstance(term, Apply):
        return replace(term, terms=tuple(_renamed_term(part, names) for part in term.terms))
    if isinstance(term, Variable):
        return replace(term, name=names.get(term.name, term.name))
    return term


def _has_double(part: Formula) -> bool:
    """Return whether an atom, an equality or an action has a variable twice."""
    lists = [terms_of(each) for each in every(part)]
    lists += [term.terms for term in every_term(part) if isinstance(term, Apply)]
    names = ([term.name for term in terms if isinstance(term, Variable)] for terms in lists)
    return any(len(name) > len(set(name)) for name in names)
