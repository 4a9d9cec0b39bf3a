"""The refusal of a formula: a code, a sentence, and the place it points at."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple


class Place(NamedTuple):
    """Line and column of a character of a formula, both from 1."""

    line: int = 1
    column: int = 1


START_OF_TEXT = Place()


class FormulaError(ValueError):
    """A formula, or several together, cannot be used.

    Parameters
    ----------
    code
        Stable ``snake_case`` name, for programs.
    sentence
        A full sentence for people, with what to do.
    place
        Where in the formula, if it is about a part of it.
    formula
        Which formula of a formalisation: ``scene 1``, ``clause``, ``outcome`` or
        ``knowledge NAME``; empty if it is about none in particular.
    """

    def __init__(
        self, code: str, sentence: str, place: Place = START_OF_TEXT, *, formula: str = ""
    ) -> None:
        super().__init__(sentence)
        self.problem = Problem(code, sentence, place.line, place.column, formula)

    @property
    def code(self) -> str:
        return self.problem.code


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, as plain values.

    Parameters
    ----------
    line, column : int
        From 1.
    formula : str
        Its place, such as scene 1 or clause.
    """

    code: str
    sentence: str
    line: int = 1
    column: int = 1
    formula: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
