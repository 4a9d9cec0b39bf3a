"""Request releases and previews, retract releases, attach reports."""

from collections.abc import Mapping, Sequence
from typing import IO, Any, TypeVar

from django.db import transaction

from corpora.building.versioning import refuse_low_version
from corpora.core.bundle.facts import STATEMENTS
from corpora.models import (
    PublishedRun,
    Release,
    ReleaseFile,
    ReleasePlan,
    ReleasePreview,
    ReleaseReport,
    Selection,
    Snapshot,
)
from winoplatform import clock
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import start
from workers.models import AuditEvent, User
from workers.services import audit

MIN_PAIRS = 25
Facts = Sequence[Mapping[str, Any]]
Published = TypeVar("Published", bound=PublishedRun)


@transaction.atomic
def build_release(
    *,
    snapshot: Snapshot,
    name: str,
    by: User | None,
    selection: Selection | None = None,
    version: str = "",
    title: str = "",
    authors: Sequence[str] = (),
    licence: str = "CC-BY-4.0",
    is_public: bool = False,
    min_pairs: int = MIN_PAIRS,
    human: Facts = (),
    **stated: str,
) -> Release:
    """Request a release of a snapshot, or a selection of it, with a unique name.

    Each twin is in its stored split; the campaign's shares apply to twins not drawn yet. Name and
    version are permanent, unless the release fails or is cancelled. Without a *version* it gets the
    lowest one that the rule allows when it is built.

    A release of simulated people gets a title that says that it is a demonstration, when it is
    known who worked on its questions.

    Parameters
    ----------
    human
        People's performance on its questions, for its manifest and card.
    **stated
        What its card states, by the names of `STATEMENTS`; by default what the campaign states.

    Raises
    ------
    DomainError
        When the selection is of another snapshot, or the version is too low. What changed is known
        from the last preview of these questions; without one, the next major version is asked for.
    """
    release = Release(
        snapshot=snapshot,
        selection=selection,
        name=name,
        version=version,
        title=title,
        authors=list(authors),
        licence=licence,
        is_public=is_public,
        min_pairs=min_pairs,
        human=list(human),
        created_by=by,
        **{name: getattr(snapshot.campaign, name) for name in STATEMENTS} | stated,
    )
    _prepare(release)
    refuse_low_version(release)
    start(release)
    if is_public:
        audit.record(AuditEvent.Kind.PUBLISHED, by=by, what=f"release {name}")
    return release


@transaction.atomic
def preview_release(
    *,
    snapshot: Snapshot,
    by: User | None,
    selection: Selection | None = None,
    min_pairs: int = MIN_PAIRS,
    human: Facts = (),
) -> ReleasePreview:
    """Request the figures of a release without building it; *human* is as for a release."""
    preview = ReleasePreview(
        snapshot=snapshot,
        selection=selection,
        min_pairs=min_pairs,
        human=list(human),
        created_by=by,
    )
    _prepare(preview)
    start(preview)
    return preview


@transaction.atomic
def retract_release(*, release: Published, reason: str, by: User | None) -> Published:
    """Retract a release, of questions or of knowledge, with a reason that stays visible.

    Its files stay as they were.

    Raises
    ------
    DomainError
        When it is not done, was retracted before, or no reason is given.
    """
    if not reason.strip():
        raise DomainError("reason_missing", "Say why the release is retracted.")
    rows = type(release)._default_manager.filter(pk=release.pk)
    rows = rows.filter(status=RunStatus.DONE, retracted_at=None)
    if not rows.update(retracted_at=clock.now(), retraction_reason=reason.strip(), retracted_by=by):
        raise DomainError(
            "not_retractable",
            "Only a finished release that has not been retracted can be retracted.",
            status=409,
        )
    release.refresh_from_db()
    audit.record(AuditEvent.Kind.WITHDRAWN, by=by, what=f"release {release.name}")
    return release


@transaction.atomic
def attach_report(
    *, release: Release, name: str, file: IO[bytes], by: User | None
) -> ReleaseReport:
    """Attach a file to a finished release; its content hash does not change.

    Raises
    ------
    DomainError
        When the release is not done, or has a file with this name.
    ValidationError
        When it has a report with this name.
    """
    if release.status != RunStatus.DONE:
        raise DomainError(
            "run_not_done", "Reports can be attached to finished releases only.", status=409
        )
    if ReleaseFile.objects.filter(release=release, name=name).exists():
        raise DomainError(
            "name_taken", "The release has a file with this name; choose another.", status=409
        )
    report = ReleaseReport(release=release, name=name, artifact=store.put_file(file), created_by=by)
    report.full_clean()
    report.save()
    return report


def _prepare(plan: ReleasePlan) -> None:
    """Take the campaign's threshold; refuse the selection of another snapshot."""
    plan.near_duplicate = plan.snapshot.campaign.near_duplicate
    if plan.selection is not None and plan.selection.snapshot_id != plan.snapshot.pk:
        raise DomainError(
            "selection_of_other_snapshot",
            "The selection belongs to another snapshot; name its own, or leave the selection out.",
        )
