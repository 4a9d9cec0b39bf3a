"""Reads folders of articles: files with one article or with many, at any depth."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from collection.imports.report import printable
from tabular import Line, Problem, Record, decoded, open_stream, problem, read_lines, read_records
from tabular.header import Names, cells_of, delimiter_of

TEXT = frozenset({".txt", ".md", ".markdown"})
OBJECT = ".json"
RECORDS = (".jsonl", ".ndjson", ".csv", ".tsv", ".jsonl.gz", ".ndjson.gz", ".csv.gz", ".tsv.gz")
# Read as tables, which refuses them by their name.
WORKBOOKS = (".xlsx", ".xls", ".ods", ".numbers", ".parquet")
FIELDS = ("source_id", "title", "text", "category")
REQUIRED = ("title", "text")
PROBLEMS = MappingProxyType(
    {
        "unknown_kind": "Only .txt, .md, .json, .jsonl, .csv and .tsv files (the last three also "
        "with .gz) are supported.",
        "file_too_long": "The file is longer than any article; it was skipped.",
        "file_unreadable": "The file or folder could not be read; check its permissions.",
        "not_utf8": "The file is not UTF-8 text. Save it as UTF-8.",
    }
)
"""Problems of a file in a folder, besides those of `tabular`: code and sentence."""
SENTENCE_ENDS = (".", "!", "?", "…", ".”", '."', ")")
LONGEST_SOURCE = 200
LONGEST_TITLE = 300
LONGEST_CATEGORY = 120


def folder_records(folder: Path, *, longest_line: int, longest_file: int) -> Iterator[Record]:
    """Yield the records of every file in a folder and its subfolders, sorted by name.

    Parameters
    ----------
    folder : Path
        Files are read as by ``file_records``; hidden ones and links are skipped. A name that is
        not UTF-8 is written with escaped bytes such as ``\\xe9``; a file or subfolder that cannot
        be read is a record with a problem.
    longest_line, longest_file : int
        Characters of a line, and bytes of a file with one article.

    Notes
    -----
    Only one file is open and one article in memory at a time.

    Raises
    ------
    OSError
        If *folder* itself cannot be read.
    """
    for path, code in _files(folder):
        name = printable(path.relative_to(folder).as_posix())
        if code:
            yield _refused(name, code)
        else:
            yield from file_records(
                path, name=name, longest_line=longest_line, longest_file=longest_file
            )


def file_records(
    path: Path, *, name: str, longest_line: int, longest_file: int
) -> Iterator[Record]:
    """Yield the records of one file.

    Parameters
    ----------
    path : Path
    name : str
        Its name for people, with its folders. A text file (``.txt``, ``.md``) is one article: its
        first line is the title, *name* the source id, its folder the category. A ``.json`` file is
        one object, or an array of them; the other kinds, and a text file below a line of column
        names, are tables (``tabular.read_records``).
    longest_line, longest_file : int
        As for ``folder_records``.
    """
    kind = path.suffix.lower()
    if kind in TEXT and not _is_table(path):
        yield _one(path, name, longest_file)
    elif kind == OBJECT:
        yield from _objects(path, name, longest_line)
    elif kind in TEXT or name.lower().endswith((*RECORDS, *WORKBOOKS)):
        yield from _many(path, name, longest_line)
    else:
        yield _refused(name, "unknown_kind")


def _is_table(path: Path) -> bool:
    """Return whether the first line names the columns, as in Excel's “Unicode text”."""
    try:
        with path.open("rb") as stream, closing(read_lines(stream, longest=LONGEST_TITLE)) as lines:
            first = next(lines, Line(1)).text
    except OSError:
        return False
    names = Names(FIELDS, REQUIRED)
    return names.problem_of(cells_of(first, delimiter_of(first, names))) is None


def _refused(name: str, code: str) -> Record:
    return Record(1, {}, Problem(code, PROBLEMS[code]), name)


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a folder, then those of its subfolders; lists one folder at a time.

    A subfolder that cannot be listed is yielded itself, with the code of its problem.
    """
    with os.scandir(folder) as entries:
        seen = sorted(
            (entry for entry in entries if not entry.name.startswith(".")),
            key=lambda entry: (entry.is_dir(follow_symlinks=False), entry.name),
        )
    for entry in seen:
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            try:
                yield from _files(path)
            except OSError:
                yield path, "file_unreadable"
        elif entry.is_file(follow_symlinks=False):
            yield path, ""


def _many(path: Path, name: str, longest: int) -> Iterator[Record]:
    try:
        with open_stream(path) as stream:
            for record in read_records(stream, known=FIELDS, required=REQUIRED, longest=longest):
                yield replace(record, source=name)
    except OSError:
        yield _refused(name, "file_unreadable")


def _objects(path: Path, name: str, longest: int) -> Iterator[Record]:
    """Yield the objects of a file; if it has only one, the file's name identifies it."""
    records = _many(path, name, longest)
    first, second = next(records, None), next(records, None)
    if first is None:
        yield Record(1, {}, problem("not_json", why="the file is empty"), name)
    elif second is None:
        yield replace(first, fields={"source_id": id_of(name), **first.fields})
    else:
        yield first
        yield second
        yield from records


def _one(path: Path, name: str, longest: int) -> Record:
    try:
        with path.open("rb") as stream:
            raw = stream.read(longest + 1)
    except OSError:
        return _refused(name, "file_unreadable")
    if len(raw) > longest:
        return _refused(name, "file_too_long")
    try:
        return _text(decoded(raw), name)
    except ValueError:
        return _refused(name, "not_utf8")


def _text(text: str, name: str) -> Record:
    title, rest = _title_and_rest(text.splitlines())
    path = Path(name)
    body = rest or text.strip()
    # A name is cut to its column: an article is not refused for its path.
    fields = {
        "source_id": id_of(name),
        "title": title if rest else path.stem.replace("-", " ").replace("_", " ")[:LONGEST_TITLE],
        # A line that ends no sentence is a title without a text.
        "text": body if rest or body.endswith(SENTENCE_ENDS) else "",
        "category": path.parent.as_posix().removeprefix(".")[:LONGEST_CATEGORY],
    }
    return Record(1, fields, source=name)


def _title_and_rest(lines: Iterable[str]) -> tuple[str, str]:
    remaining = iter(lines)
    first = next((line for line in remaining if line.strip()), "")
    return first.lstrip("#").strip(), "\n".join(remaining).strip()


def id_of(name: str) -> str:
    """Return a file's path as an id that curators recognize; for a long one, its hash."""
    if len(name) <= LONGEST_SOURCE:
        return name
    return hashlib.sha256(name.encode()).hexdigest()[:32]
