"""Check the files of a release, and open the commitments with the curators' files."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpora.core.bundle.layout import (
    BENCHMARK,
    BLIND,
    CHANGELOG,
    CITATION,
    COLUMNS,
    COMMITMENTS,
    CROISSANT,
    DEV,
    FULL,
    INDEX,
    INSPECT,
    MANIFEST,
    README,
    SCORER,
    SUMS,
    jsonl,
)
from corpora.core.bundle.reading import Bundle
from corpora.core.publish import commitment
from evaluation.core.verify.findings import UNREADABLE, Finding, equal, ok, wrong
from evaluation.core.verify.recomputing import check_verdicts

# Made from the manifest, which therefore cannot have their hashes, or of fixed text.
RENDERED = frozenset(
    {README, CHANGELOG, CITATION, CROISSANT, SCORER, INSPECT, BENCHMARK, MANIFEST, SUMS}
)
HARNESS = "harness/"
_LINE = re.compile(rb"([0-9a-f]{64})  ([^\x00-\x1f]+)")


def check_sums(bundle: Bundle) -> Iterator[Finding]:
    """Compare the files with ``SHA256SUMS``; the hash of this file identifies the release."""
    names = set(bundle.names())
    if SUMS not in names:
        yield wrong(SUMS, "the file is missing")
        return
    hashes: dict[str, str] = {}
    for number, line in enumerate(bundle.lines(SUMS), 1):
        match = _LINE.fullmatch(line)
        if match is None or match[2].decode(errors="replace") in hashes:
            yield wrong(SUMS, f"line {number} is no hash and name of another file")
            continue
        hashes[match[2].decode(errors="replace")] = match[1].decode()
    for name in sorted(names - hashes.keys() - {SUMS}):
        yield wrong(name, f"{SUMS} does not name this file")
    for name in sorted(hashes):
        if name not in names:
            yield wrong(name, "the file is missing")
        else:
            yield from _check_sum(bundle, name, hashes[name])
    yield ok(SUMS, f"{len(hashes):,} files are named")
    yield ok(SUMS, f"the release is {bundle.sha256(SUMS)}")


def _check_sum(bundle: Bundle, name: str, expected: str) -> Iterator[Finding]:
    try:
        digest = bundle.sha256(name)
    except UNREADABLE as error:
        yield wrong(name, f"the file is damaged: {error}")
        return
    if digest != expected:
        yield wrong(name, f"the file or {SUMS} has changed: its hash is {digest}, not {expected}")


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


ITEMS, DRAWS = "questions.jsonl", "draws"
TEXT = COLUMNS[1:4]


def check_opening(bundle: Bundle, path: Path) -> Iterator[Finding]:
    """Check that the openings are what was committed to, and recompute the verdicts in them."""
    committed = {row["qID"]: row["sha256"] for row in bundle.rows(COMMITMENTS)}
    blind = {row["qID"]: row for row in bundle.rows(f"{BLIND}.jsonl")}
    rows = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        row = _object(line)
        qid = str(row.get("qID"))
        if committed.pop(qid, "") != commitment(line):
            yield wrong(path.name, f"line {number} is not what was committed to for {qid}")
        elif any(row[name] != blind[qid][name] for name in TEXT):
            yield wrong(path.name, f"line {number} has another text than {qid}")
        else:
            rows.append(row)
    yield equal(path.name, "commitments without an opening", said=0, found=len(committed))
    yield ok(path.name, f"{len(rows):,} commitments are opened")
    votes = {row["qID"]: row["votes"] for row in rows}
    answers = {row["qID"]: int(row["answer"]) for row in rows}
    yield from check_verdicts(path.name, rows, votes, answers)


def check_draws(bundle: Bundle, manifest: dict[str, Any], folder: Path) -> Iterator[Finding]:
    """Check that the draws are what was committed to, and that each question is in its split."""
    committed = {draw["sha256"] for draw in manifest["draws"]}
    splits: dict[str, str] = {}
    for path in sorted((folder / DRAWS).glob("*.tsv")):
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() not in committed:
            yield wrong(path.name, "no draw of the manifest has this table's hash")
        for line in content.decode().splitlines():
            twin, split, _ = line.split("\t")
            splits[twin] = split
    twin_of = {row["id"]: row["group"] for row in map(_object, _lines(folder / ITEMS))}
    rows = list(map(_object, _lines(folder / INDEX)))
    odd = [row["qID"] for row in rows if splits.get(twin_of[row["question"]]) != row["split"]]
    if odd:
        yield wrong(INDEX, f"questions that are not in the split drawn: {len(odd):,}, as {odd[0]}")
    else:
        yield ok(INDEX, f"{len(rows):,} questions are in the splits that were drawn")
    published = {row["qID"] for name in (FULL, DEV, BLIND) for row in bundle.rows(jsonl(name))}
    if published == {row["qID"] for row in rows}:
        yield ok(INDEX, "it has the questions of the splits")
    else:
        yield wrong(INDEX, "it has other questions than the splits")


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def _object(line: bytes) -> dict[str, Any]:
    row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError("a line is not an object")
    return row
