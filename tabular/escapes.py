"""Text that other programs would not take as it stands: formulas of spreadsheets, LaTeX."""

import re
from typing import Any

FORMULA = r"[=+\-@\t\r]"
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
    if isinstance(value, str) and re.match(FORMULA, value):
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
