"""Text to tree: signs and syntax."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product, zip_longest
from pathlib import Path
from string import ascii_lowercase
from typing import ClassVar

from lark import Lark
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.lexer import Token

from knowledge.core.language import limits
from knowledge.core.language.builder import Builder, MeasuredFormula, too_deep
from knowledge.core.language.errors import FormulaError, Place
from knowledge.core.language.tree import DO, START, Formula, Quantified, Variable, every, every_term

_BINDING = ("FORALL", "EXISTS")


class Meanings:
    """Reads each "≡" as "=" between terms and as "<->" between formulas.

    It stands between terms if a variable, ``S0`` or ``do`` is beside it, or a name without
    arguments on both sides. So ``x ≡ Father`` is an equality, and ``Poss(a, s) ≡ Strong(x, s)`` an
    equivalence. A proposition beside a variable or another proposition needs "<->".

    A name that TPTP's ``! [X, Person] :`` binds is a variable wherever it stands in the formula,
    and gets a name of a variable here: ``x``, ``p``.
    """

    always_accept: ClassVar = ("EQUIVALENT",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        tokens = _with_names(_with_variables(list(stream)))
        for number, token in enumerate(tokens):
            if token.type == "EQUIVALENT":
                between = _is_between_terms(tokens[:number], tokens[number + 1 :])
                token = Token.new_borrow_pos("_EQUALS" if between else "_IFF", token, token)
            yield token


def _is_between_terms(before: Sequence[Token], after: Sequence[Token]) -> bool:
    if not before or not after:
        return False
    left, right = before[-1], after[0]
    if "VARIABLE" in (left.type, right.type) or START in (left, right) or right == DO:
        return True
    applied = len(after) > 1 and after[1].type == "_LPAR"
    return left.type == right.type == "NAME" and not applied


def _with_variables(tokens: list[Token]) -> list[Token]:
    """Make the names that stand in square brackets variables."""
    taken = {str(token) for token in tokens if token.type == "VARIABLE"}
    names: dict[str, str] = {}
    in_brackets = False
    for token in tokens:
        in_brackets = token.type == "_LSQB" or (in_brackets and token.type != "_RSQB")
        if in_brackets and token.type == "NAME" and token not in names:
            names[str(token)] = _variable_for(str(token), taken)
            taken.add(names[str(token)])
    return [
        Token.new_borrow_pos("VARIABLE", names[token], token)
        if token.type == "NAME" and token in names
        else token
        for token in tokens
    ]


def _with_names(tokens: list[Token]) -> list[Token]:
    """Make a letter before a bracket a name, as in ``p(x)``, unless a quantifier binds it."""
    pieces: list[Token] = []
    binds = False
    for token, following in zip_longest(tokens, tokens[1:]):
        is_bound = binds and token.type == "VARIABLE"
        binds = token.type in _BINDING or (binds and token.type == "_COMMA")
        if token.type == "VARIABLE" and not is_bound and getattr(following, "type", "") == "_LPAR":
            token = Token.new_borrow_pos("NAME", str(token), token)
        pieces.append(token)
        binds = binds or (is_bound and getattr(following, "type", "") == "_COMMA")
    return pieces


def _variable_for(name: str, taken: set[str]) -> str:
    """Return a variable that is not taken, like *name*: its letter, and its digit if it has one."""
    letter: str = name[0].lower()
    first = letter if letter in ascii_lowercase else "x"
    digits = ("", *"0123456789")
    like = [first + name[1:]] if len(name) < 3 and name[1:].isdigit() else []
    others = map("".join, product((first, *ascii_lowercase), digits))
    return next(candidate for candidate in (*like, *others) if candidate not in taken)


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
    >>> from knowledge.core.language.tree import show
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
    assert isinstance(built, MeasuredFormula)  # the builder replaces every tree
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
        message = "The formula ends too early." if text.strip() else "The formula is empty."
    else:
        place = Place(max(error.line, 1), max(error.column, 1))
        token = getattr(error, "token", None) or error.char  # type: ignore[attr-defined]
        message = f"“{token}” cannot stand here."
    return FormulaError("unreadable", f"{message} {_HELP}", place)


_HELP = "Write for example: forall x, y: too_large(x) -> not Poss(fit_into(x, y), S0)."


def _place_of(text: str, offset: int) -> Place:
    before = text[:offset]
    return Place(before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)
