"""Names of columns and fields: compared without case, spaces, hyphens and underscores."""

import csv
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

from tabular.problems import Problem, problem, short

DELIMITERS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a vertical bar"}
_SEP = re.compile(r'"?sep=([,;|\t]|\\t)"?[,;]*', re.IGNORECASE)
_IGNORED = re.compile(r"[\s_-]+")
# What pandas calls a column that had no name.
_UNNAMED = re.compile(r"unnamed:\s*\d+(?:_level_\d+)?", re.IGNORECASE)

MOST_NAMES = 1000


def key(name: str) -> str:
    """Return what two spellings of a name have in common.

    >>> [key(name) for name in (" Source ID", "source_id", "qID")]
    ['sourceid', 'sourceid', 'qid']
    """
    return _IGNORED.sub("", unicodedata.normalize("NFKC", name).casefold())


class Names:
    """The names that an import knows.

    Parameters
    ----------
    known : collection of str
        As the import spells them.
    required : collection of str
        Those that every table must have.
    """

    def __init__(self, known: Collection[str], required: Collection[str] = ()) -> None:
        self.known = tuple(known)
        self.required = tuple(required)
        self._of_key = {key(name): name for name in reversed(self.known)}
        self._spelled = {name: name for name in self.known}

    def spelled(self, name: str) -> str:
        """Return a name as the import spells it; an unknown one without outer spaces."""
        spelling = self._spelled.get(name)
        if spelling is None:
            exact = name.strip()
            spelling = self._spelled.get(exact) or self._of_key.get(key(name), exact)
            if len(self._spelled) < MOST_NAMES:  # an object can bring new names in each line
                self._spelled[name] = spelling
        return spelling

    def is_known(self, name: str) -> bool:
        return key(name) in self._of_key

    def repeated(self, names: Iterable[str]) -> Problem | None:
        """Return the problem of the first name that stands twice in any spelling."""
        seen: dict[str, str] = {}
        for name in names:
            spelled = self.spelled(name)
            if (same := spelled.casefold()) in seen:
                return problem(
                    "name_repeated", name=spelled[:60], first=seen[same][:60], second=name[:60]
                )
            seen[same] = name
        return None

    def problem_of(self, header: Sequence[str]) -> Problem | None:
        """Return what is wrong with a line of column names."""
        named = [name for name in header if name]
        if (fault := self.repeated(named)) is not None:
            return fault
        listed = ", ".join(name[:40] for name in named[:12]) or "empty"
        if not any(map(self.is_known, named)):
            expected = ", ".join(self.required or self.known[:5])
            return problem("no_header", expected=expected, found=short(listed))
        spelled = {self.spelled(name) for name in named}
        missing = next((name for name in self.required if name not in spelled), None)
        return problem("column_missing", name=missing, found=listed) if missing else None


def stated_delimiter(line: str) -> str | None:
    """Return the delimiter of a first line such as ``sep=;``, which Excel writes and reads."""
    match = _SEP.fullmatch(line.strip("\ufeff \n"))
    return match[1].replace("\\t", "\t") if match else None


def delimiter_of(line: str, names: Names) -> str:
    """Return the delimiter that separates the most known names of a header, or else most cells."""

    def fit(delimiter: str) -> tuple[int, int]:
        cells = cells_of(line, delimiter)
        return sum(map(names.is_known, cells)), len(cells)

    return max(DELIMITERS, key=fit)


def cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of one line, stripped; those that pandas calls unnamed are empty."""
    try:
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []
    return header_cells(cells)


def header_cells(cells: Iterable[str]) -> list[str]:
    stripped = (cell.strip() for cell in cells)
    return ["" if _UNNAMED.fullmatch(cell) else cell for cell in stripped]
