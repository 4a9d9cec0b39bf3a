"""A snapshot's questions by twin, in the order of a release, on disk."""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from typing import IO

from corpora.core.items import TwinItem
from corpora.core.publish import Publisher
from corpora.core.sorting import sorted_lines
from corpora.models import ReleasePlan
from winoplatform.artifacts import store
from winoplatform.models import Artifact

BATCH = 1000
"""Twins that are looked up in the database at once."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question of the snapshot, and whether the selection keeps it."""

    item: TwinItem
    is_kept: bool


Group = list[Candidate]


class Groups:
    """The questions of each twin, in the order of the release's ids; read as often as needed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __iter__(self) -> Iterator[Group]:
        self._file.seek(0)
        for _, lines in groupby(self._file, key=lambda line: line.split(b"\t", 1)[0]):
            yield [_candidate(line) for line in lines]

    def batches(self) -> Iterator[list[Group]]:
        groups = iter(self)
        while batch := list(islice(groups, BATCH)):
            yield batch


@contextmanager
def arranged(plan: ReleasePlan, publisher: Publisher) -> Iterator[Groups]:
    """Sort the snapshot's questions by twin; the file lives as long as the block."""
    with tempfile.TemporaryFile() as file:
        file.writelines(sorted_lines(_lines(plan, publisher)))
        yield Groups(file)


def _lines(plan: ReleasePlan, publisher: Publisher) -> Iterator[bytes]:
    assert plan.snapshot.questions is not None
    with store.open_artifact(plan.snapshot.questions) as file:
        for line, is_kept in _with_kept(sorted_lines(file, key=_id_of), plan):
            base = publisher.base(TwinItem.from_line(line.decode()).group)
            yield f"{base}\t{int(is_kept)}\t".encode() + line


def _with_kept(lines: Iterable[bytes], plan: ReleasePlan) -> Iterator[tuple[bytes, bool]]:
    """Join the lines with the selection's ids, both in order."""
    if plan.selection is None:
        yield from ((line, True) for line in lines)
        return
    ids = _id_lines(plan.selection.kept)
    nearest = next(ids, None)
    for line in lines:
        id = _id_of(line)
        while nearest is not None and nearest < id:
            nearest = next(ids, None)
        yield line, nearest == id


def _id_lines(ids: Artifact | None) -> Iterator[bytes]:
    assert ids is not None
    with store.open_artifact(ids) as file:
        for line in sorted_lines(file):
            yield line.rstrip(b"\n")


def _id_of(line: bytes) -> bytes:
    return TwinItem.from_line(line.decode()).id.encode()


def _candidate(line: bytes) -> Candidate:
    _, kept, item = line.split(b"\t", 2)
    return Candidate(TwinItem.from_line(item.decode()), kept == b"1")
