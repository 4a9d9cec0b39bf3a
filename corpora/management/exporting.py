"""What the commands that write a release of any kind have in common."""

from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import CommandError, CommandParser

from corpora.exports import write_metadata, write_release
from corpora.models import PublishedRun


def add_base_url(parser: CommandParser) -> None:
    """Add the option ``--base-url``."""
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="address of the folder where the files will be; also writes TARGET.croissant.json, "
        "the description with the address of each file, beside the target",
    )


def exported(release: PublishedRun, target: Path, base_url: str | None) -> Iterator[Path]:
    """Write a release, with its description if an address is given, and yield the paths.

    Raises
    ------
    CommandError
        When *base_url* is no address; nothing is written.
    """
    if base_url:
        try:
            described = write_metadata(release=release, target=target, base_url=base_url)
        except ValueError as error:
            raise CommandError(str(error)) from error
    yield from write_release(release=release, target=target)
    if base_url:
        yield described
