"""Text to tree, within the limits of size."""

from functools import cache
from pathlib import Path

from lark import Lark
from lark.exceptions import UnexpectedInput, UnexpectedToken

from knowledge.core.language import limits
from knowledge.core.language.builder import Builder, Built, too_deep
from knowledge.core.language.errors import FormulaError, Place
from knowledge.core.language.lexing import Meanings
from knowledge.core.language.tree import Formula, Quantified, Variable, every, every_term


def parse(text: str) -> Formula:
    """Read a formula, in words or in the signs of logic, NLTK, Prover9 or TPTP.

    A quantifier reaches as far right as it can (``show`` with ``reach`` writes the brackets), but
    TPTP's ``! [X] :`` and ``? [X] :`` reach one unit, as there. A final stop is passed over.

    Parameters
    ----------
    text
        At most 2,000 characters, 12 different variables and 30 levels: of connectives (a chain of
        one connective is one level), of quantifiers, or of terms, one within another.

    Returns
    -------
    The tree. Free variables are allowed here, and names have no sorts yet.

    Raises
    ------
    FormulaError
        ``too_long``, ``too_deep``, ``too_many_variables`` or ``unreadable``, with its place.

    Examples
    --------
    >>> from knowledge.core.language.printing import show
    >>> show(parse("∃x.¬Strong(x, S0)∧(x≡Father⊕x≡Son)"))
    'exists x: not Strong(x, S0) and (x = Father xor x = Son)'
    >>> show(parse("! [X] : (man(X) => mortal(X))."))
    'forall x: man(x) -> mortal(x)'
    """
    _refuse_long(text)
    _refuse_parentheses(text)
    try:
        built = _parser().parse(text)
    except UnexpectedInput as error:
        raise _unreadable(text, error) from None
    assert isinstance(built, Built)  # the builder replaces every tree
    _refuse_variables(built.formula)
    return built.formula


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", transformer=Builder(), postlex=Meanings())


def _refuse_long(text: str) -> None:
    if len(text) > limits.MOST_CHARACTERS:
        raise FormulaError(
            "too_long",
            f"A formula has at most {limits.MOST_CHARACTERS:,} characters; this one has "
            f"{len(text):,}. Split it into several formulas.",
        )


def _refuse_parentheses(text: str) -> None:
    depth = 0
    for number, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth > limits.MOST_PARENTHESES:
            raise too_deep(_place_of(text, number))


def _refuse_variables(formula: Formula) -> None:
    names = {term.name for term in every_term(formula) if isinstance(term, Variable)}
    for part in every(formula):
        if isinstance(part, Quantified):
            names |= {variable.name for variable in part.variables}
    if len(names) > limits.MOST_VARIABLES:
        raise FormulaError(
            "too_many_variables",
            f"A formula has at most {limits.MOST_VARIABLES} different variables; this one has "
            f"{len(names)}. Use fewer, or split the formula.",
        )


def _unreadable(text: str, error: UnexpectedInput) -> FormulaError:
    """Say what could not be read, without the names of the grammar."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        place = _place_of(text, len(text.rstrip()))
        said = "The formula ends too early." if text.strip() else "The formula is empty."
    else:
        place = Place(max(error.line, 1), max(error.column, 1))
        token = getattr(error, "token", None) or error.char  # type: ignore[attr-defined]
        said = f"“{token}” cannot stand here."
    return FormulaError("unreadable", f"{said} {_HELP}", place)


_HELP = "Write for example: forall x, y: too_large(x) -> not Poss(fit_into(x, y), S0)."


def _place_of(text: str, offset: int) -> Place:
    before = text[:offset]
    return Place(before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)
