"""The rows of a release in the order of their ids, each with the files that contain it."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from collection.core.people import Account
from corpora.building.naming import Names
from corpora.building.plan import Plan, PlannedGroup
from corpora.building.provenance import Source, sources
from corpora.core.bundle.layout import DEBIASED, DEV, FULL, TEST
from corpora.core.publish import PublishedRow, Publisher, size_limits
from corpora.core.sorting import sorted_lines
from corpora.models import Draw

UNKNOWN = Source()
LINE = 65  # bytes of a place as hexadecimal digits, with its newline


@dataclass(frozen=True, slots=True)
class Entry:
    """A published row, its split, and the names of the data files that contain it.

    ``pairs`` has those of the files that contain its twin too.
    """

    row: PublishedRow
    split: str
    files: tuple[str, ...]
    pairs: frozenset[str]
    source: Source


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of a release, which may be read several times.

    Parameters
    ----------
    is_filtered : bool
        Whether there is a debiased training set.
    limits : dict of str to bytes
        The last place of a pair in each training size.
    at : datetime
        The time whose votes and verdicts are published: that of the snapshot.
    chosen : (str, str)
        What the campaign states of its people.
    """

    plan: Plan
    publisher: Publisher
    names: Names
    is_filtered: bool
    limits: dict[str, bytes]
    at: datetime
    chosen: Account

    def __iter__(self) -> Iterator[Entry]:
        for batch in self.plan.batches():
            ids = [question.item.id for group in batch for question in group.questions]
            origins_of = sources(ids, at=self.at, chosen=self.chosen)
            for group in batch:
                yield from self._entries(group, origins_of)

    def file_names(self) -> list[str]:
        """Return the names of the data files, without ending; a size below one pair has none."""
        return [*self.limits, FULL, *([DEBIASED] if self.is_filtered else []), DEV, TEST]

    def _entries(self, group: PlannedGroup, origins_of: dict[str, Source]) -> Iterator[Entry]:
        rows = self.publisher.rows([question.item for question in group.questions])
        is_kept = {question.item.id: question.is_kept for question in group.questions}
        files = {row.source_id: self._files(group, is_kept[row.source_id]) for row in rows}
        shared = frozenset.intersection(*map(frozenset, files.values()))
        for row in rows:
            yield Entry(
                row=row,
                split=group.split,
                files=files[row.source_id],
                pairs=shared if len(rows) == 2 else frozenset(),
                source=origins_of.get(row.source_id, UNKNOWN),
            )

    def _files(self, group: PlannedGroup, is_kept: bool) -> tuple[str, ...]:
        if group.split != Draw.Split.TRAIN:
            return (group.split,)
        names = [FULL]
        if self.is_filtered and is_kept:
            names.append(DEBIASED)
        if len(group.questions) == 2:
            place = self.publisher.place(group.questions[0].item.group)
            names += [stem for stem, last in self.limits.items() if place <= last]
        return tuple(names)


def rows_of(
    plan: Plan,
    publisher: Publisher,
    *,
    names: Names,
    is_filtered: bool,
    at: datetime,
    chosen: Account,
) -> Rows:
    """Determine the training sizes, so that the rows can be read."""
    places = (
        publisher.place(group.questions[0].item.group).hex().encode() + b"\n"
        for batch in plan.batches()
        for group in batch
        if group.split == Draw.Split.TRAIN and len(group.questions) == 2
    )
    with tempfile.TemporaryFile() as file:
        file.writelines(sorted_lines(places))
        n_pairs = file.tell() // LINE
        file.seek(0)
        ordered = (bytes.fromhex(line.decode()) for line in file)
        limits = size_limits(ordered, n_pairs=n_pairs)
    return Rows(plan, publisher, names, is_filtered, limits, at, chosen)
