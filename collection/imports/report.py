"""Reports of imports: what was imported, was already there, or was rejected and why."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from collection.core.repeats import Repeats


@dataclass(frozen=True, slots=True)
class Reject:
    """One rejected line, with the reason.

    `line` counts from 1. `source_id` identifies the record, if it could be read.
    """

    line: int
    code: str
    message: str
    source_id: str = ""

    def as_dict(self) -> dict[str, str | int]:
        """Return the reject as plain values, ready for JSON."""
        return asdict(self)


OnReject = Callable[[Reject], Any]


def printable(name: str) -> str:
    """Return a file's name as text, with undecodable bytes escaped as ``\\xe9``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


class RejectLog:
    """Counts rejects, keeps the first few and passes each one on, with bounded memory."""

    def __init__(self, on_reject: OnReject | None = None, *, keep: int = 20) -> None:
        self.counts: Counter[str] = Counter()
        self.first: list[Reject] = []
        self._on_reject = on_reject
        self._keep = keep

    def add(self, reject: Reject) -> None:
        self.counts[reject.code] += 1
        if len(self.first) < self._keep:
            self.first.append(reject)
        if self._on_reject is not None:
            self._on_reject(reject)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """The result of one import.

    Attributes
    ----------
    campaign : str
        The slug of the campaign.
    lines : int
        Records read; empty lines do not count.
    imported : int
        New questions, or new articles.
    already_there : int
        Records that were in the campaign, or earlier in the same file.
    rejected : mapping of str to int
        Rejected records, by code; `first_rejects` has the first ones, by line.
    seconds : float
        Wall time.
    """

    campaign: str
    lines: int
    imported: int
    already_there: int
    rejected: Mapping[str, int] = field(default_factory=dict)
    first_rejects: tuple[Reject, ...] = ()
    seconds: float

    @property
    def n_rejected(self) -> int:
        return sum(self.rejected.values())

    @property
    def changed(self) -> bool:
        """Whether anything was imported."""
        return self.imported > 0

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON."""
        return asdict(self)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the table's rows, label and value."""
        yield "lines read", f"{self.lines:,}"
        yield "imported", f"{self.imported:,}"
        yield "already there", f"{self.already_there:,}"
        yield "rejected", f"{self.n_rejected:,}"
        yield from _by_code(self.rejected)
        yield "seconds", f"{self.seconds:.1f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReport(ImportReport):
    """The result of an import of questions; `imported` counts questions.

    Attributes
    ----------
    twins : int
        New twins, including unpaired questions.
    unpaired : int
        New twins whose other question is missing so far.
    joined : int
        Unpaired questions of an earlier import that now have their twin.
    warnings : mapping of str to int
        New or joined twins with a warning, by its code.
    repeats : Repeats
        Among all questions of the campaign, those of the file included.
    """

    twins: int
    unpaired: int
    joined: int
    repeats: Repeats
    warnings: Mapping[str, int] = field(default_factory=dict)

    def rows(self) -> Iterator[tuple[str, str]]:
        yield "lines read", f"{self.lines:,}"
        yield "questions imported", f"{self.imported:,}"
        yield "new twins", f"{self.twins:,}"
        yield "  of them unpaired", f"{self.unpaired:,}"
        yield "unpaired ones joined", f"{self.joined:,}"
        yield "already there", f"{self.already_there:,}"
        yield "rejected", f"{self.n_rejected:,}"
        yield from _by_code(self.rejected)
        if self.warnings:
            yield "twins with warnings:", ""
        yield from _by_code(self.warnings)
        yield "repeated in the campaign", f"{self.repeats.repeated:,}"
        yield "  with another answer", f"{self.repeats.other_answer:,}"
        yield "seconds", f"{self.seconds:.1f}"


def render(report: ImportReport) -> str:
    """Return the report as a table for a terminal, followed by the first rejects."""
    rows = list(report.rows())
    label_width = max(len(label) for label, _ in rows)
    value_width = max(len(value) for _, value in rows)
    text = [f"Campaign {report.campaign}"]
    text += [f"  {label:<{label_width}}  {value:>{value_width}}".rstrip() for label, value in rows]
    text += list(_rejects(report))
    if not report.changed:
        text.append(_nothing_new(report))
    return "\n".join(text)


def _by_code(counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {code}", f"{count:,}"


def _rejects(report: ImportReport) -> Iterator[str]:
    if report.first_rejects:
        yield f"The first {len(report.first_rejects)} of {report.n_rejected:,} rejected lines:"
    for reject in report.first_rejects:
        about = f" ({reject.source_id})" if reject.source_id else ""
        yield f"  line {reject.line}{about}: {reject.code}: {reject.message}"


def _nothing_new(report: ImportReport) -> str:
    if report.already_there:
        return f"Nothing new: {report.already_there:,} of {report.lines:,} were there already."
    return "Nothing was imported." if report.lines else "Nothing was imported: the file is empty."
