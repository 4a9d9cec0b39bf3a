"""Services of guidelines: publishing and consent."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from collection.core.guidelines import remote_images
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
    for field in ("text", "aids_policy"):
        _refuse_remote_images(field, getattr(guideline, field))
    guideline.full_clean()
    guideline.save()
    return guideline


def _refuse_remote_images(field: str, text: str) -> None:
    # The other host would learn who reads the guidelines, and when.
    if found := remote_images(text):
        sentence = _("Images of other sites are not allowed: %s. Link to the image instead.")
        raise ValidationError({field: sentence % found[0][:200]})


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
