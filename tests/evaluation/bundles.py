"""A release's bundle, unpacked so that tests can forge it, and the files that open it."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from collection.models import Twin
from corpora import services as corpora
from corpora.core.bundle import codec
from corpora.core.bundle.documents import documents
from corpora.core.bundle.layout import MANIFEST, SUMS
from corpora.core.bundle.manifest import Manifest
from corpora.models import Release
from evaluation.core.verify import Finding, Outcome, open_bundle, verify
from evaluation.exports.opening import write_opening
from filtering import services as filtering
from tests.corpora.test_release_provenance import validated
from tests.factories import EncodingFactory, TwinFactory
from tests.filtering.stages import PUBLISHED, carried, leaking, read
from validation.models import Vote
from winoplatform.artifacts import store

NAME = "kitchen-1"
PAIRS = UNPAIRED = 12


def filtered_release() -> Release:
    """A release of pairs, and of single questions with votes, that a filter run has filtered."""
    campaign = validated(UNPAIRED, dev_share="0.25", test_share="0.25")
    Vote.objects.update(local_option=None)  # `validated` changes it after the verdicts
    for number in range(PAIRS):
        sentences = [f"The lid {number} _ was {end} in June." for end in ("open", "shut")]
        TwinFactory(campaign=campaign, published=True, sentences=sentences)
    snapshot = carried(corpora.take_snapshot(campaign=campaign, by=None))
    answers = [json.loads(line) for line in read(snapshot.questions).splitlines()]
    matrix = leaking([_Answer(int(one["answer"])) for one in answers], every=4)
    encoding = EncodingFactory(
        finished=True,
        snapshot=snapshot,
        matrix=store.put_array(matrix),
        n_features=matrix.shape[1],
    )
    settings: dict[str, Any] = {"n": 5, "m": 20, "k": 2, "tau": 0.75, "seed": 3, **PUBLISHED}
    run = carried(filtering.start_filter_run(encoding=encoding, by=None, **settings))
    built = corpora.build_release(snapshot=snapshot, selection=run.selection, name=NAME, by=None)
    return carried(built)


def release_without_dev() -> Release:
    """A release of which no question is in the dev set."""
    campaign = validated(4)
    Vote.objects.update(local_option=None)
    for twin, split in zip(campaign.twins.all(), ("train", "test") * 2, strict=True):
        Twin.objects.filter(pk=twin.pk).update(source_split=split)
    snapshot = carried(corpora.take_snapshot(campaign=campaign, by=None))
    return carried(corpora.build_release(snapshot=snapshot, selection=None, name="no-dev", by=None))


class _Answer:
    def __init__(self, answer: int) -> None:
        self.answer = answer


def store_bundle(release: Release, folder: Path) -> None:
    """Write the archive, its files unpacked, and the curators' files."""
    archive = release.files.select_related("artifact").get(name=f"{release.name}.zip")
    with store.open_artifact(archive.artifact) as file:
        content = file.read()
    (folder / f"{release.name}.zip").write_bytes(content)
    zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
    write_opening(release=release, folder=folder / "opened")


def wrong(path: Path, opened: Path | None = None) -> list[Finding]:
    """What is wrong with the release at *path*."""
    return [one for one in findings(path, opened) if one.outcome is Outcome.WRONG]


def findings(path: Path, opened: Path | None = None) -> list[Finding]:
    with open_bundle(path) as bundle:
        return list(verify(bundle, opened=opened))


def places(path: Path, opened: Path | None = None) -> set[str]:
    return {one.place for one in wrong(path, opened)}


def change_lines(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the objects of a file of JSON lines."""
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    change(rows)
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))


def change_manifest(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    about = json.loads((folder / MANIFEST).read_text())
    change(about)
    (folder / MANIFEST).write_text(json.dumps(about))


def relabel(folder: Path, stem: str, labels: dict[str, str]) -> None:
    """Change the answers of a split in all of its forms."""

    def change(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row["answer"] = labels.get(row["qID"], row["answer"])
        lines = "".join(f"{row['answer']}\n" for row in rows)
        (folder / f"{stem}-labels.lst").write_text(lines)

    change_lines(folder / f"{stem}.jsonl", change)
    place = folder / "data" / f"{stem}.parquet"
    table = pq.read_table(place)
    rows = table.to_pylist()
    for row in rows:
        row["answer"] = labels.get(row["qID"], row["answer"])
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), place)


def resum(folder: Path) -> None:
    """Bring facts about files, documents and all hashes up to date, as a forger would."""

    def change(about: dict[str, Any]) -> None:
        for file in about["files"]:
            content = (folder / file["name"]).read_bytes()
            file["sha256"], file["size"] = hashlib.sha256(content).hexdigest(), len(content)

    change_manifest(folder, change)
    with suppress(ValueError):  # no platform makes documents of such a manifest
        for name, text in documents(
            codec.from_json(Manifest, (folder / MANIFEST).read_text())
        ).items():
            (folder / name).write_text(text)
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.name != SUMS
    )
    hashed = [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names]
    text = "".join(f"{one}  {name}\n" for one, name in zip(hashed, names, strict=True))
    (folder / SUMS).write_text(text)
