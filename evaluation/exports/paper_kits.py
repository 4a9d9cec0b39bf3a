"""The paper kit of a release as a zip file, made on demand from its public files."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import AnonymousUser

from corpora.core.bundle.archive import write_archive
from corpora.core.bundle.reading import Bundle, Packed
from corpora.models import Release
from corpora.selectors import notices_of, release_files
from evaluation.core.paper_kit import paper_kit
from winoplatform.artifacts import store
from winoplatform.errors import NotFound
from workers.models import User

MEDIA_TYPE = "application/zip"


def kit_name(release: Release) -> str:
    """Return the name of the folder in the zip file, which is that of the file too."""
    return f"{release.name}-paper-kit"


@contextmanager
def open_bundle(release: Release, *, user: User | AnonymousUser) -> Iterator[Bundle]:
    """Open the bundle of a release that *user* may see, with its public files.

    Raises
    ------
    NotFound
        When the release has no bundle yet, or one of a format that is no longer read.
    """
    files = release_files(release, user=user).filter(restricted=False)
    file = files.filter(name=f"{release.name}.zip").first()
    if file is None:
        raise NotFound("bundle")
    with store.open_artifact(file.artifact) as opened, zipfile.ZipFile(opened) as archive:
        try:
            yield Bundle(Packed(archive, f"{release.name}/"))
        except (ValueError, KeyError) as error:
            raise NotFound("bundle") from error


def kit_archive(release: Release, *, user: User | AnonymousUser) -> bytes:
    """Return the kit of a release that *user* may see.

    It comes from the bundle that the user can download, so it has nothing that the bundle lacks,
    but the errata and the retraction that the release's page has.

    Raises
    ------
    NotFound
        As `open_bundle`.
    """
    with open_bundle(release, user=user) as bundle:
        made = paper_kit(bundle, notices_of(release))
    out = io.BytesIO()
    contents = ((name, io.BytesIO(content)) for name, content in made.items())
    write_archive(contents, out, folder=kit_name(release))
    return out.getvalue()
