"""Splits of releases as JSON lines and CSV: made once from the stored Parquet file, then kept."""

import json
import tempfile
from collections.abc import Iterator
from typing import IO

from django.utils.translation import gettext as _

from corpora.core.bundle import layout
from corpora.core.bundle.archive import read_parquet
from corpora.models import Release, ReleaseFile, SplitForm
from tabular.writing import csv_lines
from winoplatform.artifacts import store
from winoplatform.db import locks
from winoplatform.db.copying import in_blocks
from winoplatform.errors import DomainError
from winoplatform.models import Artifact

WAIT_SECONDS = 20.0
"""How long a request waits for another one that makes the same file."""


def split_as(file: ReleaseFile, form: str) -> Artifact:
    """Return a split's Parquet file in another form; the first request for it makes it.

    Raises
    ------
    DomainError
        When another process has been making it for 20 seconds.
    """
    artifact = locks.once(
        f"split form {file.pk} {form}",
        found=lambda: _stored_form(file, form),
        make=lambda: _convert(file, form),
        seconds=WAIT_SECONDS,
    )
    if artifact is None:
        message = _("This file is being made from the stored one. Please try again in a moment.")
        raise DomainError("being_made", message, status=503, details={"retry_after": 10})
    return artifact


def make_forms(release: Release) -> None:
    """Make every form of every split, so that no request has to."""
    for stem in layout.STEMS:
        for file in release.files.filter(name=layout.parquet(stem), restricted=False):
            for form in SplitForm.FORMS:
                split_as(file, form)


def _stored_form(file: ReleaseFile, form: str) -> Artifact | None:
    row = SplitForm.objects.filter(file=file, form=form).select_related("artifact").first()
    return row.artifact if row else None


def _convert(file: ReleaseFile, form: str) -> Artifact:
    with store.open_artifact(file.artifact) as table, tempfile.TemporaryFile() as text:
        for block in in_blocks(_lines(table, form)):
            text.write(block)
        artifact = store.put_file(text)
    SplitForm.objects.create(file=file, form=form, artifact=artifact)
    return artifact


def _lines(table: IO[bytes], form: str) -> Iterator[bytes]:
    rows = read_parquet(table)
    if form == SplitForm.JSONL:
        return (json.dumps(row).encode() + b"\n" for row in rows)
    cells = ([*row.values()] for row in rows)
    return (line.encode() for line in csv_lines(layout.COLUMNS, cells, end="\n"))
