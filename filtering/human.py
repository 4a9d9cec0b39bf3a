"""How well people do on what a snapshot holds, or on what a release publishes."""

import logging
from collections.abc import Sequence

from filtering import selectors
from filtering.models import Release, Snapshot
from filtering.publishing import INDEX, read_index
from validation.core.human import Human
from validation.selectors.quality import Kind, human_by_kind, human_performance
from winoplatform.errors import DomainError

log = logging.getLogger(__name__)


def human_on_snapshot(snapshot: Snapshot, *, kind: Kind = "counted") -> Human:
    """Return human performance over the questions of a snapshot that is done.

    Raises
    ------
    DomainError
        ``run_not_done``.
    """
    if snapshot.questions is None:
        raise _not_done()
    ids = [question.id for question in selectors.load_questions(snapshot)]
    return human_performance(snapshot.campaign, kind=kind, questions=ids)


def human_on_release(release: Release, *, split: str = "", kind: Kind = "counted") -> Human:
    """Return human performance over the questions of a release, or of one of its splits.

    Raises
    ------
    DomainError
        ``run_not_done``.
    """
    if not release.files.filter(name=INDEX).exists():
        raise _not_done()
    campaign = release.filter_run.encoding.snapshot.campaign
    return human_performance(campaign, kind=kind, questions=_published(release, split))


def humans_on_release(release: Release) -> dict[Kind, Human]:
    """Return human performance over a release by either kind of votes; nothing until it is done.

    Nothing as well while its index cannot be read: a page can do without.
    """
    if not release.files.filter(name=INDEX).exists():
        return {}
    try:
        published = _published(release)
    except (OSError, EOFError, ValueError):
        log.exception("release %s: its index cannot be read", release.name)
        return {}
    return human_by_kind(release.filter_run.encoding.snapshot.campaign, published)


def _published(release: Release, split: str = "") -> Sequence[str]:
    rows = read_index(release)
    return [str(row["question"]) for row in rows if split in ("", row["split"])]


def _not_done() -> DomainError:
    return DomainError(
        "run_not_done", "This run has no result yet; look at its status.", status=409
    )
