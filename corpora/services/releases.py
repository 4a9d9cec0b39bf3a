"""Request releases and snapshots, and what refuses them."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import IO, Any, TypeVar

from django.db import transaction
from django.db.models import QuerySet

from collection.models import Campaign, Twin
from collection.services import publish_background
from corpora import selectors
from corpora.building.versioning import refuse_low_version
from corpora.loading import EncoderRefused, permitted
from corpora.models import (
    WHOLE,
    Erratum,
    PublishedRun,
    ReferenceSet,
    Release,
    ReleaseFile,
    ReleasePlan,
    ReleasePreview,
    ReleaseReport,
    Selection,
    Snapshot,
)
from corpora.selectors.statements import counted_background, stated_by
from corpora.signals import notice_added
from winoplatform import clock
from winoplatform.artifacts import store
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import start
from workers.models import AuditEvent, Proposal, User
from workers.services import audit, propose


def usual_split(reference_set: ReferenceSet | None, snapshot: Snapshot | None) -> str:
    """Return dev, the only split of a reference set, or “all” of a snapshot."""
    if snapshot is not None:
        return WHOLE
    names = list(reference_set.splits.values_list("name", flat=True)) if reference_set else []
    return names[0] if len(names) == 1 else "dev"


def refuse_unlabelled(reference_set: ReferenceSet, split: str) -> None:
    """Refuse a split that the set does not have, or whose answers are not all known."""
    # All rows, which are few: a form that plans many runs has read them already.
    row = next((row for row in reference_set.splits.all() if row.name == split), None)
    if row is None:
        raise DomainError("split_unknown", f"The set “{reference_set}” has no split “{split}”.")
    if row.n_labelled < row.n_items:
        raise DomainError(
            "labels_unknown", f"The answers of {row} are not all known, so it cannot be scored."
        )


def refuse_unpermitted(model: str) -> None:
    try:
        if model:
            permitted(model)
    except EncoderRefused as error:
        raise DomainError("model_refused", str(error)) from error
    except ValueError as error:
        raise DomainError("model_unknown", f"This model cannot be used: {error}") from error


@transaction.atomic
def take_snapshot(
    *,
    campaign: Campaign,
    by: User | None,
    without_repeats: bool = False,
    without_writers: Collection[User] = (),
) -> Snapshot:
    """Request a snapshot of the questions that are valid at this moment.

    *without_repeats* leaves out twins of which a question repeats one of another twin; of each
    question one copy stays (docs/decisions/0026-stored-splits.md). *without_writers* leaves out all
    twins of these people: a comparison shows what their work does to the set.

    Raises
    ------
    DomainError
        When no valid question is left, or a person has written nothing in the campaign.
    """
    snapshot = Snapshot(
        campaign=campaign,
        without_repeats=without_repeats,
        without_writers=sorted({writer.pk for writer in without_writers}),
        created_by=by,
    )
    _refuse_others(campaign, without_writers)
    if not selectors.snapshot_questions(snapshot).exists():
        raise Conflict(
            "no_valid_questions", "This campaign has no valid question to take a snapshot of yet."
        )
    start(snapshot)
    return snapshot


def _refuse_others(campaign: Campaign, writers: Collection[User]) -> None:
    """Refuse people who have written nothing: a wrong name would leave out nobody."""
    wrote = set(
        Twin.objects.filter(campaign=campaign, author__in=writers).values_list("author", flat=True)
    )
    others = sorted(writer.public_id for writer in writers if writer.pk not in wrote)
    if others:
        raise DomainError(
            "not_a_writer",
            f"No twin in this campaign is by {', '.join(others)}.",
            status=400,
        )


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

    If the campaign asks for a second person, a public release is built for members alone, and
    becomes public when its proposal is confirmed (`corpora.services.confirm`).

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
        ``second_person_needed`` if a command would publish where a second person is needed.
    """
    publish_background(campaign=snapshot.campaign)
    release = Release(
        snapshot=snapshot,
        selection=selection,
        name=name,
        version=version,
        title=title,
        authors=list(authors),
        licence=licence,
        is_public=is_public and not needs_second(snapshot.campaign, Proposal.Kind.RELEASE),
        min_pairs=min_pairs,
        human=list(human),
        created_by=by,
        background=counted_background(snapshot.campaign),
        **stated_by(snapshot.campaign) | stated,
    )
    _prepare(release)
    refuse_low_version(release)
    start(release)
    if is_public:
        publish_or_propose(release, by=by)
    return release


def needs_second(campaign: Campaign | None, kind: Proposal.Kind) -> bool:
    """Return whether a campaign asks for a second person; what belongs to none asks for nobody."""
    return campaign is not None and kind in campaign.second_person


