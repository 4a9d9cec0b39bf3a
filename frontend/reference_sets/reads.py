"""Reference sets, as the pages list them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from corpora.models import ReferenceSet, ReferenceSplit
from evaluation.models import Evaluation


def matching(rows: "QuerySet[ReferenceSet]", query: str) -> "QuerySet[ReferenceSet]":
    """Return the sets with a text in their name or title, in any case of letters."""
    return rows.filter(Q(name__icontains=query) | Q(title__icontains=query)) if query else rows


@dataclass(frozen=True, slots=True)
class SetRow:
    """A reference set in the list, and how many evaluations refer to it."""

    reference_set: ReferenceSet
    n_evaluations: int


def set_rows(sets: Sequence[ReferenceSet]) -> list[SetRow]:
    counts = Evaluation.objects.filter(reference_set__in=sets).order_by().values("reference_set")
    found = dict(counts.annotate(n=Count("pk")).values_list("reference_set", "n"))
    return [SetRow(one, found.get(one.pk, 0)) for one in sets]


def evaluated_split(found: ReferenceSet) -> ReferenceSplit | None:
    """Return the split that is evaluated first: test, else the first one with all answers."""
    splits = [one for one in found.splits.all() if one.n_labelled == one.n_items]
    # Most papers report the test split.
    return min(splits, key=lambda one: one.name != "test", default=None)
