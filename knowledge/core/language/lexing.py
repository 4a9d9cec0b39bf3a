"""The meaning of "≡", which the paper writes between terms and between formulas alike."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from lark.lexer import Token

from knowledge.core.language.tree import DO, START


class Equivalents:
    """Reads each "≡" as "=" between terms and as "<->" between formulas.

    It stands between terms if a variable, ``S0`` or ``do`` is beside it, or a name without
    arguments on both sides. So ``x ≡ Father`` is an equality, and ``Poss(a, s) ≡ Strong(x, s)`` an
    equivalence. A proposition beside a variable or another proposition needs "<->".
    """

    always_accept: ClassVar = ("EQUIVALENT",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        tokens = list(stream)
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
