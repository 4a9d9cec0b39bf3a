"""The manifest of a knowledge release: what it is, and the hash of each file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from corpora.core.bundle import codec
from corpora.core.bundle.facts import FileFacts, Kind
from knowledge.core.bundle import layout
from knowledge.core.bundle.records import About


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a release is, and its files but ``README.md``, ``SHA256SUMS`` and the manifest.

    Raises
    ------
    ValueError
        When a name is repeated.
    """

    about: About
    files: tuple[FileFacts, ...]

    def __post_init__(self) -> None:
        for name, count in Counter(file.name for file in self.files).items():
            if count > 1:
                raise ValueError(f"files must differ in name, got {name!r}")

    def to_json(self) -> str:
        """Return the bytes of ``manifest.json`` as a text; equal manifests give equal texts."""
        return codec.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Read `to_json`; ValueError names the field and the rule."""
        return codec.from_json(cls, text)


def kind_of(name: str) -> Kind:
    """Return what kind of file the manifest calls a file."""
    if name == layout.STATISTICS:
        return "report"
    return "provenance" if name in layout.RECORDS else "split"
