"""Copies in tests: sent to their end, read and compared."""

import hashlib
import json

from corpora.models import Release
from publishing import services
from publishing.models import Publication
from tests.factories import ArtifactFactory, ReleaseFactory, ReleaseFileFactory
from tests.filtering.stages import carried

NAME = "our-group/twins"
TO = f"hub:{NAME}"


def sent(release: Release, to: str = TO) -> Publication:
    return carried(services.publish_release(release=release, to=to, by=None))  # type: ignore[no-any-return]


def public_files(release: Release) -> dict[str, str]:
    """SHA-256 of the public files by name, without the archive."""
    rows = release.files.filter(restricted=False).exclude(name__endswith=".zip")
    return dict(rows.values_list("name", "artifact"))


def sums(files: dict[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def later_release(small: Release) -> Release:
    """The campaign's next release, with other files."""
    release: Release = ReleaseFactory(
        finished=True,
        is_public=True,
        version="2.0.0",
        name="later",
        authors=["Ada Group"],
        snapshot=small.snapshot,
        selection=None,
    )
    for file in small.files.exclude(name__contains="parquet").exclude(name__endswith="zip"):
        ReleaseFileFactory(
            release=release, name=file.name, artifact=file.artifact, restricted=file.restricted
        )
    ReleaseFileFactory(release=release, name="data/test.parquet")
    ReleaseFileFactory(release=release, name="later.zip")
    return release


CARD = b"""---
configs:
- config_name: default
  data_files: []
---
# Twins
"""
MANIFEST = {
    "title": "Twins",
    "authors": ["Ada Group"],
    "licence": "CC-BY-4.0",
    "version": "1.0.0",
    "built_at": "2026-11-01T12:00:00+00:00",
}


def small_release() -> Release:
    """A release with few files, which is not built."""
    release: Release = ReleaseFactory(
        finished=True, is_public=True, version="1.0.0", authors=["Ada Group"], name="small"
    )
    files = {
        "README.md": CARD,
        "CITATION.cff": b"cff-version: 1.2.0\nmessage: Cite it.\ntitle: Twins\n",
        "manifest.json": json.dumps(MANIFEST).encode(),
        "data/dev.parquet": b"PAR1\0\0PAR1",
        "small.zip": b"PK\0\0",
    }
    for name, content in files.items():
        artifact = ArtifactFactory(content=content)
        ReleaseFileFactory(release=release, name=name, artifact=artifact)
    blind = ArtifactFactory(content=b"1\n2\n")
    ReleaseFileFactory(release=release, name="test-labels.lst", artifact=blind, restricted=True)
    return release
