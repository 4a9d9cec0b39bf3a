"""Which files a copy of a release has, what it tells, and what refuses it."""

import hashlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from django.conf import settings
from django.db.models import QuerySet

from corpora.core.bundle import layout
from corpora.core.bundle.licences import spdx_licence
from corpora.models import Release, ReleaseFile
from corpora.selectors import notices_of, read_manifest
from publishing.core.copies import (
    AMENDED,
    MOST_BYTES,
    Amendment,
    Notice,
    Outgoing,
    document_of_copy,
    refuse_blind,
)
from publishing.core.places import HUB, ZENODO, Place
from publishing.models import Publication
from winoplatform.artifacts import store
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from workers.models import Proposal

ARCHIVE = ".zip"


def endpoint_of(place: Place) -> str:
    """Return the address that the operator has set for a target."""
    address: str = settings.HF_ENDPOINT if place.target == HUB else settings.ZENODO_URL
    return address


def token_of(place: Place) -> str:
    """Return the operator's token; refuse a target without one."""
    name = "HUB_TOKEN" if place.target == HUB else "ZENODO_TOKEN"
    token: str = getattr(settings, name)
    if not token:
        raise Conflict(
            "target_not_set_up",
            f"This installation has no {name}. Ask its operator to set it, as the documents say.",
        )
    if not (token.isascii() and token.isprintable() and " " not in token):
        # Refused here: a client's own error would quote the token.
        raise Conflict(
            "target_not_set_up",
            f"{name} has a space, a line break or another character that no token has. Ask this "
            "installation's operator to set it again.",
        )
    return token


def at_place(place: Place) -> QuerySet[Publication]:
    """Return all publications at a place of the endpoint that is set now, newest first."""
    return Publication.objects.filter(
        target=place.target, repository=place.repository, endpoint=endpoint_of(place)
    ).order_by("-pk")


def finished_copy(release: Release, place: Place) -> Publication | None:
    """Return the newest publication of a release at a place that is done."""
    return at_place(place).filter(release=release, status=RunStatus.DONE).first()


def finished_copies(release: Release) -> list[Publication]:
    """Return the newest finished publication of a release at each place of today's endpoints."""
    done = Publication.objects.filter(release=release, status=RunStatus.DONE).order_by("-pk")
    newest: dict[Place, Publication] = {}
    for one in done:
        if one.endpoint == endpoint_of(one.place):
            newest.setdefault(one.place, one)
    return list(newest.values())


def newest_at(release: Release, place: Place) -> Publication | None:
    """Return the last finished publication of the campaign at a place.

    On Zenodo each release has a record of its own, so it is the release's.
    """
    if place.target == ZENODO:
        return finished_copy(release, place)
    return _of_campaign(release, place).filter(status=RunStatus.DONE).first()


def _of_campaign(release: Release, place: Place) -> QuerySet[Publication]:
    campaign = release.snapshot.campaign_id
    return at_place(place).filter(release__snapshot__campaign=campaign).select_related("release")


def earlier_record(release: Release, place: Place) -> Publication | None:
    """Return the campaign's newest record on Zenodo of another release, for a new version of it."""
    done = _of_campaign(release, place).filter(status=RunStatus.DONE)
    return done.exclude(release=release).first()


def names_there(release: Release, place: Place) -> set[str]:
    """Return the names of files that the campaign's publications at a place may have sent."""
    steps = (
        _of_campaign(release, place).filter(steps__number=1).values_list("steps__result", flat=True)
    )
    return {name for result in steps for name in result.get("names", ())}


def refuse_unpublishable(release: Release, place: Place) -> None:
    """Refuse what may not leave the platform.

    Raises
    ------
    DomainError
        ``run_not_done``; ``needs_second_person`` while somebody has to decide about the
        release; ``release_not_public`` if it is for members alone; ``release_retracted`` if it is
        retracted and no copy stands at the place, which would have to tell it;
        ``newer_release_there``; on Zenodo ``authors_missing`` and ``licence_unknown``.
    """
    refuse_everywhere(release)
    if release.retracted_at is not None and finished_copy(release, place) is None:
        raise _retracted()
    if place.target == ZENODO:
        _refuse_undescribed(release)
    else:
        _refuse_older(release, place)


def refuse_everywhere(release: Release) -> None:
    """Refuse a release that can be sent to no place at all.

    Raises
    ------
    DomainError
        The first four of `refuse_unpublishable`.
    """
    if release.status != RunStatus.DONE:
        raise Conflict("run_not_done", "Only a finished release can be published.")
    if Proposal.objects.open().filter(release=release.public_id).exists():
        raise Conflict(
            "needs_second_person",
            "A second person has yet to decide about this release. Publish it afterwards.",
        )
    if not release.is_public:
        raise Conflict(
            "release_not_public",
            "This release is for members alone. Publish one that everyone may read.",
        )
    if release.retracted_at is not None and not finished_copies(release):
        raise _retracted()


def _retracted() -> DomainError:
    return Conflict("release_retracted", "This release is retracted, so it is not published.")


def _refuse_undescribed(release: Release) -> None:
    """Refuse what Zenodo would fill in by itself: it gives a data set without a licence CC0."""
    if not any(name.strip() for name in release.authors):
        raise Conflict("authors_missing", "Zenodo asks for authors, and this release names none.")
    if spdx_licence(release.licence) is None:
        raise Conflict(
            "licence_unknown",
            f"Zenodo asks for a licence that it knows, and “{release.licence}” is none.",
        )


