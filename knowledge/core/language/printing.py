"""Tree to text, in one canonical form with the fewest brackets."""

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
    Term,
)

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
