"""Reads folders of articles: files with one article or with many, at any depth."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from collection.imports.readers import Record, open_stream, read_records
from collection.imports.report import printable

TEXT = frozenset({".txt", ".md", ".markdown"})
OBJECT = ".json"
RECORDS = (".jsonl", ".ndjson", ".csv", ".jsonl.gz", ".ndjson.gz", ".csv.gz")
LONGEST_SOURCE = 200
LONGEST_TITLE = 300
LONGEST_CATEGORY = 120


def folder_records(
    folder: Path, *, columns: frozenset[str], longest_line: int, longest_file: int
) -> Iterator[Record]:
    """Yield the records of every file in a folder and its subfolders, sorted by name.

    Parameters
    ----------
    folder : Path
        A text file (``.txt``, ``.md``) is one article: its first line is the title, its path the
        source id, its subfolder the category. A ``.json`` file is one object; ``.jsonl`` and
        ``.csv``, also with ``.gz``, have a record on each line. Hidden files and links are
        skipped.
        A name that is not UTF-8 is written with escaped bytes such as ``\\xe9``; a file or
        subfolder that cannot be read is a record with a problem.
    columns : frozenset of str
        As for ``read_records``.
    longest_line, longest_file : int
        In bytes; a longer line, or file with one article, is a record with a problem.

    Notes
    -----
    Only one file is open and one article in memory at a time.

    Raises
    ------
    OSError
        If *folder* itself cannot be read.
    """
    for path, problem in _files(folder):
        name = printable(path.relative_to(folder).as_posix())
        kind = path.suffix.lower()
        if problem:
            yield Record(1, {}, problem, name)
        elif kind in TEXT or kind == OBJECT:
            yield _one(path, name, longest_file)
        elif name.lower().endswith(RECORDS):
            yield from _many(path, name, columns, longest_line)
        else:
            yield Record(1, {}, "unknown_kind", name)


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


def _many(path: Path, name: str, columns: frozenset[str], longest: int) -> Iterator[Record]:
    try:
        with open_stream(path) as stream:
            for record in read_records(stream, columns=columns, longest=longest):
                yield replace(record, source=name)
    except OSError:
        yield Record(1, {}, "file_unreadable", name)


def _one(path: Path, name: str, longest: int) -> Record:
    try:
        with path.open("rb") as stream:
            raw = stream.read(longest + 1)
        text = raw.decode("utf-8-sig")
    except OSError:
        return Record(1, {}, "file_unreadable", name)
    except UnicodeDecodeError:
        return Record(1, {}, "file_too_long" if len(raw) > longest else "not_utf8", name)
    if len(raw) > longest:
        return Record(1, {}, "file_too_long", name)
    return _object(text, name) if path.suffix.lower() == OBJECT else _text(text, name)


def _object(text: str, name: str) -> Record:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return Record(1, {}, "not_json", name)
    if not isinstance(value, dict):
        return Record(1, {}, "not_an_object", name)
    return Record(1, {"source_id": _source_id(name), **value}, source=name)


def _text(text: str, name: str) -> Record:
    title, rest = _title_and_rest(text.splitlines())
    path = Path(name)
    # A name is cut to its column: an article is not refused for its path.
    fields = {
        "source_id": _source_id(name),
        "title": title if rest else path.stem.replace("-", " ").replace("_", " ")[:LONGEST_TITLE],
        "text": rest or text.strip(),
        "category": path.parent.as_posix().removeprefix(".")[:LONGEST_CATEGORY],
    }
    return Record(1, fields, source=name)


def _title_and_rest(lines: Iterable[str]) -> tuple[str, str]:
    remaining = iter(lines)
    first = next((line for line in remaining if line.strip()), "")
    return first.lstrip("#").strip(), "\n".join(remaining).strip()


def _source_id(name: str) -> str:
    """Return the path, so that curators recognize the article; for a long one, its hash."""
    if len(name) <= LONGEST_SOURCE:
        return name
    return hashlib.sha256(name.encode()).hexdigest()[:32]
