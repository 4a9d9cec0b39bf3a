"""Check the questions: labels, splits and training sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from corpora.core.bundle.layout import (
    BLIND,
    COLUMNS,
    DEBIASED,
    FULL,
    STEMS,
    TRAINING,
    jsonl,
)
from corpora.core.bundle.parquet import read_parquet
from corpora.core.bundle.reading import Bundle
from evaluation.core.verify.findings import UNREADABLE, Finding, ok, wrong

TEXT = COLUMNS[:4]
LABELS = ("1", "2")


def split_names(manifest: dict[str, Any]) -> list[str]:
    """Return the names of the data files that the manifest gives, without ending."""
    return list(manifest["splits"])


def check_tables(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Check each data file in its three forms."""
    files = set(bundle.names())
    for name in STEMS:
        if jsonl(name) in files and name not in manifest["splits"]:
            yield wrong(jsonl(name), "the manifest has no statistics of it")
    for name in split_names(manifest):
        try:
            yield from _check_table(bundle, name)
        except UNREADABLE as error:
            yield wrong(f"{name}.jsonl", f"it cannot be read as a table: {error}")


def _check_table(bundle: Bundle, name: str) -> Iterator[Finding]:
    file, blind = f"{name}.jsonl", name == BLIND
    rows = list(bundle.rows(file))
    columns = {*TEXT, "answer"}
    # In releases of earlier versions the blind file has no such column.
    rows = [{"answer": "", **row} if blind else row for row in rows]
    odd = [n for n, row in enumerate(rows, 1) if set(row) != columns or _is_odd(row, blind)]
    if odd:
        these = f"{len(odd):,}, as line {odd[0]}"
        yield wrong(file, f"lines with other columns or without a valid label: {these}")
        return
    ids = [row["qID"] for row in rows]
    if all(before < after for before, after in pairwise(ids)):
        yield ok(file, "ids are in order, each once")
    else:
        yield wrong(file, "ids are not in order, or repeat")
    if not blind:
        labels = [line.decode() for line in bundle.lines(f"{name}-labels.lst")]
        same = labels == [row["answer"] for row in rows]
        yield _same_as(file, f"{name}-labels.lst", "labels", same=same)
    stored = _parquet(bundle, name)
    same = [{key: row[key] for key in (*TEXT, "answer")} for row in stored] == rows
    yield _same_as(file, f"data/{name}.parquet", "questions", same=same)


def _same_as(file: str, place: str, what: str, *, same: bool) -> Finding:
    return ok(place, f"the {what} of {file}") if same else wrong(place, f"other {what} than {file}")


def _is_odd(row: dict[str, Any], blind: bool) -> bool:
    labels = ("",) if blind else LABELS
    return not all(isinstance(value, str) for value in row.values()) or row["answer"] not in labels


def _parquet(bundle: Bundle, name: str) -> list[dict[str, Any]]:
    with bundle.files.open(f"data/{name}.parquet") as file:
        return list(read_parquet(file))


def check_splits(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Check that splits share no twin, and that training sizes are nested complete pairs."""
    names = split_names(manifest)
    rows = {name: {row["qID"]: row for row in bundle.rows(f"{name}.jsonl")} for name in names}
    ids = {name: found.keys() for name, found in rows.items()}
    bases = {name: {one.rpartition("-")[0] for one in found} for name, found in ids.items()}
    for one, other in (("dev", FULL), (BLIND, FULL), ("dev", BLIND)):
        shared = bases[one] & bases[other]
        said = f"{len(shared):,} twins are in {other} too"
        yield (wrong if shared else ok)(f"{one}.jsonl", said)
    sizes = [name for name in TRAINING if name in ids]
    for smaller, larger in [*pairwise(sizes), *([(DEBIASED, FULL)] if DEBIASED in ids else [])]:
        inside = all(rows[larger].get(qid) == row for qid, row in rows[smaller].items())
        said = f"every question is in {larger} too" if inside else f"not all are in {larger} so"
        yield (ok if inside else wrong)(f"{smaller}.jsonl", said)
    for name in sizes[:-1]:
        whole = len(ids[name]) == 2 * len(bases[name])
        said = "complete pairs" if whole else "not all questions have their twin"
        yield (ok if whole else wrong)(f"{name}.jsonl", said)
