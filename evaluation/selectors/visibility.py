"""Which users may see which evaluations, fine-tuned models and grids."""

from typing import Any

from django.db.models import Q, QuerySet

from corpora.models import Snapshot
from corpora.selectors import in_open_splits, in_public_sets
from evaluation.models import Evaluation, FineTuning, Grid, GridTarget
from evaluation.selectors.knowledge import statements_visible_to
from workers.models import User

LONGEST_CHAIN = 4


def evaluations_visible_to(
    user: User, rows: "QuerySet[Evaluation, Any] | None" = None
) -> "QuerySet[Evaluation, Any]":
    """Return the evaluations of items that *user* may see, question by question and with answers.

    They are of data whose answers the user may read: of reference sets that the user sees, of the
    splits of public releases that are not blind, and of all data of a member's campaigns.
    """
    evaluations = Evaluation.objects.of_items() if rows is None else rows
    trained = Q(fine_tuning=None) | Q(fine_tuning__in=fine_tunings_visible_to(user))
    of_data = in_open_splits(user) | Snapshot.of_member(user, "snapshot__")
    return evaluations.filter(of_data, trained)


def api_evaluations(user: User, rows: "QuerySet[Evaluation, Any]") -> "QuerySet[Evaluation, Any]":
    """Return the evaluations that a client of the API may read: of items, only for curators."""
    of_statements = statements_visible_to(user)
    if not user.is_curator:
        return rows.filter(pk__in=of_statements.values("pk"))
    of_items = evaluations_visible_to(user)
    return rows.filter(Q(pk__in=of_statements.values("pk")) | Q(pk__in=of_items.values("pk")))


def fine_tunings_visible_to(
    user: User, rows: "QuerySet[FineTuning, Any] | None" = None
) -> "QuerySet[FineTuning, Any]":
    """Return the fine-tunings on data that *user* sees, also of the fine-tunings before them."""
    fine_tunings = FineTuning.objects.all() if rows is None else rows
    if user.role == User.Role.ADMIN:
        return fine_tunings
    return fine_tunings.filter(_chain_open_to(user, "", LONGEST_CHAIN))


def _chain_open_to(user: User, path: str, longest: int) -> Q:
    """Select fine-tunings whose sets the user sees, and so on for the one before."""
    sets = in_public_sets(user, path) & in_public_sets(user, f"{path}dev_")
    first = Q((f"{path}before", None))
    if longest == 1:
        return sets & first
    return sets & (first | _chain_open_to(user, f"{path}before__", longest - 1))


def grids_visible_to(
    user: User, rows: "QuerySet[Grid, Any] | None" = None
) -> "QuerySet[Grid, Any]":
    """Return the grids of which *user* may see every cell and every target."""
    grids = Grid.objects.all() if rows is None else rows
    hidden_cells = FineTuning.objects.exclude(pk__in=fine_tunings_visible_to(user).values("pk"))
    hidden_targets = GridTarget.objects.exclude(
        pk__in=GridTarget.objects.filter(in_open_splits(user)).values("pk")
    )
    has_cells = Q(pk__in=FineTuning.objects.exclude(grid=None).values("grid"))
    grids = grids.filter(Grid.own(user) | has_cells)
    return grids.exclude(pk__in=hidden_cells.exclude(grid=None).values("grid")).exclude(
        pk__in=hidden_targets.values("grid")
    )
