"""Build the files of a release from a snapshot or a selection."""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from django.db import transaction

from collection.core.origin import PASTED_FROM, Origin
from collection.models import Twin
from corpora import drawing, selectors
from corpora.core.items import TwinItem
from corpora.core.publish import Published, PublishedRow, publish, to_jsonl
from corpora.models import Draw, Release, ReleaseFile, Snapshot
from validation.selectors import twins_with_open_seats
from validation.services.golds import note_published
from winoplatform import clock
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt

INDEX = "index.jsonl"
ORIGIN = "origin.jsonl"
BLIND = "test"


def release(attempt: Attempt[Release]) -> None:
    """Publish questions as WinoGrande's JSONL, label lists, a manifest and checksums.

    Each twin is in its stored split. Questions that would reveal a blind label of another release,
    or an answer to a validator, are left out. Published questions are no longer gold questions.

    Only curators may read the labels of the blind test split and the index (which published row is
    which question). The origin of the texts is in a separate file, so that the splits keep
    WinoGrande's columns.
    """
    run = attempt.run
    kept = selectors.questions_to_publish(run)
    attempt.report(0, total=len(kept), activity="building the splits")
    splits = drawing.splits_of(run.snapshot.campaign, kept)
    published = publish(_shown(kept, splits), splits=splits, key=bytes.fromhex(run.key))
    files = [_file(run, name, lines, restricted) for name, lines, restricted in _files(published)]
    origins = selectors.origins([row.source_id for _, row in _rows(published)])
    files.append(_file(run, ORIGIN, list(_origin_lines(published, origins)), restricted=False))
    manifest = json.dumps(_manifest(run, published, files, origins), indent=2, sort_keys=True)
    files.append(_file(run, "manifest.json", [f"{manifest}\n"], restricted=False))
    sums = [f"{file.artifact_id}  {file.name}\n" for file in files if not file.restricted]
    files.append(_file(run, "SHA256SUMS", sums, restricted=False))
    with transaction.atomic():
        ReleaseFile.objects.bulk_create(files)
        shown = [row.sentence for row in (*published.train, *published.dev)]
        note_published(shown, [row.sentence for row in published.test])
        content_hash = hashlib.sha256("".join(sums).encode()).hexdigest()
        attempt.finish(content_hash=content_hash, done=len(kept))


def _shown(kept: Sequence[TwinItem], splits: Mapping[str, str]) -> list[TwinItem]:
    """Remove questions that would reveal a blind label, or a twin's answer to validators."""
    hidden = {twin for twin, split in splits.items() if split == Draw.Split.WITHHELD}
    hidden |= _in_validation(splits.keys())
    return [question for question in kept if question.group not in hidden]


def _in_validation(twins: Collection[str]) -> set[str]:
    """Return those of *twins* that reveal the answer of a question that can still get a vote.

    The question may be its own, of a twin that revises it, or the same sentence in any campaign.
    """
    known = dict(Twin.objects.filter(public_id__in=twins).values_list("pk", "public_id"))
    related = selectors.showing_each_other(known)
    waiting = twins_with_open_seats({*known, *chain(*related)}, now=clock.now())
    shown = waiting.union(*(group for group in related if group & waiting))
    return {str(known[pk]) for pk in shown & known.keys()}


def _files(published: Published) -> Iterable[tuple[str, list[str], bool]]:
    for split, rows in published.splits.items():
        blind = split == BLIND
        yield f"{split}.jsonl", list(to_jsonl(rows, blind=blind)), False
        yield f"{split}-labels.lst", [f"{row.answer}\n" for row in rows], blind
    yield INDEX, [_index_line(split, row) for split, row in _rows(published)], True


def _rows(published: Published) -> Iterable[tuple[str, PublishedRow]]:
    return ((split, row) for split, rows in published.splits.items() for row in rows)


def _index_line(split: str, row: PublishedRow) -> str:
    line = {
        "qID": row.qid,
        "split": split,
        "question": row.source_id,
        "swapped": row.swapped,
        "answer": row.answer,
    }
    return json.dumps(line) + "\n"


def _origin_lines(published: Published, origins: Mapping[str, Origin]) -> Iterator[str]:
    for _, row in _rows(published):
        flag = origins.get(row.source_id, Origin.UNKNOWN)
        yield json.dumps({"qID": row.qid, "origin": flag.value}) + "\n"


def _file(run: Release, name: str, lines: list[str], restricted: bool) -> ReleaseFile:
    data = "".join(lines).encode()
    artifact = store.put_file(io.BytesIO(data))
    return ReleaseFile(
        release=run, name=name, rows=len(lines), restricted=restricted, artifact=artifact
    )


def _manifest(
    run: Release, published: Published, files: list[ReleaseFile], origins: Mapping[str, Origin]
) -> dict[str, Any]:
    """Return the provenance of the release, by content hash, with its settings."""
    selection = run.selection
    return {
        **(selection.about if selection else {}),
        "name": run.name,
        "splits": _about_splits(published, kept=run.n_kept or 0),
        "files": {
            file.name: {"rows": file.rows, "sha256": file.artifact_id}
            for file in files
            if not file.restricted
        },
        "snapshot": _about_snapshot(run.snapshot),
        "warnings": selection.warnings if selection else None,
        "origin": _about_origin(published, origins),
    }


def _about_splits(published: Published, *, kept: int) -> dict[str, Any]:
    """Return the number of questions and pairs in each split, and of questions in none."""
    about: dict[str, Any] = {}
    for name, rows in published.splits.items():
        twins = Counter(row.qid.rpartition("-")[0] for row in rows)
        about[name] = {"questions": len(rows), "pairs": list(twins.values()).count(2)}
        kept -= len(rows)
    return about | {"withheld": {"questions": kept}}


def _about_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "questions_sha256": snapshot.questions_id,
        "questions": snapshot.n_questions,
        "pairs": snapshot.n_pairs,
    }


def _about_origin(published: Published, origins: Mapping[str, Origin]) -> dict[str, Any]:
    """Return the number of questions by origin flag, and the threshold of ``pasted``."""
    counts = Counter(origins.values())
    counts[Origin.UNKNOWN] += sum(map(len, published.splits.values())) - counts.total()
    flags = {flag.value: counts[flag] for flag in Origin}
    return {"questions": flags, "pasted_from_share": round(PASTED_FROM, 4)}


def read_index(run: Release) -> list[dict[str, Any]]:
    """Read a release's restricted index: qID, split, question, swapped and answer of each row."""
    index = run.files.select_related("artifact").get(name=INDEX)
    with store.open_artifact(index.artifact) as file:
        return [json.loads(line) for line in file]
