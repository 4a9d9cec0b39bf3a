"""Which users may see which evaluations, fine-tuned models and grids."""

from typing import Any

from django.db.models import Q, QuerySet

from corpora.core.bundle.layout import BLIND
from corpora.core.publish import SPLITS
from corpora.models import ReferenceSet, Release
from evaluation.models import Evaluation, FineTuning, Grid, GridTarget
from winoplatform.runs.models import RunStatus
from workers.models import User

OPEN_SPLITS = tuple(name for name in SPLITS if name != BLIND)


def evaluations_visible_to(
    user: User, rows: "QuerySet[Evaluation, Any] | None" = None
) -> "QuerySet[Evaluation, Any]":
    """Return the evaluations that *user* may see, question by question and with answers.

    Curators start evaluations and see all of them. Other users see those of data whose answers they
    may read: of public reference sets, and of the splits of public releases that are not blind.
    """
    found = Evaluation.objects.all() if rows is None else rows
    if user.is_curator:
        return found
    public = Q(reference_set__in=ReferenceSet.objects.visible_to(user))
    published = Q(release__in=_public_releases(), split__in=OPEN_SPLITS)
    trained = Q(fine_tuning=None) | Q(fine_tuning__in=fine_tunings_visible_to(user))
    return found.filter(public | published, trained)


def fine_tunings_visible_to(
    user: User, rows: "QuerySet[FineTuning, Any] | None" = None
) -> "QuerySet[FineTuning, Any]":
    """Return the fine-tunings that *user* may see.

    Curators start them and see all. Other users see those on data whose answers they may read,
    also of the fine-tuning before it, if there is one.
    """
    found = FineTuning.objects.all() if rows is None else rows
    if user.is_curator:
        return found
    first = Q(before=None) | (_open_to(user, "before__") & Q(before__before=None))
    return found.filter(_open_to(user, ""), first)


def _public_releases() -> "QuerySet[Release]":
    return Release.objects.filter(status=RunStatus.DONE, is_public=True)


def _open_to(user: User, path: str) -> Q:
    """Select fine-tunings whose sets are public reference sets or public releases."""
    public = ReferenceSet.objects.visible_to(user)
    found = Q()
    for name in ("", "dev_"):
        in_public = Q((f"{path}{name}reference_set__in", public))
        published = Q((f"{path}{name}release__in", _public_releases()))
        none = Q((f"{path}{name}reference_set", None), (f"{path}{name}release", None))
        found &= in_public | published | none
    return found


def grids_visible_to(
    user: User, rows: "QuerySet[Grid, Any] | None" = None
) -> "QuerySet[Grid, Any]":
    """Return the grids of which *user* may see every cell and every target."""
    found = Grid.objects.all() if rows is None else rows
    if user.is_curator:
        return found
    hidden_cells = FineTuning.objects.exclude(pk__in=fine_tunings_visible_to(user).values("pk"))
    public = Q(reference_set__in=ReferenceSet.objects.visible_to(user))
    published = Q(release__in=_public_releases(), split__in=OPEN_SPLITS)
    hidden_targets = GridTarget.objects.exclude(public | published)
    return found.exclude(pk__in=hidden_cells.exclude(grid=None).values("grid")).exclude(
        pk__in=hidden_targets.values("grid")
    )
