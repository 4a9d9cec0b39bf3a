"""Which users may see which releases, and what their files say."""

import json
from typing import IO, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from collection.core.people import People, people_from
from collection.models import Campaign
from corpora.core.bundle.layout import DEBIASED, FULL, INDEX, MANIFEST
from corpora.models import Release, ReleaseFile, Snapshot
from validation.selectors import campaign_people
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus
from workers.models import User


def releases_visible_to(
    user: User | AnonymousUser, releases: QuerySet[Release]
) -> QuerySet[Release]:
    """Return the releases that *user* may see: all for curators, else public ones that are done.

    Anyone with the link of a study has an account, and the answers of a release's open splits are
    in its files.
    """
    is_curator = isinstance(user, User) and user.is_curator
    return releases if is_curator else releases.filter(status=RunStatus.DONE, is_public=True)


def release_files(release: Release, *, user: User | AnonymousUser) -> QuerySet[ReleaseFile]:
    """Return the files of a release that *user* may read: only curators read blind labels."""
    files = release.files.select_related("artifact")
    is_curator = isinstance(user, User) and user.is_curator
    return files if is_curator else files.filter(restricted=False)


def newest_release(campaign: Campaign) -> Release | None:
    """Return the campaign's release that was built last, retracted or not."""
    done = Release.objects.filter(snapshot__campaign=campaign, status=RunStatus.DONE)
    return done.order_by("-ended_at", "-pk").first()


def open_index(release: Release) -> IO[bytes]:
    """Open the restricted file of which published row is which question."""
    return store.open_artifact(release.files.select_related("artifact").get(name=INDEX).artifact)


def read_index(release: Release) -> list[dict[str, Any]]:
    """Read the index: qID, split, files, question, sha256, swapped and answer of each row."""
    with open_index(release) as file:
        return [json.loads(line) for line in file]


def read_manifest(release: Release) -> dict[str, Any]:
    """Read the facts of a release that is done."""
    manifest = release.files.select_related("artifact").get(name=MANIFEST)
    with store.open_artifact(manifest.artifact) as file:
        found: dict[str, Any] = json.load(file)
    return found


def release_people(release: Release) -> People:
    """Return who worked on a release's questions; before it is known, on its campaign's."""
    if release.people is None:
        return snapshot_people(release.snapshot)
    return people_from(release.people)


def snapshot_people(snapshot: Snapshot) -> People:
    """Return who had worked in the campaign of a snapshot when it was requested."""
    return campaign_people(snapshot.campaign, until=snapshot.created_at)


def training_file(rows: list[dict[str, Any]]) -> str:
    """Return the file that is a release's training split: the debiased one, if there is one."""
    return DEBIASED if any(DEBIASED in row["files"] for row in rows) else FULL
