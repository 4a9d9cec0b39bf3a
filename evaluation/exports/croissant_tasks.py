"""The tasks of a release with their results, made on demand: both are known after it is built."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser

from corpora.models import Release
from evaluation.core.croissant_tasks import ReleasePlaces, SystemScores, croissant_tasks
from evaluation.core.paper_kit.facts import PositionBaseline, read_facts
from evaluation.exports.paper_kits import open_bundle
from evaluation.selectors import ranked
from evaluation.selectors.leaderboards import Ranked
from winoplatform.errors import NotFound
from workers.models import User


def tasks_of_release(
    release: Release,
    metadata: Mapping[str, Any],
    *,
    user: User | AnonymousUser,
    page: str,
    description: str,
    base_url: str,
) -> dict[str, Any]:
    """Return the Croissant Tasks (JSON-LD) of a release that *user* may see.

    Parameters
    ----------
    release : Release
    metadata : mapping
        Its Croissant description.
    user : User or AnonymousUser
    page, description, base_url : str
        The addresses of its page, of its Croissant description and of the folder of its files.
    """
    names = release.files.filter(restricted=False).values_list("name", flat=True)
    return croissant_tasks(
        metadata,
        places=ReleasePlaces(page, description, base_url, frozenset(names)),
        baseline=_baseline(release, user),
        systems=[_scores(one) for one in ranked(release)],
    )


def _baseline(release: Release, user: User | AnonymousUser) -> PositionBaseline | None:
    try:
        with open_bundle(release, user=user) as bundle:
            return read_facts(bundle).baseline
    except NotFound:  # no bundle, or one of a format that is no longer read
        return None


def _scores(one: Ranked) -> SystemScores:
    row = one.submission
    return SystemScores(
        key=str(row.public_id),
        name=row.system,
        link=row.link,
        date=row.created_at.isoformat(timespec="seconds"),
        accuracy=one.accuracy,
        pair_accuracy=one.pair_accuracy,
    )
