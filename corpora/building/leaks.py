"""Search a release's files for leaks, together with those of the campaign's earlier releases."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import IO, Any

from corpora.building.files import Drafts
from corpora.core.bundle import layout
from corpora.core.bundle.archive import read_parquet
from corpora.core.leaks.files import PublishedFile
from corpora.core.leaks.report import leak_report
from corpora.core.leaks.results import LeakReport
from corpora.models import Release
from winoplatform.artifacts import store


@dataclass(frozen=True, slots=True)
class Again:
    """What can be read several times."""

    read: Callable[[], Iterator[Any]]

    def __iter__(self) -> Iterator[Any]:
        return self.read()


def leaks_of(drafts: Drafts, *, name: str, previous: Release | None) -> LeakReport:
    """Examine the files that were just written, alone and with all earlier releases."""
    files = [_draft(stem, drafts) for stem in drafts.tallies if drafts.tables[stem].rows]
    return leak_report(files, name=name, earlier=dict(_earlier(previous)))


def leak_facts(report: LeakReport) -> dict[str, Any]:
    """Return the summary for the manifest."""
    return {
        "tests": report.n_tests,
        "alpha": report.alpha,
        "detectable": report.detectable,
        "found": list(report.leak_sentences),
        "texts": report.kinds,
        "text_found": list(report.text_found),
    }


def _draft(stem: str, drafts: Drafts) -> PublishedFile:
    table, labels = drafts.tables[stem], drafts.files[layout.labels(stem)]
    return PublishedFile(
        name=layout.jsonl(stem),
        rows=Again(lambda: map(json.loads, table.lines())),
        answers=Again(lambda: map(int, labels.lines())),
        n_rows=table.rows,
        size=drafts.files[layout.jsonl(stem)].size,
        sha256=drafts.files[layout.jsonl(stem)].sha256,
    )


def _earlier(newest: Release | None) -> Iterator[tuple[str, list[PublishedFile]]]:
    while newest is not None:
        files = {file.name: file for file in newest.files.select_related("artifact")}
        stems = [stem for stem in layout.STEMS if layout.jsonl(stem) in files]
        yield newest.public_name, [*_published_files(stems, files)]
        newest = newest.previous


def _published_files(stems: Iterable[str], files: Mapping[str, Any]) -> Iterator[PublishedFile]:
    for stem in stems:
        lines, labels = files[layout.jsonl(stem)], files[layout.labels(stem)]
        if lines.rows:
            yield PublishedFile(
                name=lines.name,
                rows=Again(partial(_opened, files[layout.parquet(stem)], read_parquet)),
                answers=Again(partial(_opened, labels, partial(map, int))),
                n_rows=lines.rows,
                size=lines.artifact.size,
                sha256=lines.artifact_id,
            )


def _opened(file: Any, read: Callable[[IO[bytes]], Iterator[Any]]) -> Iterator[Any]:
    with store.open_artifact(file.artifact) as opened:
        yield from read(opened)
