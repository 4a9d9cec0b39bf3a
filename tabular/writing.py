"""Write rows as CSV, JSON lines and LaTeX, with text escaped for other programs."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

FORMULA = r"[=+\-@\t\r]"
_FORMULA = re.compile(FORMULA)
"""What a text begins with that a spreadsheet runs, as a pattern of Python and of PostgreSQL."""
# Backslash is replaced with the others in one pass, so that no replacement is escaped again.
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "–": "--",
        "−": "$-$",
        "Δ": r"$\Delta$",
        "†": r"$^\dagger$",
        "‡": r"$^\ddagger$",
    }
)


def safe_cell(value: Any) -> Any:
    """Escape text that a spreadsheet would run as a formula; numbers are returned as they are."""
    if isinstance(value, str) and _FORMULA.match(value):
        return f"'{value}"
    return value


def latex(text: str) -> str:
    r"""Return a text with LaTeX's special characters escaped, on one line.

    A text that begins as an argument of the ``\\`` before it gets an empty group first.

    Examples
    --------
    >>> latex("R&D_1 50%")
    'R\\&D\\_1 50\\%'
    """
    return ("{}" if text.lstrip().startswith(("*", "[")) else "") + " ".join(
        text.split()
    ).translate(_LATEX)


Ends = tuple[float | None, float | None]


class _Line:
    """A file-like object that returns each line that a csv writer writes."""

    def write(self, line: str) -> str:
        return line


def csv_lines(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, end: str = "\r\n"
) -> Iterator[str]:
    """Yield a CSV file line by line, starting with the column names; None is empty.

    A text that a spreadsheet would run as a formula gets an apostrophe before it.
    """
    writer = csv.writer(_Line(), lineterminator=end)
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([safe_cell(value) for value in row])


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return `csv_lines` as one text with newlines.

    >>> csv_text(["model", "n"], [["=A1", 3]])
    "model,n\\n'=A1,3\\n"
    """
    return "".join(csv_lines(columns, rows, end="\n"))


def jsonl_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return one JSON object per row and line."""
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def latex_row(cells: Sequence[str]) -> str:
    r"""Return one row of a table; the cells are LaTeX already.

    >>> latex_row(["a", "b"])
    'a & b \\\\'
    """
    return " & ".join(cells) + r" \\"


def latex_spanning(text: str, width: int, *, at: str = "l") -> str:
    """Return a text as one cell over several columns."""
    return rf"\multicolumn{{{width}}}{{{at}}}{{{latex(text)}}}"


def latex_table(
    columns: str,
    head: Sequence[Sequence[str]],
    parts: Iterable[Sequence[Sequence[str]]],
    *,
    about: Iterable[str] = (),
) -> str:
    r"""Return a table for LaTeX with the package booktabs.

    Parameters
    ----------
    columns : str
        The alignment of each, such as ``lrr``.
    head : sequence of rows
        Rows of the header, as LaTeX.
    parts : iterable of sequences of rows
        Rows as LaTeX; a rule precedes each part.
    about : iterable of str
        Lines before the table, such as its source, which become comments.
    """
    body = [line for part in parts for line in (r"\midrule", *(latex_row(cells) for cells in part))]
    lines = [
        *(f"% {line}" for line in about),
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        *(latex_row(cells) for cells in head),
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def latex_percent(
    value: float | None,
    ends: Ends = (None, None),
    *,
    people: Ends = (None, None),
    sd: float | None = None,
) -> str:
    r"""Return a share in percent with its interval, that for people like them, and a deviation.

    Examples
    --------
    >>> latex_percent(0.5, (0.4, 0.6), sd=0.02)
    '50.0 (40.0--60.0) $\\pm$ 2.0'
    >>> latex_percent(None)
    '--'
    """
    if value is None:
        return "--"
    text = f"{100 * value:.1f}"
    text += f" ({_between(ends)})" if None not in ends else ""
    text += f" [{_between(people)}]" if None not in people else ""
    return text + (rf" $\pm$ {100 * sd:.1f}" if sd is not None else "")


def _between(ends: Ends) -> str:
    low, high = (f"{100 * (end or 0.0):.1f}" for end in ends)
    return f"{low}--{high}"
