"""Releases: who may see them, what their files say, and what they publish."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import IO, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from collection.core.people import People, people_from
from collection.models import Campaign
from corpora.core.bundle.croissant import with_addresses
from corpora.core.bundle.layout import BLIND, CROISSANT, DEBIASED, FULL, INDEX, MANIFEST
from corpora.core.items import Item, TwinItem
from corpora.core.notices import ERRATUM, RETRACTION, ReleaseNotice
from corpora.core.publish import SPLITS
from corpora.models import PublishedRun, ReferenceSet, Release, ReleasePlan, Snapshot
from corpora.selectors.files import hash_of, opened, text_of
from corpora.selectors.questions import load_questions
from validation.selectors import campaign_people
from winoplatform.artifacts import store
from winoplatform.runs.dispatch import run_models
from winoplatform.runs.models import RunStatus
from workers.models import Proposal, User


def release_files(
    release: Any, *, user: User | AnonymousUser, is_member: bool | None = None
) -> QuerySet[Any]:
    """Return the files of any release that *user* may read: only members read restricted ones.

    A caller that has asked whether *user* is one says so.
    """
    files: QuerySet[Any] = release.files.select_related("artifact")
    is_member = release.is_of_member(user) if is_member is None else is_member
    return files if is_member else files.filter(restricted=False)


def newest_release(campaign: Campaign) -> Release | None:
    """Return the campaign's release that was built last, retracted or not."""
    done = Release.objects.filter(snapshot__campaign=campaign, status=RunStatus.DONE)
    return done.order_by("-ended_at", "-pk").first()


def releases_before(plan: ReleasePlan) -> QuerySet[Release]:
    """Return the releases of a plan's campaign that are done, retracted or not, as built."""
    done = Release.objects.filter(snapshot__campaign=plan.snapshot.campaign, status=RunStatus.DONE)
    return done.order_by("ended_at", "pk")


def release_proposed(proposal: Proposal) -> PublishedRun:
    """Return the release, of questions or of knowledge, that a proposal is about."""
    assert proposal.release is not None  # of another kind
    kinds = (kind for kind in run_models() if issubclass(kind, PublishedRun))
    rows = (kind._default_manager.filter(public_id=proposal.release).first() for kind in kinds)
    return next(row for row in rows if row is not None)


def ended_publication(release: PublishedRun) -> Proposal | None:
    """Return what was asked last to publish a release for members, if it was not confirmed."""
    if release.is_public or release.retracted_at or release.status != RunStatus.DONE:
        return None
    of_it = Proposal.objects.filter(kind=Proposal.Kind.RELEASE, release=release.public_id)
    last = of_it.select_related("by", "decided_by").first()
    has_ended = (Proposal.Outcome.DECLINED, Proposal.Outcome.WITHDRAWN)
    return last if last is not None and last.outcome in has_ended else None


def open_proposals(user: User | AnonymousUser, *releases: PublishedRun) -> QuerySet[Proposal]:
    """Return what waits for a second person about some releases, for who may decide it."""
    ids = [release.public_id for release in releases]
    proposals = Proposal.objects.open().filter(release__in=ids)
    return proposals.visible_to(user) if isinstance(user, User) else proposals.none()


def open_index(release: Release) -> IO[bytes]:
    """Open the restricted file of which published row is which question."""
    file = opened(release, INDEX)
    assert file is not None  # each release that is done has one
    return file


def read_index(release: Release) -> list[dict[str, Any]]:
    """Read the index: qID, split, files, question, sha256, swapped and answer of each row."""
    with open_index(release) as file:
        return [json.loads(line) for line in file]


def read_manifest(release: Release) -> dict[str, Any]:
    """Read the facts of a release that is done."""
    sha256 = hash_of(release, MANIFEST)
    assert sha256 is not None
    content: dict[str, Any] = json.loads(text_of(sha256))
    return content


def notices_of(release: PublishedRun) -> list[ReleaseNotice]:
    """Return the errata of a release, oldest first, and its retraction as the last one."""
    errata = release.errata.all() if isinstance(release, Release) else []
    notices = [ReleaseNotice(ERRATUM, one.created_at, one.text) for one in errata]
    if release.retracted_at is not None:
        retraction = release.retraction_reason
        notices.append(ReleaseNotice(RETRACTION, release.retracted_at, retraction))
    return notices


