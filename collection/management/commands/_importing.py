"""Shared by the import commands: arguments, and the file of rejects."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

from django.core.management.base import CommandError, CommandParser

from collection.imports.report import OnReject, Reject
from winoplatform.processes import private


def add_file_arguments(parser: CommandParser) -> None:
    """Declare ``PATH`` and ``--rejects``."""
    parser.add_argument(
        "path", type=Path, help="File or folder to read; a file may be compressed with gzip."
    )
    parser.add_argument(
        "--rejects",
        type=Path,
        metavar="FILE",
        help="Write every rejected line's number, code and reason to this file, as JSON lines.",
    )


@contextmanager
def rejects_to(target: Path | None, *, source: Path) -> Iterator[OnReject | None]:
    """Yield a function that writes each reject to *target*; None without one.

    Raises
    ------
    CommandError
        If *target* is the file to be read, or either file cannot be opened.
    """
    try:
        _refuse_the_source(target, source)
        opened: Any = private.create(target, "w", encoding="utf-8") if target else nullcontext()
        with opened as lines:
            yield _writer(lines) if target else None
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandError(f"“{error.filename or source}” cannot be used: {reason}.") from error


def _refuse_the_source(target: Path | None, source: Path) -> None:
    if not source.is_dir():
        with source.open("rb"):  # fails before anything is written
            pass
    if target and target.exists() and target.samefile(source):
        raise CommandError("--rejects names the file to be imported; it would be overwritten.")


def _writer(lines: IO[str]) -> OnReject:
    def write(reject: Reject) -> None:
        lines.write(json.dumps(reject.as_dict(), ensure_ascii=False) + "\n")

    return write
