"""Compare the documents of a release with its manifest, and the manifest with the files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

from corpora.core.bundle.documents import documents
from corpora.core.bundle.layout import BLIND, DEV, FULL, LEAKS, MANIFEST, QUESTIONS, VOTES, jsonl
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.reading import Bundle
from corpora.core.clues.results import KINDS
from corpora.core.leaks.results import FILES
from evaluation.core.verify.checksums import HARNESS
from evaluation.core.verify.findings import Finding, equal, ok, unchecked, wrong

NOT_HERE = (
    "hourly pay, the dates of writing, the numbers of people and votes of the campaign, and fresh "
    "votes: their sources are not in the release"
)


def check_documents(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Render every document from the manifest, and compare it line by line.

    Another version of the platform may render another text; the manifest names the version.
    """
    rendered = documents(Manifest.from_json(json.dumps(manifest)))
    names = set(bundle.names())
    for name in sorted(names - rendered.keys()):
        if name.startswith(HARNESS):
            yield wrong(name, "no such document follows from the manifest")
    for name, text in rendered.items():
        if name in names:
            yield _compared(bundle, name, text)


def _compared(bundle: Bundle, name: str, text: str) -> Finding:
    expected = text.encode().split(b"\n")
    with bundle.files.open(name) as file:
        found = file.read().split(b"\n")
    for number, (there, made) in enumerate(zip_longest(found, expected), 1):
        if there != made:
            shown = "nothing" if there is None else repr(there.decode(errors="replace")[:160])
            return wrong(
                name,
                f"line {number} is not what this version of the platform makes from {MANIFEST}: "
                f"{shown}",
            )
    return ok(name, f"{len(expected) - 1:,} lines follow from {MANIFEST}")


def check_facts(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Recompute what the manifest says of leaks, provenance and what was left out."""
    yield from _leaks(bundle.document(LEAKS), manifest["leaks"])
    questions = list(bundle.rows(QUESTIONS))
    shown = Counter(row["origin"] for row in questions)
    said = manifest["origin"]["questions"]
    more = sorted(origin for origin, n in shown.items() if n > said.get(origin, 0))
    yield equal(MANIFEST, "origins with more questions than said", said=[], found=more)
    published = sum(sum(1 for _ in bundle.lines(jsonl(name))) for name in (FULL, DEV, BLIND))
    yield equal(MANIFEST, "questions by origin", said=sum(said.values()), found=published)
    left_out = sum(manifest["left_out"].values())
    yield equal(
        MANIFEST,
        "questions of the snapshot",
        said=manifest["snapshot"]["questions"],
        found=published + left_out,
    )
    yield from _collection(bundle, questions, manifest["collection"])


def _leaks(report: dict[str, Any], said: dict[str, Any]) -> Iterator[Finding]:
    tests = sum(
        family["n_tests"]
        for section in report["sections"]
        if section["split"] != FILES
        for family in section["publication"]
    )
    found = [section["summary"] for section in report["sections"] if section["leaks"]]
    yield equal(MANIFEST, f"tests in {LEAKS}", said=said["tests"], found=tests)
    yield equal(MANIFEST, f"leaks in {LEAKS}", said=list(said["found"]), found=found)
    texts = [section for section in report["sections"] if section.get("text_summary")]
    clues = [section["text_summary"] for section in texts if section["clues"]]
    yield equal(MANIFEST, f"clues in {LEAKS}", said=list(said.get("text_found", [])), found=clues)
    kinds = _strongest(family for section in texts for family in section["text"])
    yield equal(MANIFEST, f"kinds of clues in {LEAKS}", said=said.get("texts", {}), found=kinds)
    yield equal(MANIFEST, f"alpha in {LEAKS}", said=said["alpha"], found=report["alpha"])


def _strongest(families: Iterable[dict[str, Any]]) -> dict[str, float | None]:
    """Return by kind the smallest accuracy that is found with a power of 80 % in any split."""
    shares: dict[str, list[float]] = {}
    for one in families:
        known = (share for share in one["detectable"][:1] if share is not None)
        shares.setdefault(KINDS[one["name"]], []).extend(known)
    return {kind: min(of, default=None) for kind, of in shares.items()}


def _collection(
    bundle: Bundle, questions: list[dict[str, Any]], said: dict[str, Any]
) -> Iterator[Finding]:
    """What the campaign has collected is at least what the release has of it."""
    votes = [vote for vote in bundle.rows(VOTES) if not vote["excluded"]]
    people = {vote["validator"] for vote in votes}
    decided = [row["verdict"] for row in questions if row["verdict"] is not None]
    versions = {str(row["guidelines"]) for row in questions if row["guidelines"] is not None}
    at_least = {
        "votes": len(votes),
        "validators": len(people),
        "questions_validated": len(decided),
        "questions_valid": sum(verdict["valid"] for verdict in decided),
    }
    for name, found in at_least.items():
        if said[name] < found:
            yield wrong(MANIFEST, f"{name} is said to be {said[name]:,}, the files have {found:,}")
    missing = sorted(versions - set(said["guideline_versions"]))
    yield equal(MANIFEST, "versions of the guidelines not named", said=[], found=missing)
    yield unchecked(MANIFEST, NOT_HERE)
