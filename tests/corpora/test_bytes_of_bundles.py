"""No public byte of several releases depends on a blind label: zip and Parquet files opened.

Two worlds differ in blind labels alone. A reader of the public files of one cannot tell
which it is, whatever they compute, if both have the same files.
"""

import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from itertools import count
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.db import transaction

from corpora.building import build, bundling, files
from corpora.core.bundle import layout
from corpora.core.items import TwinItem
from corpora.core.publish import Publisher, canonical
from corpora.models import Draw, Release, Snapshot
from corpora.selectors import load_questions
from tests.corpora.test_blind_once import SHARES, grown, of_ids, whole
from tests.filtering.stages import frozen, snapshot_of
from winoplatform.artifacts import store

QUESTIONS = frozen(pairs=36, unpaired=15)
EARLY = 48  # questions of the first two releases
Files = dict[str, bytes]
HASH = re.compile(rb"[0-9a-f]{64}")
ANY_ID = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def split_of(twin: str) -> str:
    return random.Random(twin).choice(["train", "dev", "test"])


BLIND = sorted({one.group for one in QUESTIONS if split_of(one.group) == "test"})


def labelled(flipped: set[str]) -> list[TwinItem]:
    """The questions, with the other answers in some blind twins."""
    found = []
    for one in QUESTIONS:
        values = json.loads(one.to_line())
        if one.group in flipped:
            values["answer"] = 3 - values["answer"]
        found.append(TwinItem.from_line(json.dumps(values)))
    return found


def released(questions: list[TwinItem], *, n: int = 3) -> list[Release]:
    """A filtered release, an unfiltered one, and a filtered one of a larger snapshot."""
    first = snapshot_of(questions[:EARLY], near_duplicate=1, name="Words", **SHARES)
    later = grown(first.campaign, questions)
    campaign = first.campaign
    campaign.__class__.objects.filter(pk=campaign.pk).update(near_duplicate=1)
    Draw.objects.bulk_create(
        Draw(twin=twin, split=split_of(str(twin.public_id)), origin="linked", is_pair=True)
        for twin in campaign.twins.order_by("public_id")
    )
    made: list[Callable[[], Release]] = [
        lambda: kept(first, 1, "one"),
        lambda: whole(first, "two"),
        lambda: kept(later, 2, "three"),
    ]
    return [make() for make in made[:n]]


def kept(snapshot: Snapshot, seed: int, name: str) -> Release:
    rng = random.Random(seed)
    ids = [one.id for one in load_questions(snapshot) if rng.random() < 0.7]
    return of_ids(snapshot, ids, name)


def public(release: Release) -> Files:
    """All that is published: single files, and the members of the zip with all that it says."""
    found = {}
    for file in release.files.filter(restricted=False).select_related("artifact"):
        with store.open_artifact(file.artifact) as opened:
            found[f"{release.name}/{file.name}"] = opened.read()
    with zipfile.ZipFile(io.BytesIO(found.pop(f"{release.name}/{release.name}.zip"))) as archive:
        for place, member in enumerate(archive.infolist()):
            about = (place, member.date_time, member.file_size, member.external_attr, member.extra)
            found[f"{release.name}.zip/{member.filename}"] = archive.read(member)
            found[f"{release.name}.zip/{member.filename} about"] = repr(about).encode()
        found[f"{release.name}.zip comment"] = archive.comment
    return found


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let two worlds draw the same keys and see the same time."""
    facts, numbers = build.release_facts, count()

    def of_a_day(release: Release) -> dict[str, Any]:
        return facts(release) | {"built_at": "2026-01-01T00:00:00+00:00"}

    def with_known_key(key: bytes) -> Publisher:
        return Publisher(next(numbers).to_bytes(32, "big"))

    def again() -> None:
        nonlocal numbers
        numbers = count()

    monkeypatch.setattr(build, "release_facts", of_a_day)
    monkeypatch.setattr(build, "Publisher", with_known_key)
    return again


def world(flipped: set[str], again: Callable[[], None], *, n: int = 3) -> Files:
    """Build *n* releases, and undo everything."""
    again()
    found: Files = {}
    with transaction.atomic():
        for release in released(labelled(flipped), n=n):
            found |= public(release)
        transaction.set_rollback(True)
    return found


def differing(one: Files, other: Files) -> list[str]:
    """The files that differ in more than hashes and ids of rows of the database."""
    assert one.keys() == other.keys()
    return [name for name in one if without_hashes(one[name]) != without_hashes(other[name])]


def without_hashes(content: bytes) -> bytes:
    return ANY_ID.sub(b"id", HASH.sub(b"hash", content))


def two_worlds(again: Callable[[], None], *, n: int = 3) -> tuple[Files, Files]:
    flipped = set(random.Random(3).sample(BLIND, len(BLIND) // 2))
    return world(set(), again, n=n), world(flipped, again, n=n)


def test_three_releases_have_the_same_public_bytes_whatever_the_blind_labels_are(
    steady: Callable[[], None],
) -> None:
    one, other = two_worlds(steady)
    assert len(BLIND) >= 12
    assert differing(one, other) == []
    parquets = [name for name in one if name.endswith(".parquet")]
    assert len(parquets) >= 20
    assert all(one[name] == other[name] for name in parquets)
    # The only hashes that differ: commitments, the snapshot's, and those of files with these.
    changed = {name.rpartition("/")[2] for name in one if one[name] != other[name]}
    told = {"manifest.json", "README.md", "croissant.json", "SHA256SUMS", "commitments.jsonl"}
    assert changed == told


def plant_column(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = files._columns
    monkeypatch.setattr(
        files, "_columns", lambda entry: columns(entry) | {"origin": f"typed{entry.row.answer}"}
    )


def plant_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let only the row order of the Parquet file tell."""
    write = bundling.write_parquet

    def sorted_rows(rows: Any, file: Any, **about: Any) -> int:
        found = list(rows)
        found.sort(key=lambda row: (answers.get(row["qID"], ""), row["qID"]))
        return write(found, file, **about)

    answers: dict[str, str] = {}
    columns = files._columns

    def noted(entry: Any) -> dict[str, str]:
        answers[entry.row.qid] = str(entry.row.answer)
        return columns(entry)

    monkeypatch.setattr(files, "_columns", noted)
    monkeypatch.setattr(bundling, "write_parquet", sorted_rows)


