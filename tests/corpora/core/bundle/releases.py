"""A small release in a folder, made from rows alone."""

import hashlib
import json
from collections import Counter
from pathlib import Path

from corpora.core.bundle import layout
from corpora.core.bundle.archive import write_parquet
from corpora.core.bundle.documents import documents
from corpora.core.bundle.facts import (
    Collection,
    Decided,
    FileFacts,
    HourlyPay,
    Origin,
    Rules,
    SnapshotFacts,
)
from corpora.core.bundle.facts import SplitFacts as Split
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import TextFigures

NAMES = [("Ann", "Eve"), ("Bob", "Tom"), ("cup", "tray"), ("rope", "wire")]


def rows(n_pairs: int, *, start: int = 0) -> list[dict[str, str]]:
    """Make pairs whose ids are sorted and whose answers are opposite."""
    found = []
    for at in range(start, start + n_pairs):
        first, second = NAMES[at % len(NAMES)]
        for ending, word in ((1, "small"), (2, "large")):
            found.append(
                {
                    "qID": f"PAIR{at:026}-{ending}",
                    "sentence": f'The "{first}" met the {second} in {at}, but the _ was {word}.',
                    "option1": first,
                    "option2": second,
                    "answer": str(1 + (ending + at) % 2),
                    "domain": "social" if at % 2 else "physical",
                    "origin": "typed",
                }
            )
    return found


def small_release(**changes) -> dict[str, list[dict[str, str]]]:
    """Return the rows of a release with five training sizes, dev, and a blind test."""
    training = rows(256)
    found = {
        stem: training[: 2 * pairs] for stem, pairs in layout.sizes(len(training) // 2).items()
    }
    found["dev"] = rows(6, start=300)[:11]
    found["test"] = [row | {"answer": ""} for row in rows(5, start=400)]
    return found | changes


def split_facts(found: list[dict[str, str]], *, blind: bool) -> Split:
    text = TextFigures()
    for row in found:
        text.add(row["sentence"])
    sizes = Counter(row["qID"].rpartition("-")[0] for row in found)
    pairs = sum(size == 2 for size in sizes.values())
    return Split(
        questions=len(found),
        pairs=pairs,
        unpaired=len(found) - 2 * pairs,
        label_1=None if blind else sum(row["answer"] == "1" for row in found),
        domains=dict(Counter(row["domain"] for row in found)),
        mean_words=text.mean_words,
        mean_tokens=text.mean_tokens,
        vocabulary=text.vocabulary,
    )


def manifest_of(splits, files=(), **changes) -> Manifest:
    facts = {
        "name": "small-1",
        "version": "1.0.0",
        "title": "Small release",
        "authors": ("Alice Example",),
        "licence": "CC-BY-4.0",
        "campaign": "Autumn",
        "built_at": "2026-11-23T10:00:00+00:00",
        "files": tuple(files),
        "splits": {s: split_facts(r, blind=s == layout.BLIND) for s, r in splits.items()},
        "snapshot": SnapshotFacts(questions_sha256="0" * 64, questions=600, pairs=300),
        "selection": None,
        "collection": COLLECTION,
        "origin": Origin(questions={"typed": 533}, pasted_from_share=0.6),
        "software": {"numpy": "2.4.6"},
        "min_pairs": 25,
        "near_duplicate": 0.6,
    }
    return Manifest(**facts | changes)


RULES = Rules(
    min_words=15, max_words=30, min_overlap=0.7, votes_per_question=3, verdict_policy="majority",
    questions=520,
)  # fmt: skip
DECIDED = Decided(by="votes", policy="majority", version=2, votes=3, questions=521)
COLLECTION = Collection(
    questions=523,
    written=520,
    writers=4,
    validators=9,
    votes=1563,
    votes_excluded=2,
    votes_additional=0,
    first_written="2026-01",
    last_written="2026-03",
    rules=(RULES,),
    decided=(DECIDED,),
    guidelines={"writing": {"1": 500, "2": 20}},
    pay={"writing": {"0.40": 520}, "validating": {"": 1565}},
    currency="USD",
    hourly_pay={"writing": HourlyPay(median="11.20", n=4)},
)


def write_release(folder: Path, splits=None, **changes) -> Manifest:
    """Write the public data files and every document."""
    splits = small_release() if splits is None else splits
    for stem, found in splits.items():
        _write_split(folder, stem, found)
    files = [_facts(folder, path) for path in sorted(folder.rglob("*")) if path.is_file()]
    manifest = manifest_of(splits, files, **changes)
    for name, text in documents(manifest).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return manifest


def _write_split(folder: Path, stem: str, found: list[dict[str, str]]) -> None:
    shown = layout.COLUMNS[: 4 if stem == layout.BLIND else 5]
    lines = (json.dumps({name: row[name] for name in shown}) + "\n" for row in found)
    (folder / layout.jsonl(stem)).write_text("".join(lines))
    if stem != layout.BLIND:
        (folder / layout.labels(stem)).write_text("".join(f"{row['answer']}\n" for row in found))
    path = folder / layout.parquet(stem)
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        write_parquet(found, file)


def _facts(folder: Path, path: Path) -> FileFacts:
    data = path.read_bytes()
    return FileFacts(
        name=path.relative_to(folder).as_posix(),
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        rows=None if path.suffix == ".parquet" else data.count(b"\n"),
        kind="labels" if path.suffix == ".lst" else "split",
    )
