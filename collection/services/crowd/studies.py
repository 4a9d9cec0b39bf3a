"""Services of studies, for curators: offer a campaign's work on a crowd platform."""

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction

from collection.crowd import PROVIDERS, Provider, Setup, StudyFacts
from collection.crowd.base import is_web_address
from collection.crowd.generic import signed_link
from collection.models import Campaign, Study
from winoplatform.errors import Conflict, DomainError
from workers.models import AuditEvent
from workers.services import audit

LINKS_MAX = 1000
LINK_HOURS = 24


def facts(study: Study) -> StudyFacts:
    """Return the facts of a study that its adapter needs."""
    return StudyFacts(
        id=str(study.public_id),
        secret=study.secret,
        event_secret=study.event_secret,
        return_url=study.return_url,
        sandbox=settings.CROWD_SANDBOX_URL,
    )


def provider_of(study: Study) -> Provider:
    return PROVIDERS[study.provider]


@transaction.atomic
def create_study(*, campaign: Campaign, **fields: Any) -> Study:
    """Create a study, which offers a campaign's work on a crowd platform.

    A missing or empty secret or code is generated.
    """
    return _save(Study(campaign=campaign, **_without_empty(fields)))


@transaction.atomic
def update_study(*, study: Study, **changes: Any) -> Study:
    """Change a study; a new secret invalidates every link signed with the old one."""
    locked = Study.objects.select_for_update(of=("self",)).select_related("campaign").get(
        pk=study.pk
    )  # fmt: skip
    for name, value in _without_empty(changes).items():
        setattr(locked, name, value)
    return _save(locked)


MADE_WHEN_EMPTY = ("secret", "completion_code", "screen_out_code", "failure_code")


def _without_empty(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value or name not in MADE_WHEN_EMPTY}


def _save(study: Study) -> Study:
    # full_clean() skips a field that is not editable, but not its constraint.
    study.full_clean()
    if study.return_url and not is_web_address(study.return_url, sandbox=facts(study).sandbox):
        raise DomainError(
            "return_url_unsafe",
            "The return address must start with https:// and must not contain a user name or "
            "password.",
        )
    study.save()
    return study


def close_study(*, study: Study) -> Study:
    """Refuse new participants; sessions that have begun continue. Idempotent."""
    Study.objects.filter(pk=study.pk).update(is_open=False)
    study.is_open = False
    return study


def setup_of(study: Study) -> Setup:
    """Return what a curator enters on the platform; it does not contain the secret."""
    campaign = study.campaign
    return provider_of(study).setup(
        facts(study),
        origin=settings.PUBLIC_URL,
        min_approvals=campaign.min_approvals,
        min_approval_rate=campaign.min_approval_rate,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantLink:
    participant: str
    session: str
    link: str


def make_links(
    *, study: Study, participants: Sequence[str], hours: int = LINK_HOURS, **more: str
) -> list[ParticipantLink]:
    """Sign a link for each participant, so that the secret stays here.

    Parameters
    ----------
    more
        ``approvals``, ``approval_rate`` and ``return_to``, the same for all links.

    Raises
    ------
    DomainError
        ``links_not_signed`` if the platform builds its links itself.
    """
    provider = provider_of(study)
    if not provider.signs_arrivals:
        raise Conflict(
            "links_not_signed",
            f"{study.get_provider_display()} fills the participant's id into one link for all; "
            "see the study.",
        )
    expires = str(int(time.time()) + 3600 * hours)
    audit.record(AuditEvent.Kind.STUDY_LINKS, what=f"study {study.public_id}", n=len(participants))
    return [_link(study, {"participant": who, "expires": expires, **more}) for who in participants]


def _link(study: Study, fields: dict[str, str]) -> ParticipantLink:
    fields = fields | {"session": secrets.token_hex(8)}
    link = signed_link(facts(study), origin=settings.PUBLIC_URL, fields=fields)
    return ParticipantLink(participant=fields["participant"], session=fields["session"], link=link)
