"""Do what a second person has confirmed: publish or retract a release, erase a person."""

from django.db import transaction

from collection.services import confirm_erasure
from corpora.models import PublishedRun
from corpora.selectors import release_proposed
from corpora.services.releases import retract, unretracted
from winoplatform.errors import Conflict
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


def _publish(release: PublishedRun, by: User) -> PublishedRun:
    if not unretracted(release).update(is_public=True):
        raise Conflict(
            "not_publishable", "Only a finished release that is not retracted can be made public."
        )
    release.refresh_from_db()
    audit.record(AuditEvent.Kind.PUBLISHED, by=by, what=f"{release.noun} {release.name}")
    return release