def plant_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    real = files._columns
    monkeypatch.setattr(
        files, "_columns", lambda entry: real(entry) | {"answer": str(entry.row.answer)}
    )


def plant_line(monkeypatch: pytest.MonkeyPatch) -> None:
    real = files.public_line
    monkeypatch.setattr(files, "public_line", lambda row, blind: real(row))


def plant_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Publisher, "_endings", lambda self, questions: {one.id: one.answer for one in questions}
    )


def plant_member(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let only the times of the zip's members tell."""

    def packed(run: Release, stored: list[Any], order: Any) -> Any:
        labels = next(one for one in stored if one.name == layout.labels(layout.BLIND))
        with store.open_artifact(labels.artifact) as file:
            day = 1 + sum(n * int(line) for n, line in enumerate(file)) % 28
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w") as archive:
            archive.writestr(zipfile.ZipInfo("README.md", (1980, 1, day, 0, 0, 0)), b"")
        made = bundling.document(run, f"{run.name}.zip", "")
        made.artifact = store.put_bytes(sink.getvalue())
        return made

    monkeypatch.setattr(bundling, "archive", packed)


def plant_commitment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "commitment", lambda opened: json.loads(opened)["answer"])


PLANTED = {
    "a column of the Parquet file": plant_column,
    "the order of rows of the Parquet file": plant_order,
    "answer in the Parquet file": plant_answer,
    "answer in the JSON line": plant_line,
    "the ending of the id": plant_ids,
    "the time of a member of the zip": plant_member,
    "the commitment": plant_commitment,
}


@pytest.mark.long
@pytest.mark.parametrize("leak", PLANTED)
def test_a_planted_leak_makes_the_bytes_differ(
    leak: str, steady: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    PLANTED[leak](monkeypatch)
    one, other = two_worlds(steady, n=1)
    assert differing(one, other)


@pytest.mark.long
def test_parquet_files_have_no_statistics_nor_dictionaries_of_sentences(
    steady: Callable[[], None],
) -> None:
    found = world(set(), steady, n=1)
    for name, content in found.items():
        if not name.endswith(".parquet"):
            continue
        about = pq.read_metadata(io.BytesIO(content))
        assert about.metadata.keys() == {b"canary"}
        table = pq.read_table(io.BytesIO(content))
        assert tuple(table.column_names) == layout.COLUMNS
        rows = table["qID"].to_pylist()
        assert rows == sorted(rows)
        if name.endswith("/test.parquet"):
            assert set(table["answer"].to_pylist()) == {""}
        for group in range(about.num_row_groups):
            for place in range(about.num_columns):
                chunk = about.row_group(group).column(place)
                assert not chunk.is_stats_set
                assert not chunk.has_offset_index
                assert not chunk.has_column_index
                has_dictionary = chunk.path_in_schema in {"domain", "origin"}
                assert chunk.has_dictionary_page == has_dictionary


@pytest.mark.long
def test_commitments_have_a_salt_of_32_bytes_each(steady: Callable[[], None]) -> None:
    """So no guess of an answer can be confirmed."""
    steady()
    salts, committed = [], set()
    for release in released(labelled(set())):
        opened = release.files.get(name=layout.OPENING).artifact
        with store.open_artifact(opened) as file:
            lines = [json.loads(line) for line in file]
        salts += [line["salt"] for line in lines]
        for line in lines:
            guesses = [line | {"answer": str(answer), "salt": ""} for answer in (1, 2)]
            committed |= {files.commitment(canonical(guess)) for guess in guesses}
        assert not any(hash.encode() in public(release)[f"{release.name}/{layout.COMMITMENTS}"]
                       for hash in committed)  # fmt: skip
    assert len(set(salts)) == len(salts) >= 35
    assert {len(salt) for salt in salts} == {64}
