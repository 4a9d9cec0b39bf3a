"""Compute what a manifest says from the data files and the provenance of its bundle."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from corpora.core.bundle.layout import (
    BLIND,
    COMMITMENTS,
    DEV,
    FULL,
    LEAKS,
    QUESTIONS,
    VOTES,
    jsonl,
    parquet,
)
from corpora.core.bundle.limits import EMPTY, UNCERTAIN, few_pairs, limits
from corpora.core.bundle.parquet import read_parquet
from corpora.core.bundle.reading import Bundle
from corpora.core.clues.results import KINDS
from corpora.core.leaks.results import FILES
from corpora.core.provenance import ProvenanceTally
from corpora.core.publish import PublishedRow
from corpora.core.repeats import release_repeats
from corpora.core.tally import Tally

NOT_HERE = (
    "its title, authors, licence, statements, currency and software; who the people are beyond "
    "the origins in its provenance; which votes came first; the snapshot, what was left out of "
    "it, and the draws; the limits of pairs and near-duplicates; the filter's settings, warnings "
    "and fresh models; fresh votes of people; changes since earlier releases"
)


def recomputed(bundle: Bundle, manifest: dict[str, Any]) -> dict[str, Any]:
    """Return a manifest in which everything that the files tell is as they tell it.

    What they do not tell, see `NOT_HERE`, stays as it is said.
    """
    found = {**manifest, "splits": {}}
    origins: Counter[str] = Counter()
    for name in manifest["splits"]:
        tally = tally_of(bundle, name)
        found["splits"][name] = tally.figures(is_blind=name == BLIND)
        if name in (FULL, DEV, BLIND):
            origins.update(tally.origins)
    found["origin"] = {**manifest["origin"], "questions": dict(sorted(origins.items()))}
    provenance = provenance_of(bundle)
    found["collection"] = provenance.collection(currency=manifest["collection"]["currency"])
    found["agreement"] = provenance.agreement()
    splits = {name: bundle.rows(jsonl(name)) for name in (FULL, DEV, BLIND)}
    found["repeats"] = asdict(release_repeats(splits))
    found["commitments"] = sum(1 for _ in bundle.lines(COMMITMENTS))
    found["leaks"] = {**manifest["leaks"], **_leaks(bundle.document(LEAKS))}
    found["limits"] = limits(
        found["splits"],
        near_duplicate=manifest["near_duplicate"],
        selection=manifest["selection"],
    )
    few = few_pairs(found["splits"], min_pairs=manifest["min_pairs"])
    others = [one for one in manifest["warnings"] if not one.endswith((UNCERTAIN, EMPTY))]
    found["warnings"] = [*others, *few]
    return found


def tally_of(bundle: Bundle, name: str) -> Tally:
    """Count the rows of a split's Parquet file."""
    with bundle.files.open(parquet(name)) as file:
        rows = list(read_parquet(file))
    bases = [row["qID"].rpartition("-")[0] for row in rows]
    tally = Tally()
    for row, base, (before, after) in zip(rows, bases, _neighbours(bases), strict=True):
        published = PublishedRow(
            qid=row["qID"],
            sentence=row["sentence"],
            option1=row["option1"],
            option2=row["option2"],
            answer=int(row["answer"] or 0),
            source_id="",
            swapped=False,
            domain=row["domain"],
        )
        tally.add(published, is_paired=base in (before, after), origin=row["origin"])
    return tally


def _neighbours(bases: list[str]) -> Iterator[tuple[str, str]]:
    padded = ["", *bases, ""]
    return zip(padded, padded[2:], strict=False)


def provenance_of(bundle: Bundle) -> ProvenanceTally:
    """Count the lines of the provenance."""
    votes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for vote in bundle.rows(VOTES):
        votes[vote["qID"]].append(vote)
    tally = ProvenanceTally()
    for question in bundle.rows(QUESTIONS):
        tally.add(question, votes.get(question["qID"], []))
    return tally


def people_shown(bundle: Bundle) -> set[str]:
    """Return the origins of the people who worked on the questions that are not blind."""
    return {row["people_origin"] for name in (QUESTIONS, VOTES) for row in bundle.rows(name)}


def _leaks(report: dict[str, Any]) -> dict[str, Any]:
    sections = report["sections"]
    tests = sum(
        family["n_tests"]
        for section in sections
        if section["split"] != FILES
        for family in section["publication"]
    )
    texts = [section for section in sections if section.get("text_summary")]
    shares = [
        family["detectable"][0]
        for section in sections
        if section["split"] != FILES
        for family in section["publication"]
        if family["n_tests"]
    ]
    return {
        "tests": tests,
        "detectable": max(shares) if shares and None not in shares else None,
        "found": [section["summary"] for section in sections if section["leaks"]],
        "text_found": [section["text_summary"] for section in texts if section["clues"]],
        "texts": _strongest(family for section in texts for family in section["text"]),
        "alpha": report["alpha"],
    }


def _strongest(families: Iterable[dict[str, Any]]) -> dict[str, float | None]:
    """Return by kind the smallest accuracy that is found with a power of 80 % in any split."""
    shares: dict[str, list[float]] = {}
    for one in families:
        known = (share for share in one["detectable"][:1] if share is not None)
        shares.setdefault(KINDS[one["name"]], []).extend(known)
    return {kind: min(of, default=None) for kind, of in shares.items()}
