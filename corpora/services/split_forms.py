"""Splits of releases as JSON lines and CSV: made once from the stored Parquet file, then kept."""

import csv
import json
import tempfile
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain
from typing import IO, Any

from django.utils.translation import gettext as _

from corpora.core.bundle import layout
from corpora.core.bundle.parquet import read_parquet
from corpora.models import Release, ReleaseFile, SplitForm
from winoplatform import locks
from winoplatform.artifacts import store
from winoplatform.copying import in_blocks
from winoplatform.errors import DomainError
from winoplatform.models import Artifact
from winoplatform.spreadsheets import safe_cell

WAIT_SECONDS = 20.0
"""How long a request waits for another one that makes the same file."""


def split_as(file: ReleaseFile, form: str) -> Artifact:
    """Return a split's Parquet file in another form; the first request for it makes it.

    Raises
    ------
    DomainError
        When another process has been making it for 20 seconds.
    """
    made = locks.once(
        f"split form {file.pk} {form}",
        found=lambda: _stored(file, form),
        make=lambda: _made(file, form),
        seconds=WAIT_SECONDS,
    )
    if made is None:
        said = _("This file is being made from the stored one. Please try again in a moment.")
        raise DomainError("being_made", said, status=503, details={"retry_after": 10})
    return made


def make_forms(release: Release) -> None:
    """Make every form of every split, so that no request has to."""
    for stem in layout.STEMS:
        for file in release.files.filter(name=layout.parquet(stem), restricted=False):
            for form in SplitForm.FORMS:
                split_as(file, form)


def _stored(file: ReleaseFile, form: str) -> Artifact | None:
    row = SplitForm.objects.filter(file=file, form=form).select_related("artifact").first()
    return row.artifact if row else None


def _made(file: ReleaseFile, form: str) -> Artifact:
    with store.open_artifact(file.artifact) as table, tempfile.TemporaryFile() as made:
        for block in in_blocks(_lines(table, form)):
            made.write(block)
        artifact = store.put_file(made)
    SplitForm.objects.create(file=file, form=form, artifact=artifact)
    return artifact


def _lines(table: IO[bytes], form: str) -> Iterator[bytes]:
    rows = read_parquet(table)
    if form == SplitForm.JSONL:
        return (json.dumps(row).encode() + b"\n" for row in rows)
    cells = ([safe_cell(value) for value in row.values()] for row in rows)
    return map(_csv_line, chain([layout.COLUMNS], cells))


def _csv_line(cells: Iterable[Any]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode()
