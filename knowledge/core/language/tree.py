"""The tree of a formula, and its text in canonical form."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from knowledge.core.language.errors import START_OF_TEXT, Place

POSS, DO, START = "Poss", "do", "S0"


class Connective(StrEnum):
    """Connectives that can be chained, since grouping does not matter."""

    AND = "and"
    OR = "or"
    XOR = "xor"
    IFF = "<->"


class Quantifier(StrEnum):
    FORALL = "forall"
    EXISTS = "exists"


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    at: Place = field(default=START_OF_TEXT, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A thing, an action without arguments, or the situation ``S0``."""

    name: str
    at: Place = field(default=START_OF_TEXT, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """An action with arguments, or the situation ``do(action, situation)``."""

    name: str
    terms: "tuple[Term, ...]"
    at: Place = field(default=START_OF_TEXT, compare=False, repr=False)


Term = Variable | Name | Apply


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate of some terms; of none, a proposition."""

    name: str
    terms: tuple[Term, ...] = ()
    at: Place = field(default=START_OF_TEXT, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Equal:
    left: Term
    right: Term
    at: Place = field(default=START_OF_TEXT, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Not:
    body: "Formula"
    at: Place = field(default=START_OF_TEXT, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Chain:
    """Two or more formulas under one connective; none is a chain of the same connective."""

    connective: Connective
    parts: "tuple[Formula, ...]"
    at: Place = field(default=START_OF_TEXT, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Implies:
    left: "Formula"
    right: "Formula"
    at: Place = field(default=START_OF_TEXT, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Quantified:
    quantifier: Quantifier
    variables: tuple[Variable, ...]
    body: "Formula"
    at: Place = field(default=START_OF_TEXT, compare=False, repr=False)


Formula = Atom | Equal | Not | Chain | Implies | Quantified


def chain(connective: Connective, *parts: Formula, at: Place = START_OF_TEXT) -> Formula:
    """Join formulas under a connective, in normal form; a single one stays as it is."""
    flat: list[Formula] = []
    for part in parts:
        same = isinstance(part, Chain) and part.connective == connective
        flat += part.parts if same else (part,)  # type: ignore[union-attr]
    return flat[0] if len(flat) == 1 else Chain(connective, tuple(flat), at)


def inside(formula: Formula) -> tuple[Formula, ...]:
    """Return the formulas directly inside one."""
    match formula:
        case Not(body) | Quantified(_, _, body):
            return (body,)
        case Implies(left, right):
            return (left, right)
        case Chain(_, parts):
            return parts
    return ()


def terms_of(formula: Formula) -> tuple[Term, ...]:
    """Return the terms directly in an atom or an equality."""
    match formula:
        case Atom(_, terms):
            return terms
        case Equal(left, right):
            return (left, right)
    return ()


def every(formula: Formula) -> Iterator[Formula]:
    """Yield a formula and all formulas inside it."""
    yield formula
    for part in inside(formula):
        yield from every(part)


def every_term(formula: Formula) -> Iterator[Term]:
    """Yield every term in a formula, and the terms inside terms."""
    for part in every(formula):
        for term in terms_of(part):
            yield from _terms_within(term)


def _terms_within(term: Term) -> Iterator[Term]:
    yield term
    if isinstance(term, Apply):
        for inner in term.terms:
            yield from _terms_within(inner)


def free_variables(formula: Formula) -> tuple[Variable, ...]:
    """Return the first free occurrence of each free variable, in the order of the text."""
    variables: dict[str, Variable] = {}
    for variable in _free(formula, frozenset()):
        variables.setdefault(variable.name, variable)
    return tuple(variables.values())


def _free(formula: Formula, bound: frozenset[str]) -> Iterator[Variable]:
    if isinstance(formula, Quantified):
        bound |= {variable.name for variable in formula.variables}
    for term in terms_of(formula):
        for inner in _terms_within(term):
            if isinstance(inner, Variable) and inner.name not in bound:
                yield inner
    for part in inside(formula):
        yield from _free(part, bound)


def closed(formula: Formula) -> Formula:
    """Return a formula with its free variables bound by one universal quantifier."""
    free = free_variables(formula)
    return Quantified(Quantifier.FORALL, free, formula) if free else formula


def with_names(formula: Formula, names: Mapping[str, str]) -> Formula:
    """Return a formula with some names in it replaced by other names."""

    def term(old: Term) -> Term:
        if isinstance(old, Apply):
            return replace(old, name=names.get(old.name, old.name), terms=_each(term, old.terms))
        return replace(old, name=names.get(old.name, old.name)) if isinstance(old, Name) else old

    def renamed(old: Formula) -> Formula:
        match old:
            case Atom(name, terms):
                return replace(old, name=names.get(name, name), terms=_each(term, terms))
            case Equal(left, right):
                return replace(old, left=term(left), right=term(right))
            case Not(body) | Quantified(_, _, body):
                return replace(old, body=renamed(body))
            case Implies(left, right):
                return replace(old, left=renamed(left), right=renamed(right))
            case Chain(_, parts):
                return replace(old, parts=tuple(renamed(part) for part in parts))

    return renamed(formula)


def _each(change: Callable[[Term], Term], terms: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(change(term) for term in terms)


# How tightly each binds; more binds tighter.
_IMPLIES, _NOT, _ATOM = 1, 5, 6
_CHAINS = {Connective.IFF: 0, Connective.XOR: 2, Connective.OR: 3, Connective.AND: 4}


def show(formula: Formula, *, reach: bool = False) -> str:
    """Write a formula such that ``parse(show(formula)) == formula``.

    Parameters
    ----------
    formula
    reach
        Write in brackets what a quantifier reaches if it is more than one unit. For people; what
        is hashed has the fewest brackets.
    """
    return _text(formula, at_least=0, is_last=True, reach=reach)


def show_term(term: Term) -> str:
    """Write a term."""
    if isinstance(term, Apply):
        return f"{term.name}({_terms(term.terms)})"
    return term.name


def _terms(terms: tuple[Term, ...]) -> str:
    return ", ".join(show_term(term) for term in terms)


def _text(formula: Formula, *, at_least: int, is_last: bool, reach: bool) -> str:
    """Write a formula, in brackets if it binds less tightly than *at_least*.

    A quantifier reaches as far right as it can, so it needs brackets unless it is the last.
    """
    if isinstance(formula, Quantified):
        whole = _whole(formula, reach=reach)
        return whole if is_last else f"({whole})"
    tightness = _tightness(formula)
    if tightness < at_least:
        return f"({_inner(formula, tightness, is_last=True, reach=reach)})"
    return _inner(formula, tightness, is_last=is_last, reach=reach)


def _tightness(formula: Formula) -> int:
    match formula:
        case Chain(connective, _):
            return _CHAINS[connective]
        case Implies():
            return _IMPLIES
        case Not(Equal()):
            return _ATOM
        case Not():
            return _NOT
    return _ATOM


def _whole(formula: Quantified, *, reach: bool) -> str:
    variables = ", ".join(variable.name for variable in formula.variables)
    body = _text(formula.body, at_least=_NOT if reach else 0, is_last=True, reach=reach)
    return f"{formula.quantifier} {variables}: {body}"


def _inner(formula: Formula, tightness: int, *, is_last: bool, reach: bool) -> str:
    match formula:
        case Atom(name, terms):
            return f"{name}({_terms(terms)})" if terms else name
        case Equal(left, right):
            return f"{show_term(left)} = {show_term(right)}"
        case Not(Equal(left, right)):
            return f"{show_term(left)} != {show_term(right)}"
        case Not(body):
            return f"not {_text(body, at_least=_NOT, is_last=is_last, reach=reach)}"
        case Implies(left, right):
            first = _text(left, at_least=_IMPLIES + 1, is_last=False, reach=reach)
            second = _text(right, at_least=_IMPLIES, is_last=is_last, reach=reach)
            return f"{first} -> {second}"
        case Chain(connective, parts):
            return f" {connective} ".join(
                _text(
                    part, at_least=tightness + 1, is_last=is_last and part is parts[-1], reach=reach
                )
                for part in parts
            )
    raise TypeError(f"{formula!r} is no formula.")
