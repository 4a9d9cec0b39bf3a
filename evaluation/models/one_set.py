"""What runs over the questions of one set have: an audit of its keys, a search for artifacts."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import ReferenceSet, Release, Snapshot
from corpora.models.one_set import OF_ONE_SET, WHOLE
from winoplatform.db.columns import optional
from winoplatform.db.constraints import check
from winoplatform.runs.models import Run

Columns = tuple[
    "models.ForeignKey[Release | None, Release | None]",
    "models.ForeignKey[ReferenceSet | None, ReferenceSet | None]",
    "models.ForeignKey[Snapshot | None, Snapshot | None]",
    "models.SlugField[str, str]",
]


def set_columns(related_name: str) -> Columns:
    """Return the columns of the release, the reference set, the snapshot and the split."""
    return (
        optional(Release, related_name),
        optional(ReferenceSet, related_name),
        optional(Snapshot, related_name),
        models.SlugField(help_text=_("“all” for a snapshot.")),
    )


def rules_of_set(about: str, *, done: str) -> list[models.CheckConstraint]:
    """Return the constraints of these columns; *done* is what is done with the questions."""
    return [
        check("is_of_one_set", OF_ONE_SET, about),
        check(
            f"snapshot_is_{done}_whole",
            Q(snapshot=None) | Q(split=WHOLE),
            f"A snapshot has no splits: it is {done} whole.",
        ),
    ]


class OfOneSet(Run):
    """A run over the questions of a split of a release or reference set, or of a snapshot."""

    INPUT = "release"
    ALSO_NEEDS: ClassVar[tuple[str, ...]] = ("snapshot",)
    WHOLE = WHOLE

    class Meta(Run.Meta):
        abstract = True

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        """Select those of a member's campaigns, and own ones of reference sets."""
        of_campaigns = Release.of_member(user, f"{path}release__")
        of_campaigns |= Snapshot.of_member(user, f"{path}snapshot__")
        of_sets = Q((f"{path}reference_set__isnull", False))
        return of_campaigns | (of_sets & cls.own(user, path))
