"""Which users may see which releases."""

from django.db.models import QuerySet

from corpora.models import Release, ReleaseFile
from winoplatform.runs.models import RunStatus
from workers.models import User


def releases_visible_to(user: User, releases: QuerySet[Release]) -> QuerySet[Release]:
    """Return the releases that *user* may see: all for curators, else those that are done."""
    return releases if user.is_curator else releases.filter(status=RunStatus.DONE)


def release_files(release: Release, *, user: User) -> QuerySet[ReleaseFile]:
    """Return the files of a release that *user* may read: only curators read blind labels."""
    files = release.files.select_related("artifact")
    return files if user.is_curator else files.filter(restricted=False)
