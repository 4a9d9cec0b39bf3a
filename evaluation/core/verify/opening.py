"""Check the curators' files: openings of the commitments and of the draws."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpora.core.bundle.layout import BLIND, COLUMNS, COMMITMENTS, DEV, FULL, INDEX, jsonl
from corpora.core.bundle.reading import Bundle
from corpora.core.publish import commitment
from evaluation.core.verify.findings import Finding, equal, ok, wrong
from evaluation.core.verify.votes import check_verdicts

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
    found = json.loads(line)
    if not isinstance(found, dict):
        raise ValueError("a line is not an object")
    return found
