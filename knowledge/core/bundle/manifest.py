"""The manifest of a knowledge release: what it is, and the hash of each file."""

from dataclasses import dataclass

from corpora.core.bundle import checks
from corpora.core.bundle.facts import FileFacts, Kind
from knowledge.core.bundle import layout
from knowledge.core.bundle.records import About


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a release is, and its files, without the documents that are made from these facts.

    Those are ``README.md``, ``croissant.json``, ``SHA256SUMS`` and the manifest itself.

    Raises
    ------
    ValueError
        When a name is repeated.
    """

    about: About
    files: tuple[FileFacts, ...]

    def __post_init__(self) -> None:
        checks.differ_in_name("files", (file.name for file in self.files))


def kind_of(name: str) -> Kind:
    """Return what kind of file the manifest calls a file."""
    if name == layout.STATISTICS:
        return "report"
    return "provenance" if name in layout.RECORDS else "split"
