"""Builds the tree while the parser reduces, so that no tree is deeper than the limit."""

from typing import NamedTuple

from lark import Token, Transformer, v_args

from knowledge.core.language.errors import FormulaError, Place
from knowledge.core.language.limits import MOST_LEVELS
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
    Term,
    Variable,
    chain,
)


class MeasuredFormula(NamedTuple):
    """A formula with its depth in connectives and in quantifiers."""

    formula: Formula
    connectives: int = 0
    quantifiers: int = 0


class BuiltTerm(NamedTuple):
    """A term with its depth."""

    term: Term
    levels: int = 0


@v_args(inline=True)
class Builder(Transformer[Token, MeasuredFormula]):
    """Makes one node a reduction; the methods are the names of the grammar's rules."""

    def proposition(self, name: Token) -> MeasuredFormula:
        return MeasuredFormula(Atom(str(name), (), _place(name)))

    def atom(self, name: Token, *terms: BuiltTerm) -> MeasuredFormula:
        return MeasuredFormula(Atom(str(name), _trees(terms), _place(name)))

    def equal(self, left: BuiltTerm, right: BuiltTerm) -> MeasuredFormula:
        return MeasuredFormula(Equal(left.term, right.term, left.term.at))

    def differs(self, left: BuiltTerm, right: BuiltTerm) -> MeasuredFormula:
        return self._deeper(Not(self.equal(left, right).formula, left.term.at))

    def variable(self, name: Token) -> BuiltTerm:
        return BuiltTerm(Variable(str(name), _place(name)))

    def name(self, name: Token) -> BuiltTerm:
        return BuiltTerm(Name(str(name), _place(name)))

    def apply(self, name: Token, *terms: BuiltTerm) -> BuiltTerm:
        place = _place(name)
        levels = _within_limit(1 + max(term.levels for term in terms), place)
        return BuiltTerm(Apply(str(name), _trees(terms), place), levels)

    def not_(self, sign: Token, body: MeasuredFormula) -> MeasuredFormula:
        return self._deeper(Not(body.formula, _place(sign)), body)

    def and_(self, left: MeasuredFormula, right: MeasuredFormula) -> MeasuredFormula:
        return self._chain(Connective.AND, left, right)

    def or_(self, left: MeasuredFormula, right: MeasuredFormula) -> MeasuredFormula:
        return self._chain(Connective.OR, left, right)

    def xor(self, left: MeasuredFormula, right: MeasuredFormula) -> MeasuredFormula:
        return self._chain(Connective.XOR, left, right)

    def iff(self, left: MeasuredFormula, right: MeasuredFormula) -> MeasuredFormula:
        return self._chain(Connective.IFF, left, right)

    def implies(self, left: MeasuredFormula, right: MeasuredFormula) -> MeasuredFormula:
        return self._deeper(Implies(left.formula, right.formula, left.formula.at), left, right)

    def if_then(self, _: Token, left: MeasuredFormula, right: MeasuredFormula) -> MeasuredFormula:
        return self.implies(left, right)

    def forall(self, sign: Token, *rest: Token | MeasuredFormula) -> MeasuredFormula:
        return self._quantified(Quantifier.FORALL, sign, *rest)

    def exists(self, sign: Token, *rest: Token | MeasuredFormula) -> MeasuredFormula:
        return self._quantified(Quantifier.EXISTS, sign, *rest)

    def _quantified(
        self, quantifier: Quantifier, sign: Token, *rest: Token | MeasuredFormula
    ) -> MeasuredFormula:
        body = rest[-1]
        assert isinstance(body, MeasuredFormula)  # the grammar puts the formula last
        variables = tuple(
            Variable(str(token), _place(token)) for token in rest[:-1] if isinstance(token, Token)
        )
        place = _place(sign)
        levels = _within_limit(body.quantifiers + 1, place)
        return MeasuredFormula(
            Quantified(quantifier, variables, body.formula, place), body.connectives, levels
        )

    def _chain(
        self, connective: Connective, left: MeasuredFormula, right: MeasuredFormula
    ) -> MeasuredFormula:
        """Join two formulas; a chain that goes on is no deeper."""
        joined = chain(connective, left.formula, right.formula, at=left.formula.at)
        levels = max(
            side.connectives + (not _is_chain(side.formula, connective)) for side in (left, right)
        )
        levels = _within_limit(levels, right.formula.at)
        return MeasuredFormula(joined, levels, max(left.quantifiers, right.quantifiers))

    def _deeper(self, formula: Formula, *inside: MeasuredFormula) -> MeasuredFormula:
        connectives = 1 + max((part.connectives for part in inside), default=0)
        quantifiers = max((part.quantifiers for part in inside), default=0)
        return MeasuredFormula(formula, _within_limit(connectives, formula.at), quantifiers)


def _is_chain(formula: Formula, connective: Connective) -> bool:
    return isinstance(formula, Chain) and formula.connective == connective


def _trees(terms: tuple[BuiltTerm, ...]) -> tuple[Term, ...]:
    return tuple(term.term for term in terms)


def _place(token: Token) -> Place:
    assert token.line is not None
    assert token.column is not None
    return Place(token.line, token.column)


def _within_limit(levels: int, place: Place) -> int:
    if levels > MOST_LEVELS:
        raise too_deep(place)
    return levels


def too_deep(place: Place) -> FormulaError:
    """Return the refusal of a formula that is nested too deeply."""
    return FormulaError(
        "too_deep",
        f"This formula is nested too deeply: at most {MOST_LEVELS} levels are allowed. Split it "
        "into several formulas.",
        place,
    )
