"""Make all files of a release from its frozen records."""

import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from corpora.building import bundling
from corpora.building.files import Draft
from corpora.core.bundle import codec
from corpora.core.bundle.canary import parquet_metadata
from corpora.core.bundle.facts import FileFacts
from corpora.core.bundle.layout import CROISSANT, INDEX, MANIFEST, README
from corpora.core.bundle.reading import Bundle as Archive
from corpora.core.bundle.reading import Packed
from corpora.models import PublishedFile
from knowledge.core.bundle import layout
from knowledge.core.bundle.card import card
from knowledge.core.bundle.croissant import croissant
from knowledge.core.bundle.figures import Alike, as_text, statistics
from knowledge.core.bundle.files import Writer, read_bundle
from knowledge.core.bundle.manifest import Manifest, kind_of
from knowledge.core.bundle.records import About, Bundle, problems_of
from knowledge.core.released import ReleasedProblem, write_problems
from knowledge.models import KnowledgeRelease
from winoplatform.artifacts import store

EVERY = 5000
"""Problems between two reports of progress."""
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """The files of a release, which are in the store, but whose rows are not stored yet.

    ``content_hash`` is that of the public files' names and hashes.
    """

    bundle: Bundle
    files: list[PublishedFile]
    content_hash: str

    def file(self, name: str) -> PublishedFile:
        return next(file for file in self.files if file.name == name)


def made_of(run: KnowledgeRelease, *, progress: Progress) -> ReleaseFiles:
    """Make the files of a release from its frozen records, and nothing else."""
    assert run.frozen is not None
    alike = Alike()
    with store.open_artifact(run.frozen) as file, zipfile.ZipFile(file) as packed:
        archive = Archive(Packed(packed, f"{run.name}/"))
        about = codec.from_json(About, archive.content(MANIFEST).decode())
        bundle = read_bundle(about, archive)
        files = [*_records(run, archive)]
    files += _problems(run, bundle, alike, progress)
    files += _documents(run, bundle, files, alike)
    return ReleaseFiles(bundle, *bundling.bundled(run, files, order=layout.ORDER))


def _records(run: KnowledgeRelease, archive: Archive) -> Iterator[PublishedFile]:
    """Store the records as they were frozen; a release made elsewhere has no index."""
    present = archive.names()
    for name in (name for name in (*layout.RECORDS, INDEX) if name in present):
        with archive.files.open(name) as frozen, tempfile.TemporaryFile() as file:
            draft = Draft(file)
            for line in frozen:
                draft.add(line)
            is_index = name == INDEX
            yield bundling.store_file(run, name, file, rows=draft.rows, restricted=is_index)


def _problems(
    run: KnowledgeRelease, bundle: Bundle, alike: Alike, progress: Progress
) -> Iterator[PublishedFile]:
    """Store the problems in all layouts, in one pass."""
    writer = Writer.of(bundle)
    with ExitStack() as stack:
        drafts = {}
        for name, head in writer.heads.items():
            drafts[name] = Draft(stack.enter_context(tempfile.TemporaryFile()))
            drafts[name].file.write(head)
        table = stack.enter_context(tempfile.TemporaryFile())
        problems = _with_progress(problems_of(bundle), progress)
        canary = bundle.about.canary
        about = parquet_metadata(canary) if canary else {}
        rows = write_problems(_written(problems, writer, drafts, alike), table, about=about)
        for name, draft in drafts.items():
            yield bundling.store_file(run, name, draft.file, rows=draft.rows)
        yield bundling.store_file(run, layout.PROBLEMS, table, rows=rows)


def _with_progress(
    problems: Iterable[ReleasedProblem], progress: Progress
) -> Iterator[ReleasedProblem]:
    for number, problem in enumerate(problems, 1):
        if number % EVERY == 0:
            progress(number)
        yield problem


def _written(
    problems: Iterable[ReleasedProblem], writer: Writer, drafts: dict[str, Draft], alike: Alike
) -> Iterator[ReleasedProblem]:
    """Yield the problems, after writing the lines of each."""
    for problem in problems:
        for name, line in writer.lines(problem):
            drafts[name].add(line)
        alike.add(problem, is_valid=problem.pair in (writer.valid or ()))
        yield problem


def _documents(
    run: KnowledgeRelease, bundle: Bundle, files: Iterable[PublishedFile], alike: Alike
) -> list[PublishedFile]:
    """Store the figures, the manifest and the data card."""
    summary = statistics(bundle, alike)
    figures = bundling.document(run, layout.STATISTICS, as_text(summary))
    public = [file for file in (*files, figures) if not file.restricted]
    rows = (bundling.about_file(file, kind=kind_of(file.name)) for file in public)
    facts = tuple(FileFacts(**row) for row in rows)
    manifest = Manifest(about=bundle.about, files=facts)
    metadata = croissant(bundle.about, summary, facts)
    return [
        figures,
        bundling.document(run, MANIFEST, codec.to_json(manifest)),
        bundling.document(run, CROISSANT, metadata),
        bundling.document(run, README, card(bundle.about, summary)),
    ]