def metadata_for(release: PublishedRun, base_url: str, *, page: str = "") -> dict[str, Any] | None:
    """Return the Croissant description (JSON-LD) of a release of any kind, with addresses.

    Parameters
    ----------
    release : PublishedRun
    base_url : str
        The address of the folder that has the release's files under their names.
    page : str, optional
        The address of the release's page.

    Returns
    -------
    dict, or None
        What croissant.json says, with absolute addresses, and the errata and the retraction of the
        release. None if there is no such file: it is not done, or older than these descriptions.
    """
    sha256 = hash_of(release, CROISSANT)
    if sha256 is None:
        return None
    metadata = with_addresses(json.loads(text_of(sha256)), base_url, page=page)
    for notice in notices_of(release):
        said = f"{notice.heading}: {notice.text}"
        metadata["description"] = f"{said} {metadata['description']}"
        if notice.is_retraction:
            metadata["creativeWorkStatus"] = said
    return metadata


def release_people(release: Release) -> People:
    """Return who worked on a release's questions; before it is known, on its campaign's."""
    if release.people is None:
        return snapshot_people(release.snapshot)
    return people_from(release.people)


def count_erased(people: Collection[Any], *, at: datetime) -> int:
    """Return how many of some accounts had been erased at a time."""
    return User.objects.filter(pk__in=people, erased_at__lte=at).count()


def snapshot_people(snapshot: Snapshot) -> People:
    """Return who had worked in the campaign of a snapshot when it was requested."""
    return campaign_people(snapshot.campaign, until=snapshot.created_at)


def training_file(rows: list[dict[str, Any]]) -> str:
    """Return the file that is a release's training split: the debiased one, if there is one."""
    return DEBIASED if any(DEBIASED in row["files"] for row in rows) else FULL


@dataclass(frozen=True, slots=True)
class Released:
    """A question of a release.

    Parameters
    ----------
    item
        With the published id, group and order of options, and the answer also if it is blind.
    split, files
        Where it is published.
    question
        Its id in the snapshot.
    swapped
        Whether its options stand in the other order than in the snapshot.
    """

    item: Item
    split: str
    files: tuple[str, ...]
    question: str
    swapped: bool


def released(release: Release) -> Iterator[Released]:
    """Yield the questions of a release that is done, in the order of its index."""
    questions = {question.id: question for question in load_questions(release.snapshot)}
    for row in read_index(release):
        yield _published(questions[row["question"]], row)


def released_rows(release: Release, rows: Collection[Mapping[str, Any]]) -> list[Released]:
    """Return the questions of some rows of a release's index; no other question is read in full."""
    wanted = {row["question"] for row in rows}
    questions = {question.id: question for question in _questions(release.snapshot, wanted)}
    return [_published(questions[row["question"]], row) for row in rows]


def _questions(snapshot: Snapshot, ids: Collection[str]) -> list[TwinItem]:
    assert snapshot.questions is not None
    with store.open_artifact(snapshot.questions) as file:
        lines = (line.decode() for line in file)
        return [TwinItem.from_line(line) for line in lines if json.loads(line)["id"] in ids]


def _published(question: TwinItem, row: Mapping[str, Any]) -> Released:
    item = replace(
        as_item(question),
        id=row["qID"],
        group=group_of(row),
        options=question.options[::-1] if row["swapped"] else question.options,
        answer=row["answer"],
    )
    return Released(item, row["split"], tuple(row["files"]), question.id, row["swapped"])


def group_of(row: Mapping[str, Any]) -> str:
    """Return the published id that the twins of a row of the index share."""
    group: str = row["qID"].rpartition("-")[0]
    return group


def as_item(question: TwinItem) -> Item:
    """Return a question as an item that may be changed in any way."""
    return Item(**{field.name: getattr(question, field.name) for field in fields(Item)})


OPEN_SPLITS = tuple(name for name in SPLITS if name != BLIND)


def in_open_splits(user: User) -> Q:
    """Select rows of sets whose answers *user* may read.

    These are reference sets that the user sees, splits of public releases that are not blind, and
    all of a member's campaigns.
    """
    of_sets = Q(reference_set__in=ReferenceSet.objects.visible_to(user))
    public = Q(release__in=Release.objects.public(), split__in=OPEN_SPLITS)
    return of_sets | public | Release.of_member(user, "release__")


def in_public_sets(user: User, path: str) -> Q:
    """Select rows whose set at a path is one that *user* sees, or none."""
    public = Q((f"{path}reference_set__in", ReferenceSet.objects.visible_to(user)))
    published = Q((f"{path}release__in", Release.objects.visible_to(user)))
    none = Q((f"{path}reference_set", None), (f"{path}release", None))
    return public | published | none
