"""Attach results of the platform to a release; nobody can attach a text of their own."""

import io

from corpora.models import Release, ReleaseReport
from corpora.services import attach_report
from evaluation.core.paper_tables import to_csv, to_latex
from evaluation.selectors.paper_tables import paper_table
from workers.models import User

WRITERS = {"csv": to_csv, "tex": to_latex}
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
    text = WRITERS[ending](paper_table(ANY_USER, table))
    file = io.BytesIO(text.encode())
    return attach_report(release=release, name=f"{table}.{ending}", file=file, by=by)
