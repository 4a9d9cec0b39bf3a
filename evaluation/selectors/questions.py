"""Queries for the questions in which artifacts are looked for, and for their encodings."""

from django.db.models import Q, QuerySet

from corpora.selectors import Labelled, labelled, labelled_of_release
from evaluation.models import ArtifactDetection
from filtering.models import Encoding

DEV = "dev"


def to_examine(run: ArtifactDetection) -> Labelled:
    """Return the labelled questions in which *run* looks for artifacts; none of a blind split."""
    if run.release is None:
        return labelled(run)
    found = labelled_of_release(run.release, DEV)
    parts = {"train": found.train, "dev": found.items}
    items = parts.get(run.split, found.train + found.items)
    return Labelled(items, [], {item.id: found.origins[item.id] for item in items})


def encodings_for(run: ArtifactDetection) -> QuerySet[Encoding]:
    """Return the encodings that have, or will have, every question that *run* can examine.

    Those of the snapshot without a tuning, whose questions are not encoded, and the one that a
    release was filtered with. None for a reference set.
    """
    snapshot = run.snapshot if run.release is None else run.release.snapshot
    complete = Q(tuning=None)
    if run.release is not None and run.release.selection is not None:
        complete |= Q(filter_runs__selection=run.release.selection)
    rows = Encoding.objects.filter(complete, snapshot=snapshot, snapshot__isnull=False)
    return rows.exclude(status__in=Encoding.RESUMABLE).distinct().order_by("-pk")
