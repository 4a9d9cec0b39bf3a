"""Which questions are in which snapshot, filter run or release, as bits that the database reads.

Runs and releases hold their questions in files. A process reads each file once, as they never
change, and keeps one bit for each key from the first to the last question's.
"""

import json
import logging
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection
from django.db.models import F, Func, IntegerField

from corpora.core.bundle.layout import INDEX
from corpora.models import Release, ReleaseFile, Selection, Snapshot
from corpora.selectors import kept_ids
from winoplatform.artifacts import store
from winoplatform.models import Artifact
from winoplatform.runs.models import RunStatus

log = logging.getLogger(__name__)
MOST_KNOWN = 256


@dataclass(frozen=True, slots=True)
class Members:
    """Some questions: bit ``key - first`` of ``bits`` is 1 for each, the lowest bit first."""

    first: int
    bits: bytes

    @classmethod
    def of(cls, keys: Collection[int]) -> "Members":
        """Return the members with these primary keys."""
        if not keys:
            return cls(0, b"\0")
        array = np.fromiter(keys, dtype=np.int64)
        first = int(array.min())
        flags = np.zeros(int(array.max()) - first + 1, dtype=np.uint8)
        flags[array - first] = 1
        return cls(first, np.packbits(flags, bitorder="little").tobytes())

    @property
    def last(self) -> int:
        return self.first + 8 * len(self.bits) - 1

    def has(self, key: int) -> bool:
        place = key - self.first
        return self.first <= key <= self.last and bool(self.bits[place >> 3] >> (place & 7) & 1)


class Bit(Func):
    """1 for rows whose question is one of *members*, else 0."""

    output_field = IntegerField()
    template = (
        "(CASE WHEN %(expressions)s BETWEEN %(first)s AND %(last)s "
        r"THEN get_bit('\x%(hex)s'::bytea, %(expressions)s - %(first)s) ELSE 0 END)"
    )

    def __init__(self, members: Members, key: str = "question_id") -> None:
        super().__init__(F(key), first=members.first, last=members.last, hex=members.bits.hex())


Source = Snapshot | Selection | Release
NONE = Members.of(())
_known: dict[tuple[str, uuid.UUID], Members] = {}
_KEYS = "SELECT public_id, id FROM collection_question WHERE public_id = ANY(%s)"


def members_of(sources: Sequence[Source]) -> list[Members]:
    """Return the questions of snapshots, those that runs keep, and those that are released.

    None of a source that is not done, or while its files cannot be read: lists work without them.
    What this process has not read yet takes two queries, however many sources there are.
    """
    missing = [
        each for each in sources if each.status == RunStatus.DONE and _key(each) not in _known
    ]
    if missing:
        if len(_known) > MOST_KNOWN:
            _known.clear()
        _known.update(_members_of(missing))
    return [_known.get(_key(each), NONE) for each in sources]


def _key(source: Source) -> tuple[str, uuid.UUID]:
    return type(source).__name__, source.public_id


def _members_of(sources: Sequence[Source]) -> dict[tuple[str, uuid.UUID], Members]:
    releases = [source for source in sources if isinstance(source, Release)]
    indexes = ReleaseFile.objects.filter(release__in=releases, name=INDEX)
    files = {file.release_id: file.artifact for file in indexes.select_related("artifact")}
    ids = {_key(each): path for each in sources if (path := _readable(each, files)) is not None}
    with connection.cursor() as cursor:
        cursor.execute(_KEYS, [sorted(set().union(*ids.values()))])
        keys = dict(cursor.fetchall())
    return {
        source: Members.of([keys[id] for id in ids_of_source if id in keys])
        for source, ids_of_source in ids.items()
    }


def _readable(source: Source, files: Mapping[int, Artifact]) -> set[str] | None:
    try:
        return _ids(source, files)
    except (OSError, EOFError, ValueError, KeyError) as error:
        log.warning("%s %s cannot be read: %s", source.noun, source.public_id, error)
        return None


def _ids(source: Source, files: Mapping[int, Artifact]) -> set[str]:
    if isinstance(source, Selection):
        return kept_ids(source)
    if isinstance(source, Snapshot):
        artifact, name = source.questions, "id"
    else:
        artifact, name = files[source.pk], "question"
    with store.open_artifact(artifact) as file:
        return {json.loads(line)[name] for line in file}
