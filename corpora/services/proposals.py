"""Do what a second person has confirmed: publish or retract a release, erase a person.

To publish a release can be asked for again after it was declined.
"""

from django.db import transaction

from collection.services import confirm_erasure
from corpora.models import PublishedRun
from corpora.selectors import ended_publication, release_proposed
from corpora.services.releases import publish_or_propose, retract, unretracted
from winoplatform.errors import Conflict, existing
from workers.models import AuditEvent, Proposal, User
from workers.services import Erasure, audit, decide


@transaction.atomic
def confirm(*, proposal: Proposal, by: User) -> PublishedRun | Erasure:
    """Confirm a proposal as the second person, and do what it asks for; return what was done.

    Raises
    ------
    DomainError
        As `workers.services.decide`; ``not_publishable`` while the release is not done, or once it
        is retracted; as `retract_release` and `workers.services.erase_person`.
    """
    if proposal.kind == Proposal.Kind.ERASURE:
        return confirm_erasure(proposal=proposal, by=by)
    decided = decide(proposal=proposal, outcome=Proposal.Outcome.CONFIRMED, by=by)
    release = release_proposed(decided)
    if decided.kind == Proposal.Kind.RETRACTION:
        return retract(release, decided.reason, by=decided.by, confirmed_by=by)
    return _publish(release, by)


@transaction.atomic
def ask_again(*, proposal: Proposal, by: User) -> Proposal:
    """Propose once more to publish a release, after *proposal* to was declined or withdrawn.

    Raises
    ------
    DomainError
        ``not_found``; ``not_publishable`` unless the release is done, for members alone and not
        retracted, and *proposal* was the last one to publish it; ``already_proposed``.
    """
    before = existing(Proposal.objects.visible_to(by).filter(pk=proposal.pk).first(), "proposal")
    release = release_proposed(before) if before.kind == Proposal.Kind.RELEASE else None
    if release is None or ended_publication(release) != before:
        message = "Only what was asked last about a finished release for members is asked again."
        raise Conflict("not_publishable", message)
    publish_or_propose(release, by=by)
    return Proposal.objects.open().get(kind=before.kind, release=before.release)


def _publish(release: PublishedRun, by: User) -> PublishedRun:
    if not unretracted(release).update(is_public=True):
        raise Conflict(
            "not_publishable", "Only a finished release that is not retracted can be made public."
        )
    release.refresh_from_db()
    audit.record(AuditEvent.Kind.PUBLISHED, by=by, what=f"{release.noun} {release.name}")
    return release
