"""Results attached to a release, and its preview."""

import io
from typing import Any

from django.db import transaction

from corpora import services as corpora
from corpora.models import Release, ReleasePreview, ReleaseReport, Snapshot
from corpora.services import attach_report
from evaluation.core.paper_tables import WRITERS
from evaluation.selectors.knowledge import people_facts
from evaluation.selectors.paper_tables import paper_table
from workers.models import User

# An attached file is for everyone, and exact scores on a blind test are equations for its labels.
ANY_USER = User()


def attach_paper_table(
    *, release: Release, table: str, ending: str, by: User | None
) -> ReleaseReport:
    """Attach a table of `TABLES` as csv or tex, with the figures that every user may see.

    Raises
    ------
    DomainError, ValidationError
        As for `attach_report`.
    """
    write, _media_type = WRITERS[ending]
    text = write(paper_table(ANY_USER, table))
    file = io.BytesIO(text.encode())
    return attach_report(release=release, name=f"{table}.{ending}", file=file, by=by)


@transaction.atomic
def build_release(*, snapshot: Snapshot, **asked: Any) -> Release:
    """As `corpora.services.build_release`, with people's performance so far."""
    return corpora.build_release(snapshot=snapshot, human=people_facts(snapshot), **asked)


@transaction.atomic
def preview_release(*, snapshot: Snapshot, **asked: Any) -> ReleasePreview:
    """As `corpora.services.preview_release`, with people's performance so far."""
    return corpora.preview_release(snapshot=snapshot, human=people_facts(snapshot), **asked)
