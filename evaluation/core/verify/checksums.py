"""Check that every file is there, unchanged, and the only one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from corpora.core.bundle.layout import (
    CHANGELOG,
    CITATION,
    CROISSANT,
    MANIFEST,
    README,
    SCORER,
    SUMS,
)
from corpora.core.bundle.reading import Bundle
from evaluation.core.verify.findings import UNREADABLE, Finding, equal, ok, wrong

# Made from the manifest, which therefore cannot have their hashes, or of fixed text.
RENDERED = frozenset({README, CHANGELOG, CITATION, CROISSANT, SCORER, MANIFEST, SUMS})
HARNESS = "harness/"
_LINE = re.compile(rb"([0-9a-f]{64})  ([^\x00-\x1f]+)")


def check_sums(bundle: Bundle) -> Iterator[Finding]:
    """Compare the files with ``SHA256SUMS``; the hash of this file identifies the release."""
    names = set(bundle.names())
    if SUMS not in names:
        yield wrong(SUMS, "the file is missing")
        return
    said: dict[str, str] = {}
    for number, line in enumerate(bundle.lines(SUMS), 1):
        found = _LINE.fullmatch(line)
        if found is None or found[2].decode(errors="replace") in said:
            yield wrong(SUMS, f"line {number} is no hash and name of another file")
            continue
        said[found[2].decode(errors="replace")] = found[1].decode()
    for name in sorted(names - said.keys() - {SUMS}):
        yield wrong(name, f"{SUMS} does not name this file")
    for name in sorted(said):
        if name not in names:
            yield wrong(name, "the file is missing")
        else:
            yield from _check_sum(bundle, name, said[name])
    yield ok(SUMS, f"{len(said):,} files are named")
    yield ok(SUMS, f"the release is {bundle.sha256(SUMS)}")


def _check_sum(bundle: Bundle, name: str, said: str) -> Iterator[Finding]:
    try:
        found = bundle.sha256(name)
    except UNREADABLE as error:
        yield wrong(name, f"the file is damaged: {error}")
        return
    if found != said:
        yield wrong(name, f"the file or {SUMS} has changed: its hash is {found}, not {said}")


def check_files(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Compare the sizes, hashes and lines that the manifest gives with the files."""
    names = set(bundle.names())
    listed = {file["name"] for file in manifest["files"]}
    for name in sorted(names - listed - RENDERED):
        if not name.startswith(HARNESS):
            yield wrong(name, "the manifest does not name this file")
    for file in manifest["files"]:
        name = file["name"]
        if name not in names:
            continue  # `check_sums` says so
        yield equal(name, "hash in the manifest", said=file["sha256"], found=bundle.sha256(name))
        yield equal(name, "bytes", said=file["size"], found=bundle.size(name))
        if name.endswith((".jsonl", ".lst")):
            rows = sum(1 for _ in bundle.lines(name))
            yield equal(name, "rows", said=file["rows"], found=rows)
