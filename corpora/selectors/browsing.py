"""Rows of a release's files, read where a page needs them, without the rest of the file."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import SEEK_END
from typing import IO, Any

from corpora.core.bundle import layout
from corpora.models import Release, ReleaseFile
from corpora.selectors.files import opened

MOST_BYTES = 2 << 20
"""Of a file, that one request searches: some hundredths of a second."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a file; ``following`` is the byte at which to go on, None at its end.

    ``stopped`` says that the search ended after `MOST_BYTES`, before it had enough rows.
    """

    rows: list[Row]
    following: int | None = None
    stopped: bool = False


def labelled_splits(release: Release) -> dict[str, ReleaseFile]:
    """Return the Parquet files of a release by split, without the blind one and without copies.

    The training sizes are parts of the full training set, which has all rows.
    """
    stems = {layout.parquet(stem): stem for stem in (layout.FULL, layout.DEBIASED, layout.DEV)}
    files = release.files.select_related("artifact").filter(name__in=stems, restricted=False)
    by_stem = {stems[file.name]: file for file in files}
    return {stem: by_stem[stem] for stem in stems.values() if stem in by_stem}


def wanted_rows(words: str, domain: str = "") -> Callable[[bytes], Row | None]:
    """Return the reader of a line that returns its row if that is wanted, else None.

    A wanted row has each of the words in its sentence or options, and the domain.

    >>> line = b'{"sentence": "The _ is Large.", "option1": "cup", "option2": "a", "domain": ""}'
    >>> [bool(wanted_rows(*asked)(line)) for asked in [("large cup",), ("pot",), ("", "social")]]
    [True, False, False]
    """
    parts = words.casefold().split()
    # Characters that JSON does not escape, as in most words.
    plain = [part.encode() for part in parts if part.isascii() and not {*part} & {*'"\\/'}]

    def matching_row(line: bytes) -> Row | None:
        # Most lines lack the words, which costs less to see than to read them. Characters beyond
        # ASCII can become ASCII in lower case, so lines that have any are read.
        if plain and line.isascii() and b"\\u" not in line:
            lower = line.lower()
            if not all(part in lower for part in plain):
                return None
        row: Row = json.loads(line)
        text = f"{row['sentence']}\n{row['option1']}\n{row['option2']}".casefold()
        is_wanted = all(part in text for part in parts) and domain in ("", row["domain"])
        return row if is_wanted else None

    return matching_row


def rows_from(
    file: IO[bytes], *, start: int = 0, size: int, wanted: Callable[[bytes], Row | None]
) -> Rows:
    """Return the next rows of a file of JSON lines.

    Parameters
    ----------
    file : binary file
    start : int, at least 0
        A byte of the file; within a line, the next line is the first.
    size : int, at least 1
        How many rows are enough.
    wanted : callable
        As of `wanted_rows`.
    """
    begin = at = _line_at(file, start)
    rows: list[Row] = []
    while len(rows) < size:
        line = file.readline()
        if not line:
            return Rows(rows)
        at += len(line)
        row = wanted(line)
        if row is not None:
            rows.append(row)
        elif at - begin > MOST_BYTES:
            return Rows(rows, at, stopped=True)
    return Rows(rows, at if file.read(1) else None)


def lines_of(file: IO[bytes], qid: str) -> list[dict[str, Any]]:
    """Return the lines about a question, of a file whose lines are in the order of their qID.

    It halves the file until it has the place, so a large one takes no longer.
    """
    low, high = 0, file.seek(0, SEEK_END)
    while low < high:
        middle = (low + high) // 2
        _line_at(file, middle)
        line = file.readline()
        if line and json.loads(line)["qID"] < qid:
            low = middle + 1
        else:
            high = middle
    _line_at(file, low)
    found = []
    while (line := file.readline()) and (row := json.loads(line))["qID"] == qid:
        found.append(row)
    return found


def lines_in(release: Release, name: str, qid: str) -> list[dict[str, Any]]:
    """Return the lines about a question in one of the release's files; none without the file."""
    file = opened(release, name)
    if file is None:
        return []
    with file as lines:
        return lines_of(lines, qid)


def _line_at(file: IO[bytes], place: int) -> int:
    """Go to the first line that begins at *place* or later, and return where that is."""
    if place == 0:
        return file.seek(0)
    file.seek(place - 1)
    return place - 1 + len(file.readline())
