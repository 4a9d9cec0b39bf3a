"""Store a release's files: data, tables and documents, and all public ones in one archive."""

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import IO, Any

from collection.core.people import People, title_of
from corpora.building.files import Draft, Drafts
from corpora.core.bundle import layout
from corpora.core.bundle.archive import write_archive, write_parquet
from corpora.core.bundle.canary import parquet_metadata
from corpora.models import PublishedFile, PublishedRun, Release
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt


def note_people(attempt: Attempt[Any], people: People, *, of: str) -> None:
    """Note who worked on a release; if they are simulated, its title says "demonstration".

    *of* is the title of a release that was given none.
    """
    title = attempt.run.title
    if people.is_simulated:
        title = title_of(title or of, people)
    attempt.note(people=asdict(people), title=title)


def stored_data(run: Release, drafts: Drafts, *, canary: str) -> Iterator[PublishedFile]:
    """Store the data files that were written line by line, and the Parquet files.

    These have the canary string in their key–value metadata.
    """
    for name, draft in drafts.files.items():
        yield store_file(
            run, name, draft.file, rows=draft.rows, restricted=name in layout.RESTRICTED
        )
    for stem, table in drafts.tables.items():
        yield _parquet(run, layout.parquet(stem), table, parquet_metadata(canary))


def _parquet(run: Release, name: str, table: Draft, about: dict[str, str]) -> PublishedFile:
    with tempfile.TemporaryFile() as file:
        rows = write_parquet(map(json.loads, table.lines()), file, about=about)
        return store_file(run, name, file, rows=rows)


def store_file(run: PublishedRun, name: str, file: IO[bytes], **fields: Any) -> PublishedFile:
    """Store a file; the row that names it is not stored yet."""
    return _row(run, name=name, artifact=store.put_file(file), **fields)


def document(run: PublishedRun, name: str, text: str) -> PublishedFile:
    """Store a text."""
    return _row(run, name=name, artifact=store.put_bytes(text.encode()))


def _row(run: Any, **fields: Any) -> PublishedFile:
    row: PublishedFile = run.files.model(release=run, **fields)
    return row


def about_file(file: PublishedFile, *, kind: str) -> dict[str, Any]:
    """Return what a manifest says of a file."""
    return {
        "name": file.name,
        "rows": file.rows,
        "sha256": file.artifact_id,
        "size": file.artifact.size,
        "kind": kind,
    }


def bundled(
    run: PublishedRun, files: Iterable[PublishedFile], *, order: Sequence[str] = layout.ORDER
) -> tuple[list[PublishedFile], str]:
    """Store the hashes of the public files, and all of these as one archive.

    Return all files, and the hash of the hashes, which names the content.
    """
    files = list(files)
    public = sorted((file for file in files if not file.restricted), key=lambda one: one.name)
    sums = "".join(f"{file.artifact_id}  {file.name}\n" for file in public)
    files.append(document(run, layout.SUMS, sums))
    files.append(archive(run, files, order))
    return files, hashlib.sha256(sums.encode()).hexdigest()


def archive(
    run: PublishedRun, files: Iterable[PublishedFile], order: Sequence[str]
) -> PublishedFile:
    """Store the public files as one zip file; each is read from the store in turn."""
    by_name = {file.name: file for file in files if not file.restricted}
    names = layout.in_order(by_name, order)
    with tempfile.TemporaryFile() as packed:
        opened = ((name, store.open_artifact(by_name[name].artifact)) for name in names)
        write_archive(opened, packed, folder=run.name)
        return store_file(run, f"{run.name}.zip", packed)
