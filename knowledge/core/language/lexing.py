"""What a sign means by those beside it: "≡", and TPTP's capital variables."""

from collections.abc import Iterator, Sequence
from itertools import product, zip_longest
from string import ascii_lowercase
from typing import ClassVar

from lark.lexer import Token

from knowledge.core.language.tree import DO, START

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
    found: list[Token] = []
    binds = False
    for token, following in zip_longest(tokens, tokens[1:]):
        is_bound = binds and token.type == "VARIABLE"
        binds = token.type in _BINDING or (binds and token.type == "_COMMA")
        if token.type == "VARIABLE" and not is_bound and getattr(following, "type", "") == "_LPAR":
            token = Token.new_borrow_pos("NAME", str(token), token)
        found.append(token)
        binds = binds or (is_bound and getattr(following, "type", "") == "_COMMA")
    return found


def _variable_for(name: str, taken: set[str]) -> str:
    """Return a variable that is not taken, like *name*: its letter, and its digit if it has one."""
    letter: str = name[0].lower()
    first = letter if letter in ascii_lowercase else "x"
    digits = ("", *"0123456789")
    like = [first + name[1:]] if len(name) < 3 and name[1:].isdigit() else []
    others = map("".join, product((first, *ascii_lowercase), digits))
    return next(one for one in (*like, *others) if one not in taken)
