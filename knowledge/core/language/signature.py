"""What each name is, with how many arguments and of which sorts, found from where names stand."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from knowledge.core.language.errors import FormulaError, Place
from knowledge.core.language.tree import (
    DO,
    POSS,
    START,
    Atom,
    Equal,
    Formula,
    Name,
    Term,
    Variable,
    every,
)


class Sort(StrEnum):
    """Source: WinoLogic §3, after Reiter (2001)."""

    OBJECT = "object"
    ACTION = "action"
    SITUATION = "situation"


class Kind(StrEnum):
    """What a name is used as."""

    PREDICATE = "predicate"
    ACTION = "action"  # with arguments
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class Signature:
    """The symbols of some formulas, each in alphabetical order.

    Parameters
    ----------
    predicates, actions
        Name → the sorts of its arguments; ``Poss`` and ``do`` are left out.
    constants
        Name → its sort; ``S0`` is left out. A constant whose place tells nothing is an object.
    """

    predicates: dict[str, tuple[Sort, ...]]
    actions: dict[str, tuple[Sort, ...]]
    constants: dict[str, Sort]

    def constants_of(self, sort: Sort) -> tuple[str, ...]:
        return tuple(name for name, own in self.constants.items() if own == sort)


_A = {Sort.OBJECT: "an object", Sort.ACTION: "an action", Sort.SITUATION: "a situation"}
_KINDS = {
    Kind.PREDICATE: "a predicate",
    Kind.ACTION: "an action with arguments",
    Kind.CONSTANT: "a name without arguments",
}
# The words of the paper: each has its kind and the sorts of its arguments.
_FIXED = {
    POSS: (Kind.PREDICATE, (Sort.ACTION, Sort.SITUATION)),
    DO: (Kind.ACTION, (Sort.ACTION, Sort.SITUATION)),
}


def sort_of_variable(name: str) -> Sort:
    """Return the sort that a variable's letter tells: ``s`` situation, ``a`` action, else object.

    >>> sort_of_variable("a1")
    <Sort.ACTION: 'action'>
    """
    return {"s": Sort.SITUATION, "a": Sort.ACTION}.get(name[0], Sort.OBJECT)


@dataclass(slots=True)
class _Cell:
    """The sort of a place, known or still open; joined cells have the same."""

    sort: Sort | None = None
    joined: "_Cell | None" = None

    def root(self) -> "_Cell":
        cell = self
        while cell.joined is not None:
            cell = cell.joined
        return cell


@dataclass(slots=True)
class _Use:
    kind: Kind
    cells: tuple[_Cell, ...]


@dataclass(slots=True)
class SignatureReader:
    """Reads one formula after another; a formula that conflicts with those before is refused."""

    _uses: dict[str, _Use] = field(default_factory=dict)

    def read(self, formula: Formula) -> None:
        """Take the names of a formula.

        Raises
        ------
        FormulaError
            ``two_arities`` or ``wrong_sort``, with the place of the name or term.
        """
        for part in every(formula):
            if isinstance(part, Atom):
                self._apply(part.name, Kind.PREDICATE, part.terms, part.at)
            elif isinstance(part, Equal):
                self._join(self._term(part.left), self._term(part.right), part.right)

    def signature(self) -> Signature:
        """Return what was read so far; a place that nothing tells about takes objects."""
        by_kind: dict[Kind, dict[str, tuple[Sort, ...]]] = {kind: {} for kind in Kind}
        for name, use in sorted(self._uses.items()):
            if name not in (*_FIXED, START):
                by_kind[use.kind][name] = tuple(
                    cell.root().sort or Sort.OBJECT for cell in use.cells
                )
        constants = {name: sorts[0] for name, sorts in by_kind[Kind.CONSTANT].items()}
        return Signature(by_kind[Kind.PREDICATE], by_kind[Kind.ACTION], constants)

    def _term(self, term: Term) -> _Cell:
        """Return the cell of a term's sort, after taking the names in it."""
        if isinstance(term, Variable):
            return _Cell(sort_of_variable(term.name))
        if isinstance(term, Name):
            return self._use(term.name, Kind.CONSTANT, 1, term.at).cells[0]
        self._apply(term.name, Kind.ACTION, term.terms, term.at)
        return _Cell(Sort.SITUATION if term.name == DO else Sort.ACTION)

    def _apply(self, name: str, kind: Kind, terms: tuple[Term, ...], at: Place) -> None:
        use = self._use(name, kind, len(terms), at)
        for cell, term in zip(use.cells, terms, strict=True):
            self._join(cell, self._term(term), term)

    def _use(self, name: str, kind: Kind, n: int, at: Place) -> _Use:
        use = self._uses.setdefault(name, _first_use(name, kind, n))
        if {use.kind, kind} == {Kind.ACTION, Kind.CONSTANT}:
            raise _two_arities(name, _arity(kind, n), _arity(use.kind, len(use.cells)), at)
        if use.kind != kind:
            raise FormulaError(
                "wrong_sort",
                f"“{name}” is {_KINDS[kind]} here, and {_KINDS[use.kind]} elsewhere. Give one of "
                "them another name.",
                at,
            )
        if len(use.cells) != n:
            raise _two_arities(name, n, len(use.cells), at)
        return use

    def _join(self, place: _Cell, cell: _Cell, term: Term) -> None:
        left, right = place.root(), cell.root()
        if left is right:
            return
        if left.sort and right.sort and left.sort != right.sort:
            raise FormulaError(
                "wrong_sort",
                f"“{term.name}” is {_A[right.sort]}, but {_A[left.sort]} belongs here. The letter "
                "of a variable tells its sort: s a situation, a an action, others an object.",
                term.at,
            )
        left.sort = left.sort or right.sort
        right.joined = left


def _first_use(name: str, kind: Kind, n: int) -> _Use:
    if name in _FIXED:
        kind, sorts = _FIXED[name]
        return _Use(kind, tuple(_Cell(sort) for sort in sorts))
    if name == START:
        return _Use(Kind.CONSTANT, (_Cell(Sort.SITUATION),))
    return _Use(kind, tuple(_Cell() for _ in range(n)))


def _arity(kind: Kind, n: int) -> int:
    return 0 if kind == Kind.CONSTANT else n


def _two_arities(name: str, here: int, elsewhere: int, at: Place) -> FormulaError:
    return FormulaError(
        "two_arities",
        f"“{name}” has {here} argument{'s' * (here != 1)} here, but takes {elsewhere}. Use the "
        "same number everywhere.",
        at,
    )


def signature_of(formulas: Iterable[Formula]) -> Signature:
    """Return the signature of formulas that belong together; raises ``FormulaError``."""
    reader = SignatureReader()
    for formula in formulas:
        reader.read(formula)
    return reader.signature()
