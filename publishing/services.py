"""Publish copies of releases outside, and what refuses it."""

import logging
from dataclasses import asdict

from django.db import transaction

from corpora.models import Release
from publishing import selectors
from publishing.core.places import Place, place_from
from publishing.models import Publication
from publishing.selectors import Plan
from winoplatform.errors import DomainError
from winoplatform.runs.models import Run
from winoplatform.runs.start import resume, start
from workers.models import AuditEvent, User
from workers.services import audit

log = logging.getLogger(__name__)


def place_named(text: str) -> Place:
    """Read the name of a place; refuse what is none."""
    try:
        return place_from(text)
    except ValueError as error:
        raise DomainError("place_unknown", str(error)) from error


def plan_publication(*, release: Release, to: str) -> Plan:
    """Return what `publish_release` would send, without sending anything.

    Raises
    ------
    DomainError
        As `publish_release`, except for a token that is not set.
    """
    return selectors.publication_plan(release, place_named(to))


@transaction.atomic
def publish_release(*, release: Release, to: str, by: User | None) -> Publication:
    """Send a copy of a release to ``hub:organisation/name`` or ``zenodo``.

    The same request again gives the publication that is under way, resumes one that failed, or
    gives the finished one if the copy stands as it would be sent: then nothing is sent.

    Raises
    ------
    DomainError
        ``place_unknown``, ``target_not_set_up``, and as `selectors.refuse_unpublishable`.
    """
    place = place_named(to)
    # One request about a release at a time, so that the second one sees the first one's row.
    Release.objects.select_for_update(of=("self",)).get(pk=release.pk)
    release.refresh_from_db()
    plan = selectors.publication_plan(release, place)
    if plan.nothing_to_send:
        return _finished(release, place)
    selectors.token_of(place)
    last = selectors.at_place(place).filter(release=release).first()
    if last is not None and last.status in Run.OPEN:
        return last
    if last is not None and last.ended_without_result and last.says == plan.told:
        resume(last)
        return last
    return _start(plan, release, by)


def _finished(release: Release, place: Place) -> Publication:
    copy = selectors.finished_copy(release, place)
    assert copy is not None  # as the plan says
    return copy


def _start(plan: Plan, release: Release, by: User | None) -> Publication:
    run = Publication(
        release=release,
        target=plan.place.target,
        repository=plan.place.repository,
        endpoint=plan.address,
        told=asdict(plan.told),
        created_by=by,
    )
    start(run)
    audit.record(AuditEvent.Kind.PUBLISHED, by=by, what=f"release {release.name} to {plan.to}")
    return run


@transaction.atomic
def send_notices(*, release: Release) -> list[Publication]:
    """Send retraction and errata to each place that has or had a copy; return what started.

    On the Hub, the release that is in the repository now tells them. What cannot be sent, for
    example without a token or because a file is missing, is left and logged, so that the
    retraction or the erratum holds: the same request as for the copy sends it later.
    """
    started = []
    for copy in selectors.finished_copies(release):
        try:
            with transaction.atomic():
                run = _send_notices_to(copy.place, release)
        except DomainError as refusal:
            log.warning("%s is not told about %s: %s", copy.place, release.name, refusal.message)
        except Exception:
            log.exception("%s is not told about %s", copy.place, release.name)
        else:
            started += [run] if run else []
    return started


def _send_notices_to(place: Place, release: Release) -> Publication | None:
    current = selectors.newest_at(release, place)
    if current is None or not selectors.untold(current, place):
        return None
    return publish_release(release=current.release, to=str(place), by=None)