def publish_or_propose(release: PublishedRun, *, by: User | None) -> None:
    """Note that a new release is public; propose to make it so if it is for members alone."""
    if release.is_public:
        audit.record(AuditEvent.Kind.PUBLISHED, by=by, what=f"{release.noun} {release.name}")
    else:
        _propose(Proposal.Kind.RELEASE, release, by=by)


def _propose(
    kind: Proposal.Kind, release: PublishedRun, *, by: User | None, reason: str = ""
) -> None:
    assert release.campaign is not None  # whose setting asks for it
    campaigns = [release.campaign.public_id]
    propose(kind=kind, campaigns=campaigns, by=by, release=release.public_id, reason=reason)


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

    Its files stay as they were. If the campaign asks for a second person, it is proposed.

    Raises
    ------
    DomainError
        When it is not done, was retracted before, or no reason is given; ``already_proposed``, or
        ``second_person_needed`` without *by*.
    """
    if not reason.strip():
        raise DomainError("reason_missing", "Say why the release is retracted.")
    if not needs_second(release.campaign, Proposal.Kind.RETRACTION):
        return retract(release, reason, by=by)
    if not unretracted(release).exists():
        raise _not_retractable()
    _propose(Proposal.Kind.RETRACTION, release, by=by, reason=reason)
    return release


def retract(
    release: Published, reason: str, *, by: User | None, confirmed_by: User | None = None
) -> Published:
    """Retract a release as *by*, whatever the campaign asks for."""
    retraction = {"retraction_reason": reason.strip(), "retracted_by": by}
    if not unretracted(release).update(retracted_at=clock.now(), **retraction):
        raise _not_retractable()
    release.refresh_from_db()
    who = confirmed_by or by
    audit.record(AuditEvent.Kind.WITHDRAWN, by=who, what=f"release {release.name}")
    notice_added.send(sender=type(release), release=release)
    return release


def unretracted(release: PublishedRun) -> "QuerySet[Any]":
    """Return the row of a release if it is done and not retracted."""
    rows = type(release)._default_manager.filter(pk=release.pk)
    return rows.filter(status=RunStatus.DONE, retracted_at=None)


def _not_retractable() -> DomainError:
    return Conflict(
        "not_retractable", "Only a finished release that has not been retracted can be retracted."
    )


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
        raise Conflict("run_not_done", "Reports can be attached to finished releases only.")
    if ReleaseFile.objects.filter(release=release, name=name).exists():
        raise Conflict("name_taken", "The release has a file with this name; choose another.")
    report = ReleaseReport(release=release, name=name, artifact=store.put_file(file), created_by=by)
    report.full_clean()
    report.save()
    return report


@transaction.atomic
def add_erratum(*, release: Release, text: str, key: uuid.UUID, by: User | None) -> Erratum:
    """Add a correction to a finished release; it never changes.

    Files, version and hash of the release stay.

    Parameters
    ----------
    key
        Made by the client: the same erratum again, with the same key, is stored once.

    Raises
    ------
    DomainError
        ``run_not_done``; ``text_missing``; ``key_used`` for another erratum.
    """
    text = text.strip()
    if release.status != RunStatus.DONE:
        raise Conflict("run_not_done", "An erratum can be added to finished releases only.")
    if not text:
        raise DomainError("text_missing", "Say what is wrong in the release, and what is right.")
    # Locked, so that two requests with one key are stored one after the other.
    Release.objects.select_for_update(of=("self",), no_key=True).get(pk=release.pk)
    stored = Erratum.objects.filter(public_id=key).first()
    if stored is not None:
        same = (stored.release_id, stored.created_by_id, stored.text)
        if same != (release.pk, by.pk if by else None, text):
            raise Conflict("key_used", "This form was sent before. Load the page again.")
        return stored
    erratum = Erratum(public_id=key, release=release, text=text, created_by=by)
    erratum.full_clean()
    erratum.save()
    audit.record(AuditEvent.Kind.PUBLISHED, by=by, what=f"erratum of release {release.name}")
    notice_added.send(sender=Release, release=release)
    return erratum


def _prepare(plan: ReleasePlan) -> None:
    """Take the campaign's threshold; refuse the selection of another snapshot."""
    plan.near_duplicate = plan.snapshot.campaign.near_duplicate
    if plan.selection is not None and plan.selection.snapshot_id != plan.snapshot.pk:
        raise DomainError(
            "selection_of_other_snapshot",
            "The selection belongs to another snapshot; name its own, or leave the selection out.",
        )
