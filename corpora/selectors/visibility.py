"""Which rows about published sets a user who is not a curator may see."""

from django.db.models import Q, QuerySet

from corpora.core.bundle.layout import BLIND
from corpora.core.publish import SPLITS
from corpora.models import ReferenceSet, Release
from winoplatform.runs.models import RunStatus
from workers.models import User

OPEN_SPLITS = tuple(name for name in SPLITS if name != BLIND)


def public_releases() -> "QuerySet[Release]":
    return Release.objects.filter(status=RunStatus.DONE, is_public=True)


def in_open_splits(user: User) -> Q:
    """Select rows of public reference sets, and of splits of public releases that are not blind."""
    public = Q(reference_set__in=ReferenceSet.objects.visible_to(user))
    return public | Q(release__in=public_releases(), split__in=OPEN_SPLITS)


def in_public_sets(user: User, path: str) -> Q:
    """Select rows whose set at a path is a public reference set, a public release, or none."""
    public = Q((f"{path}reference_set__in", ReferenceSet.objects.visible_to(user)))
    published = Q((f"{path}release__in", public_releases()))
    none = Q((f"{path}reference_set", None), (f"{path}release", None))
    return public | published | none
