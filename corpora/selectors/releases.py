"""Who may see what was released."""

from django.db.models import QuerySet

from corpora.models import Release, ReleaseFile
from winoplatform.runs.models import RunStatus
from workers.models import User


def releases_visible_to(user: User, releases: QuerySet[Release]) -> QuerySet[Release]:
    """Curators see every release, everybody else those that are done."""
    return releases if user.is_curator else releases.filter(status=RunStatus.DONE)


def release_files(release: Release, *, user: User) -> QuerySet[ReleaseFile]:
    """The files of a release that *user* may have: blind labels are for curators only."""
    files = release.files.select_related("artifact")
    return files if user.is_curator else files.filter(restricted=False)
