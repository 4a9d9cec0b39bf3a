"""Services of guidelines: publishing and consent."""

from django.db import transaction

from collection.models import Campaign, Consent, Guideline
from winoplatform.errors import DomainError
from workers.models import Qualification, User


@transaction.atomic
def publish_guideline(
    *, campaign: Campaign, text: str, aids_policy: str = "", by: User | None = None
) -> Guideline:
    """Publish a new version of a campaign's guidelines; writers must accept it to continue.

    The same text and policy again returns the newest version; line endings and trailing empty lines
    are ignored in the comparison.
    """
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    newest: Guideline | None = campaign.guideline
    if newest and _plain(newest.text, newest.aids_policy) == _plain(text, aids_policy):
        return newest
    guideline = Guideline(
        campaign=campaign,
        version=newest.version + 1 if newest else 1,
        text=text,
        aids_policy=aids_policy,
        created_by=by,
    )
    guideline.full_clean()
    guideline.save()
    return guideline


def _plain(*texts: str) -> list[str]:
    return [text.replace("\r\n", "\n").strip() for text in texts]


@transaction.atomic
def accept_guideline(
    *, worker: User, campaign: Campaign, version: int, skill: str = Qualification.Skill.WRITE
) -> Consent:
    """Record that *worker* has read and accepts a version for one kind of work.

    Repeating it changes nothing.

    Raises
    ------
    DomainError
        ``guideline_outdated`` if another version is the newest.
    """
    newest = campaign.guideline
    if newest is None or newest.version != version:
        raise DomainError(
            "guideline_outdated",
            "The guidelines have changed. Please read and accept the latest version.",
            status=409,
            details={"version": newest.version if newest else None},
        )
    consent, _ = Consent.objects.get_or_create(worker=worker, guideline=newest, skill=skill)
    return consent
