"""Copies in tests: sent to their end, read and compared."""

import hashlib

from corpora.models import Release
from publishing import services
from publishing.models import Publication
from tests.factories import ReleaseFactory, ReleaseFileFactory
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
