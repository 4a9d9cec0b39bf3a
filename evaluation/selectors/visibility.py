"""Which users may see which evaluations, fine-tuned models and grids."""

from typing import Any

from django.db.models import Q, QuerySet

from corpora.selectors import in_open_splits, in_public_sets
from evaluation.models import Evaluation, FineTuning, Grid, GridTarget
from workers.models import User


def evaluations_visible_to(
    user: User, rows: "QuerySet[Evaluation, Any] | None" = None
) -> "QuerySet[Evaluation, Any]":
    """Return the evaluations of items that *user* may see, question by question and with answers.

    Curators start evaluations and see all of them. Other users see those of data whose answers they
    may read: of public reference sets, and of the splits of public releases that are not blind.
    """
    evaluations = Evaluation.objects.of_items() if rows is None else rows
    if user.is_curator:
        return evaluations
    trained = Q(fine_tuning=None) | Q(fine_tuning__in=fine_tunings_visible_to(user))
    return evaluations.filter(in_open_splits(user), trained)


def fine_tunings_visible_to(
    user: User, rows: "QuerySet[FineTuning, Any] | None" = None
) -> "QuerySet[FineTuning, Any]":
    """Return the fine-tunings that *user* may see.

    Curators start them and see all. Other users see those on data whose answers they may read,
    also of the fine-tuning before it, if there is one.
    """
    fine_tunings = FineTuning.objects.all() if rows is None else rows
    if user.is_curator:
        return fine_tunings
    first = Q(before=None) | (_open_to(user, "before__") & Q(before__before=None))
    return fine_tunings.filter(_open_to(user, ""), first)


def _open_to(user: User, path: str) -> Q:
    """Select fine-tunings whose sets are public reference sets or public releases."""
    return in_public_sets(user, path) & in_public_sets(user, f"{path}dev_")


def grids_visible_to(
    user: User, rows: "QuerySet[Grid, Any] | None" = None
) -> "QuerySet[Grid, Any]":
    """Return the grids of which *user* may see every cell and every target."""
    grids = Grid.objects.all() if rows is None else rows
    if user.is_curator:
        return grids
    hidden_cells = FineTuning.objects.exclude(pk__in=fine_tunings_visible_to(user).values("pk"))
    hidden_targets = GridTarget.objects.exclude(in_open_splits(user))
    return grids.exclude(pk__in=hidden_cells.exclude(grid=None).values("grid")).exclude(
        pk__in=hidden_targets.values("grid")
    )
