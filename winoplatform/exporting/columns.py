"""The columns of an exported table, and the COPY statements that read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Func, QuerySet, TextField, Value
from django.db.models.functions import Cast

from tabular.writing import FORMULA
from winoplatform.db.copying import text_of


class Kind(StrEnum):
    """What a column holds; ``TYPED`` is text that people typed, ``JSON`` any JSON value."""

    TEXT = "text"
    TYPED = "typed"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    TIME = "time"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its expression over the rows of a query set, and its kind.

    Text that is not ``nullable`` may be empty, so that CSV need not tell empty text from none.
    *earlier* is its value in files of exports that did not have it; with None, all have it.
    """

    value: Any
    kind: Kind = Kind.TEXT
    nullable: bool = False
    earlier: Any = None


# JSON has no raw control characters, so with these two COPY leaves every line as it is.
JSON_LINES = r"FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02'"
# A spreadsheet would run it as a formula. Text that has the mark already gets one more, so that
# ``unguarded`` finds the text again.
MARK = "'"
RUNS = rf"^({MARK}*{FORMULA})"


def json_lines(rows: "QuerySet[Any]", columns: Mapping[str, Column], *, only: str = "") -> str:
    """Return the COPY of *rows* as JSON lines; *only* is a condition on ``line``."""
    values = [column.value for column in columns.values()]
    return _copy("row_to_json(line)", rows, columns, values, only, JSON_LINES)


def csv_lines(rows: "QuerySet[Any]", columns: Mapping[str, Column], *, only: str = "") -> str:
    """Return the COPY of *rows* as CSV with a header, safe to be opened in spreadsheets."""
    values = [_guarded(column) for column in columns.values()]
    return _copy("line.*", rows, columns, values, only, "FORMAT csv, HEADER")


def bare_csv_lines(rows: "QuerySet[Any]", columns: Mapping[str, Column], *, only: str = "") -> str:
    """Return the COPY of *rows* as CSV for programs: no header, and text as it is."""
    values = [_as_text(column) for column in columns.values()]
    return _copy("line.*", rows, columns, values, only, "FORMAT csv")


def _copy(
    select: str,
    rows: "QuerySet[Any]",
    columns: Mapping[str, Column],
    values: list[Any],
    only: str,
    form: str,
) -> str:
    lines = f"({text_of(rows.values_list(*values))}) AS line ({', '.join(columns)})"
    where = f" WHERE {only}" if only else ""
    return f"COPY (SELECT {select} FROM {lines}{where}) TO STDOUT ({form})"


def _as_text(column: Column) -> Any:
    if column.kind in (Kind.FLAG, Kind.JSON):
        return Cast(column.value, TextField())
    if column.kind is Kind.TIME:
        written = Value('YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')
        return Func(column.value, written, function="to_char", output_field=TextField())
    return column.value


def _guarded(column: Column) -> Any:
    if column.kind is not Kind.TYPED:
        return _as_text(column)
    pattern, marked = Value(RUNS), Value(rf"{MARK}\1")
    return Func(column.value, pattern, marked, function="regexp_replace", output_field=TextField())
