"""The problems of a knowledge release, and the Parquet file that is their source of truth."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import IO, Any, get_args

import pyarrow as pa

from corpora.core.bundle.archive import read_parquet, write_parquet
from knowledge.core.problems import Problem
from knowledge.core.slots import Form

VARIANTS: tuple[Form, ...] = get_args(Form)
_TEXTS = ("id", "pair", "question", "group", "variant", "kind", "sentence", "pronoun", "right",
          "wrong", "knowledge")  # fmt: skip
SCHEMA = pa.schema(
    [
        *(pa.field(name, pa.string(), nullable=False) for name in _TEXTS),
        pa.field("label", pa.bool_(), nullable=False),
        pa.field("valid", pa.bool_()),
        pa.field("place", pa.int32()),
    ]
)
NAMES = tuple(SCHEMA.names)
OF_PROBLEM = frozenset(column.name for column in fields(Problem))
REPEATED = ("question", "group", "variant", "kind", "sentence", "pronoun", "right", "wrong")
"""Columns with few different values, which Parquet stores once each."""


@dataclass(frozen=True, slots=True)
class ReleasedProblem:
    """A problem of a knowledge release in one of its three variants.

    Parameters
    ----------
    id : str
        ``<30 random letters and digits>-<1|2>``: the same in each variant; the ending is random.
    pair : str
        Shared by a true problem and its false version.
    question : str
        Its id in the release or reference set.
    group : str
        Shared by the questions that are twins.
    variant : {'variable', 'grounded', 'natural'}
    kind : str
        "true", or how the false version was made: "negation", "swapped", "replaced", "changed",
        "other".
    label : bool
    problem : Problem
    valid : bool or None
        Whether enough annotators gave its label; None in a set that nobody validated.
    """

    id: str
    pair: str
    question: str
    group: str
    variant: Form
    kind: str
    label: bool
    problem: Problem
    valid: bool | None

    @property
    def premise(self) -> str:
        """The knowledge as a sentence of its own.

        >>> ReleasedProblem("a-1", "a", "q", "q", "natural", "true", True,
        ...                 Problem("A b.", "it", "the a", "the b", "if c, d."), None).premise
        'If c, d.'
        """
        return self.problem.knowledge[:1].upper() + self.problem.knowledge[1:]


def write_problems(
    problems: Iterable[ReleasedProblem], file: IO[bytes], *, about: Mapping[str, str] | None = None
) -> int:
    """Write problems as Parquet, with the same bytes for the same problems; return their number.

    *about* is as of `write_parquet`.
    """
    rows = map(columns, problems)
    return write_parquet(rows, file, schema=SCHEMA, repeated=REPEATED, about=about)


def read_problems(file: IO[bytes]) -> Iterator[ReleasedProblem]:
    """Yield the problems of `write_problems`, in their order; memory holds one row group."""
    for row in read_parquet(file):
        yield _problem(row)


def columns(one: ReleasedProblem) -> dict[str, Any]:
    """Return the row of a problem, with the names of `SCHEMA`."""
    return {name: getattr(one.problem if name in OF_PROBLEM else one, name) for name in NAMES}


def _problem(row: Mapping[str, Any]) -> ReleasedProblem:
    values = {name: row[name] for name in NAMES}
    problem = Problem(**{name: values.pop(name) for name in OF_PROBLEM})
    return ReleasedProblem(problem=problem, **values)
