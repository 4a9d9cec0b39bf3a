"""What can be wrong with a file or a line before its fields are read: codes and sentences."""

from dataclasses import dataclass
from types import MappingProxyType

PROBLEMS = MappingProxyType(
    {
        "workbook": "The file is {kind}, which is not read. Save the sheet as “CSV UTF-8” and "
        "import that file.",
        "not_a_table": "The file is {kind}, and no table. Choose a CSV file, JSON lines or a JSON "
        "array.",
        "not_utf8": "The line is not UTF-8 text. Save the file as UTF-8; Excel calls it “CSV "
        "UTF-8”.",
        "utf16_unmarked": "The file seems to be UTF-16 without a byte order mark. Save it as "
        "UTF-8.",
        "has_nul": "The line contains a NUL character, so it is no text.",
        "line_too_long": "The line is longer than {longest:,} characters, longer than any valid "
        "record; it was skipped.",
        "file_broken": "The compressed file is damaged or truncated here, and nothing after this "
        "line could be read. Download it again and repeat the import: nothing is duplicated.",
        "array_too_long": "The JSON array is longer than {longest:,} characters. Write one object "
        "per line (JSON lines), which may be of any length.",
        "not_json": "The line is not valid JSON: {why}.",
        "not_an_object": "The line is JSON, but not an object with named fields: {found}.",
        "name_repeated": "The name {name} stands twice, in “{first}” and “{second}”, so it is not "
        "clear which of them counts. Remove or rename one.",
        "no_header": "The first line must name the columns, such as {expected}; it is: {found}. "
        "Add a line with the names if there is none.",
        "column_missing": "The column {name} is missing. The first line names: {found}.",
        "wrong_columns": "The row has {cells} cells, and the first line names {columns} columns. "
        "Put a cell that contains {delimiter} or a line break in quotation marks.",
        "column_unnamed": "Column {number} has no name in the first line, but the cell {found}.",
        "quote_open": "The quotation mark that opens in this row is never closed, or its cell is "
        "far too long. Close it, and write a quotation mark inside a cell twice.",
        "not_csv": "The row is not valid CSV: {why}. Write a quotation mark inside a cell twice.",
    }
)
"""Problems by code; the sentences say what was found, what is expected, and the way out."""

OF_FILES = frozenset({"workbook", "not_a_table", "utf16_unmarked", "array_too_long"})
"""Codes of problems of the whole file, which is no text with lines or is read as one."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a line or of the whole file.

    Parameters
    ----------
    code : str
        A key of `PROBLEMS`.
    sentence : str
        For people.
    """

    code: str
    sentence: str

    def at(self, line: int) -> str:
        """Return the sentence, after its line unless it is about the whole file."""
        return self.sentence if self.code in OF_FILES else f"line {line}: {self.sentence}"


def problem(code: str, **values: object) -> Problem:
    """Return a problem with its sentence filled in."""
    return Problem(code, PROBLEMS[code].format(**values))


def short(value: object) -> str:
    """Return a value in a form that a sentence can show, at most 80 characters."""
    text = f"{value!r:.100}" if not isinstance(value, str) else f"“{value[:100]}”"
    return text if len(text) <= 80 else f"{text[:79]}…"
