"""The paper kit of a release as a zip file, made on demand from its public files."""

import io
import zipfile

from django.contrib.auth.models import AnonymousUser

from corpora.core.bundle.archive import write_archive
from corpora.core.bundle.reading import Bundle, Packed
from corpora.models import Release
from corpora.selectors import release_files
from evaluation.core.paper_kit import paper_kit
from winoplatform.artifacts import store
from winoplatform.errors import NotFound
from workers.models import User

MEDIA_TYPE = "application/zip"


def kit_name(release: Release) -> str:
    """Return the name of the folder in the zip file, which is that of the file too."""
    return f"{release.name}-paper-kit"


def kit_archive(release: Release, *, user: User | AnonymousUser) -> bytes:
    """Return the kit of a release that *user* may see.

    It comes from the bundle that the user can download, so it has nothing that the bundle lacks.

    Raises
    ------
    NotFound
        When the release has no bundle yet, or one of a format that is no longer read.
    """
    files = release_files(release, user=user).filter(restricted=False)
    file = files.filter(name=f"{release.name}.zip").first()
    if file is None:
        raise NotFound("paper kit")
    out = io.BytesIO()
    with store.open_artifact(file.artifact) as opened, zipfile.ZipFile(opened) as archive:
        try:
            made = paper_kit(Bundle(Packed(archive, f"{release.name}/")))
        except (ValueError, KeyError) as error:
            raise NotFound("paper kit") from error
    contents = ((name, io.BytesIO(content)) for name, content in made.items())
    write_archive(contents, out, folder=kit_name(release))
    return out.getvalue()