def _refuse_older(release: Release, place: Place) -> None:
    newest = newest_at(release, place)
    if newest is not None and newest.release.pk > release.pk:
        raise Conflict(
            "newer_release_there",
            f"{place.repository} has a newer release, {newest.release.name}. Choose another "
            "repository.",
        )


def told_by(release: Release, place: Place) -> Amendment:
    """Return what a copy would tell now: the DOI, and notices about what stands or stood there."""
    if place.target == ZENODO:
        return Amendment(notices=tuple(_notices([release])))
    record = finished_copy(release, Place(ZENODO))
    before = {one.release for one in _of_campaign(release, place).filter(status=RunStatus.DONE)}
    releases = sorted({*before, release}, key=lambda one: one.pk)
    return Amendment(record.doi if record else "", tuple(_notices(releases)))


def untold(current: Publication, place: Place) -> list[Notice]:
    """Return the notices that a place has yet to tell.

    Parameters
    ----------
    current
        As `newest_at` returns it.
    """
    told = current.says.notices
    return [one for one in told_by(current.release, place).notices if one not in told]


def _notices(releases: list[Release]) -> Iterator[Notice]:
    for release in releases:
        for one in notices_of(release):
            at = one.at.date().isoformat()
            yield Notice(one.kind, release.name, release.version, at, one.text)


def files_of_copy(release: Release, place: Place, told: Amendment) -> list[Outgoing]:
    """Return the files of a copy, in their order; none of them is restricted.

    The Hub gets the single files, Zenodo the archive, as built, and the documents beside it.

    Raises
    ------
    DomainError
        ``document_too_large`` if a document that has to be amended is.
    ValueError
        When a file is one that only members may read.
    """
    files = list(release.files.filter(restricted=False).select_related("artifact"))
    archive = f"{release.name}{ARCHIVE}"
    if place.target == ZENODO:
        files = [file for file in files if file.name in (*AMENDED, archive)]
    else:
        files = [file for file in files if file.name != archive]
    refuse_blind([file.name for file in files])
    by_name = {file.name: file for file in files}
    return [_outgoing(by_name[name], told) for name in layout.in_order(by_name)]


def _outgoing(file: ReleaseFile, told: Amendment) -> Outgoing:
    artifact = file.artifact
    if file.name in AMENDED and (told.doi or told.notices):
        text = _text(file)
        data = document_of_copy(file.name, text, told, release=file.release.name).encode()
        sha256 = hashlib.sha256(data).hexdigest()
        return Outgoing(file.name, len(data), sha256, lambda: io.BytesIO(data))
    return Outgoing(file.name, artifact.size, artifact.sha256, lambda: _opened(file))


def _opened(file: ReleaseFile) -> IO[bytes]:
    """Open a file as a buffered one, which the Hub's client sends by plain HTTP."""
    opened: Any = store.open_artifact(file.artifact)
    stream: IO[bytes] = getattr(opened, "file", opened)
    return stream


def _text(file: ReleaseFile) -> str:
    try:
        with store.open_artifact(file.artifact) as stored:
            data = stored.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise Conflict(
            "file_missing",
            f"{file.name} of this release is missing in this installation's store. Ask its "
            "operator to restore it from a backup.",
        ) from error
    if len(data) > MOST_BYTES:
        raise Conflict(
            "document_too_large",
            f"{file.name} has more than {MOST_BYTES} bytes, so the copy cannot name a DOI, a "
            "retraction or an erratum in it.",
        )
    return data.decode()


def manifest_of(release: Release) -> dict[str, Any]:
    """Return what the release says of itself."""
    return read_manifest(release)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a publication would send, before anything is sent.

    Parameters
    ----------
    place : Place
    address : str
        Of the target.
    files : tuple of mapping
        Name, size in bytes, SHA-256, and whether it ``is_new`` at the place. On Zenodo, README.md
        and CITATION.cff will name the DOI, which Zenodo has yet to give.
    told : Amendment
    nothing_to_send : bool
        Whether the copy stands there as it would be sent.
    """

    place: Place
    address: str
    files: tuple[Mapping[str, Any], ...]
    told: Amendment
    nothing_to_send: bool

    @property
    def to(self) -> str:
        return str(self.place)

    @property
    def size(self) -> int:
        """Bytes of the files that are new at the place."""
        return sum(file["size"] for file in self.files if file["is_new"])

    @property
    def visibility(self) -> str:
        if self.place.target == ZENODO:
            return "public"
        return "public; a repository that exists keeps the visibility that it has"


def publication_plan(release: Release, place: Place) -> Plan:
    """Return what would be sent now; refuse as the publication would."""
    refuse_unpublishable(release, place)
    told = told_by(release, place)
    newest = newest_at(release, place)
    stands = finished_copy(release, place)
    is_same = newest is not None and newest == stands and newest.says == told
    there = {file["name"]: file["sha256"] for file in newest.facts} if newest else {}
    sends_files = place.target == HUB or stands is None
    files = tuple(
        {**file.facts, "is_new": sends_files and there.get(file.name) != file.sha256}
        for file in files_of_copy(release, place, told)
    )
    return Plan(place, endpoint_of(place), files, told, is_same)
