"""Write the data files of a release, all in one pass over its rows."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from os import SEEK_END
from typing import IO, Any

from collection.core.people import Account
from corpora.building.naming import Names
from corpora.building.provenance import (
    about_question,
    about_votes,
    opening,
    validating_of,
    writing_of,
)
from corpora.building.rows import Entry, Rows
from corpora.core.bundle.layout import (
    BLIND,
    COMMITMENTS,
    INDEX,
    LEAKS,
    OPENING,
    QUESTIONS,
    RATES,
    TIMES,
    VOTES,
    jsonl,
    labels,
)
from corpora.core.provenance import PeopleTally, Piece, ProvenanceTally
from corpora.core.publish import canonical, columns, commitment, content_hash, public_line
from corpora.core.sorting import sorted_lines
from corpora.core.tally import Tally

READ_BYTES = 1 << 18


@dataclass(slots=True)
class Draft:
    """A file that is being written; ``rows`` counts its lines."""

    file: IO[bytes]
    rows: int = 0

    def add(self, line: bytes) -> None:
        self.file.write(line)
        self.rows += 1

    def lines(self) -> Iterator[bytes]:
        """Read the file from its beginning, which several readers may do at once."""
        self.file.flush()
        place = 0
        while True:
            self.file.seek(place)
            lines = self.file.readlines(READ_BYTES)
            if not lines:
                return
            place = self.file.tell()
            yield from lines

    @property
    def size(self) -> int:
        """Bytes."""
        return self.file.seek(0, SEEK_END)

    @property
    def sha256(self) -> str:
        digest = hashlib.sha256()
        for line in self.lines():
            digest.update(line)
        return digest.hexdigest()

    def add_json(self, values: Mapping[str, Any]) -> None:
        self.add(json.dumps(values).encode() + b"\n")


@dataclass(slots=True)
class Drafts:
    """The data files of a release by name, and by training size and split: figures and columns.

    ``tables`` has the lines of the Parquet files, with all columns; ``provenance`` counts the lines
    about questions that are not blind, and ``people`` who did this work; ``writers`` and
    ``validators`` have the origins of the people who worked on all questions.
    """

    files: dict[str, Draft] = field(default_factory=dict)
    tables: dict[str, Draft] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)
    provenance: ProvenanceTally = field(default_factory=ProvenanceTally)
    people: PeopleTally = field(default_factory=PeopleTally)
    writers: set[Account] = field(default_factory=set)
    validators: set[Account] = field(default_factory=set)

    def collection(self, *, currency: str, erased: int) -> dict[str, Any]:
        """Return the facts that `bundle.facts.Collection` has."""
        facts = self.provenance.collection(
            currency=currency, people=self.people.counts(), rates=self.people.rates()
        )
        return facts | {"erased": erased}


@contextmanager
def written(rows: Rows, *, progress: Callable[[int], None]) -> Iterator[Drafts]:
    """Write every data file; they live as long as the block."""
    with ExitStack() as stack:
        drafts = Drafts()
        for name in _names(rows.file_names()):
            drafts.files[name] = Draft(stack.enter_context(tempfile.TemporaryFile()))
        for name in rows.file_names():
            drafts.tables[name] = Draft(stack.enter_context(tempfile.TemporaryFile()))
            drafts.tallies[name] = Tally()
        times = Draft(stack.enter_context(tempfile.TemporaryFile()))
        twin = ""
        for number, entry in enumerate(rows, 1):
            _write(entry, drafts, rows.names)
            before, twin = twin, entry.row.qid.rpartition("-")[0]
            if entry.split != BLIND:
                _add_work(entry, drafts.people, times, is_first=twin != before)
            if number % 5000 == 0:
                progress(number)
        # In the order of their values, which tells nothing of whose they are.
        for line in sorted_lines(times.lines()):
            drafts.files[TIMES].add(line)
        for rate in drafts.people.rates():
            drafts.files[RATES].add_json(rate)
        yield drafts


def kind_of(name: str) -> str:
    """Return what kind of file the manifest calls a data file."""
    if name == LEAKS:
        return "report"
    if name.startswith("data/"):
        return "split"
    if name.startswith("provenance/"):
        return "provenance"
    return "labels" if name.endswith(".lst") else "split"


def _names(data: list[str]) -> list[str]:
    tables = [name for stem in data for name in (jsonl(stem), labels(stem))]
    return [*tables, QUESTIONS, VOTES, TIMES, RATES, COMMITMENTS, INDEX, OPENING]


def _write(entry: Entry, drafts: Drafts, names: Names) -> None:
    row, files = entry.row, drafts.files
    line, label = public_line(row, blind=entry.split == BLIND), f"{row.answer}\n".encode()
    shown = _columns(entry)
    for name in entry.files:
        files[jsonl(name)].add(line)
        files[labels(name)].add(label)
        drafts.tables[name].add_json(shown)
    files[INDEX].add_json(_index(entry))
    if entry.split == BLIND:
        opened = canonical(opening(row, entry.source, names))
        files[OPENING].add(opened + b"\n")
        files[COMMITMENTS].add_json({"qID": row.qid, "sha256": commitment(opened)})
    else:
        about = about_question(row, entry.source, names)
        votes = about_votes(row, entry.source, names)
        files[QUESTIONS].add_json(about)
        for vote in votes:
            files[VOTES].add_json(vote)
        drafts.provenance.add(about, votes)
    _count(entry, drafts.tallies)
    drafts.writers.add(entry.source.writer)
    drafts.validators.update(vote["person"] for vote in entry.source.votes)


def _add_work(entry: Entry, people: PeopleTally, times: Draft, *, is_first: bool) -> None:
    """Add the work on a question, and on the twin if it is its first one."""
    # A twin was written, and paid, as a whole.
    written = writing_of(entry.source) if is_first else None
    pieces: list[Piece] = [*([written] if written else []), *validating_of(entry.source)]
    for piece in pieces:
        people.add(piece)
        if piece.line is not None:
            times.add_json(piece.line)


def _count(entry: Entry, tallies: dict[str, Tally]) -> None:
    for name in entry.files:
        origin = entry.source.origin.value
        tallies[name].add(entry.row, is_paired=name in entry.pairs, origin=origin)


def _columns(entry: Entry) -> dict[str, str]:
    more = {"domain": entry.row.domain, "origin": entry.source.origin.value}
    return columns(entry.row, blind=entry.split == BLIND) | more


def _index(entry: Entry) -> dict[str, Any]:
    return {
        "qID": entry.row.qid,
        "split": entry.split,
        "files": list(entry.files),
        "question": entry.row.source_id,
        "sha256": content_hash(entry.row),
        "swapped": entry.row.swapped,
        "answer": entry.row.answer,
    }
