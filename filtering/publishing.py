"""Builds the files of a release from what a filter run kept."""

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
from filtering import drawing, selectors
from filtering.core.pmi import SMOOTHING
from filtering.core.publish import Published, PublishedRow, publish, to_jsonl
from filtering.core.questions import FrozenQuestion
from filtering.models import Draw, Encoding, FilterRun, Release, ReleaseFile, Snapshot
from filtering.selectors.comparisons import goes_by
from modeling.specs import ModelSpec
from validation.selectors import twins_with_open_seats
from validation.services.golds import note_published
from winoplatform import clock
from winoplatform.artifacts import store
from winoplatform.runs.frame import Carrier

INDEX = "index.jsonl"
ORIGIN = "origin.jsonl"
BLIND = "test"


def release(carrier: Carrier[Release]) -> None:
    """Publish the kept questions as WinoGrande's JSONL, label lists, a manifest and checksums.

    In the splits that are stored; what would show a blind label of another release is left out, and
    what a validator could read an answer from. No question that is published is gold any more.

    The labels of the blind test split and the index (which published row is which question) are
    restricted to curators. How the texts came to be stands in a file of its own, so that the
    splits keep WinoGrande's columns.
    """
    run = carrier.run
    kept = kept_questions(run.filter_run)
    carrier.report(0, total=len(kept), activity="building the splits")
    splits = drawing.splits_of(run.filter_run.encoding.snapshot.campaign, kept)
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
        note_published([row.sentence for _, row in _rows(published)])
        content_hash = hashlib.sha256("".join(sums).encode()).hexdigest()
        carrier.finish(content_hash=content_hash, done=len(kept))


def _shown(kept: Sequence[FrozenQuestion], splits: Mapping[str, str]) -> list[FrozenQuestion]:
    """Leave out what would show a blind label, or tell judges what its twin's answer is."""
    hidden = {twin for twin, split in splits.items() if split == Draw.Split.WITHHELD}
    hidden |= _in_validation(splits.keys())
    return [question for question in kept if question.twin not in hidden]


def _in_validation(twins: Collection[str]) -> set[str]:
    """Tell which of *twins* show the answer of a question that can still get a vote.

    Its own, that of a twin which revises it, or the same sentence in any campaign.
    """
    known = dict(Twin.objects.filter(public_id__in=twins).values_list("pk", "public_id"))
    related = selectors.showing_each_other(known)
    waiting = twins_with_open_seats({*known, *chain(*related)}, now=clock.now())
    shown = waiting.union(*(group for group in related if group & waiting))
    return {str(known[pk]) for pk in shown & known.keys()}


def kept_questions(run: FilterRun) -> list[FrozenQuestion]:
    """The questions that a filter run kept, in snapshot order."""
    assert run.kept is not None
    with store.open_artifact(run.kept) as file:
        kept = set(file.read().decode().split())
    questions = selectors.encoded_questions(run.encoding)
    return [question for question in questions if question.id in kept]


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
    """Where the release came from, by content hash, and under which settings."""
    encoding = run.filter_run.encoding
    return {
        "name": run.name,
        "splits": _about_splits(published, kept=run.filter_run.n_kept or 0),
        "files": {
            file.name: {"rows": file.rows, "sha256": file.artifact_id}
            for file in files
            if not file.restricted
        },
        "snapshot": _about_snapshot(encoding.snapshot),
        "encoding": _about_encoding(encoding),
        "filter": _about_filter_run(run.filter_run),
        "warnings": _warnings(run.filter_run),
        "origin": _about_origin(published, origins),
    }


def _about_splits(published: Published, *, kept: int) -> dict[str, Any]:
    """How many questions and whole pairs each split has, and how many are in none."""
    about: dict[str, Any] = {}
    for name, rows in published.splits.items():
        twins = Counter(row.qid.rpartition("-")[0] for row in rows)
        about[name] = {"questions": len(rows), "pairs": list(twins.values()).count(2)}
        kept -= len(rows)
    return about | {"withheld": {"questions": kept}}


def _about_fresh_models(run: FilterRun) -> dict[str, Any] | None:
    """The accuracies before and after, as shares to two decimals.

    Exact ones of two releases that differ by a question would tell whether a model is right on it.
    """
    if run.fresh_models is None:
        return None
    return {
        name: {
            key: value if key == "n" or value is None else round(value, 2)
            for key, value in run.fresh_models[which]["grouped"]["accuracy"].items()
        }
        for name, which in (("before", "all"), ("after", "kept"))
    }


def _warnings(run: FilterRun) -> list[str] | None:
    """Where fresh models are apart from one half; None for a run that has not measured them."""
    return None if run.fresh_models is None else [leak.sentence for leak in run.leaks]


def _about_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "questions_sha256": snapshot.questions_id,
        "questions": snapshot.n_questions,
        "pairs": snapshot.n_pairs,
    }


def _about_encoding(encoding: Encoding) -> dict[str, Any]:
    return {
        # No path of this machine: the hashes say which model it was.
        "encoder": ModelSpec.parse(encoding.encoder).public_name,
        "weights_sha256": encoding.weights_sha256,
        "config_sha256": encoding.config_sha256,
        "pooling": encoding.pooling_used,
        "dtype": encoding.dtype,
        "features": encoding.features,
        "matrix_sha256": encoding.matrix_id,
    }


def _about_filter_run(run: FilterRun) -> dict[str, Any]:
    return {
        **filter_settings(run),
        "phases": run.steps.count(),
        "stop_reason": run.stop_reason,
        "fresh_models": _about_fresh_models(run),
        "kept": run.n_kept,
        "kept_sha256": run.kept_id,
    }


def filter_settings(run: FilterRun) -> dict[str, Any]:
    """The settings that a filter run used: a control uses few of AFLite's."""
    if run.method == FilterRun.Method.AFLITE:
        return {name: getattr(run, name) for name in goes_by(run)}
    settings = {name: getattr(run, name) for name in ("method", "seed", "removal", "size")}
    if run.method == FilterRun.Method.PMI:
        settings |= {"pmi_score": run.pmi_score, "pmi_smoothing": SMOOTHING}
    if run.reference is not None:
        settings["reference_kept_sha256"] = run.reference.kept_id
        settings["size"] = run.reference.n_kept
    return settings


def _about_origin(published: Published, origins: Mapping[str, Origin]) -> dict[str, Any]:
    """How many questions have which flag: ``pasted`` from a share of characters at once."""
    counts = Counter(origins.values())
    counts[Origin.UNKNOWN] += sum(map(len, published.splits.values())) - counts.total()
    flags = {flag.value: counts[flag] for flag in Origin}
    return {"questions": flags, "pasted_from_share": round(PASTED_FROM, 4)}


def read_index(run: Release) -> list[dict[str, Any]]:
    """Read a release's restricted index: qID, split, question, swapped, answer for each row."""
    index = run.files.select_related("artifact").get(name=INDEX)
    with store.open_artifact(index.artifact) as file:
        return [json.loads(line) for line in file]
