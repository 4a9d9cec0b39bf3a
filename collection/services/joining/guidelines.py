"""Versions of what people accept before they work, and their consent."""

from collections.abc import Iterable, Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from collection.core.guidelines import remote_images
from collection.models import Campaign, Consent, Guideline
from collection.models.guidelines import TERMS
from collection.selectors.terms import usual_terms
from winoplatform.errors import Conflict
from workers.models import Qualification, User


@transaction.atomic
def publish_guideline(
    *,
    campaign: Campaign,
    text: str,
    aids_policy: str = "",
    by: User | None = None,
    shows_user_names: bool | None = None,
    **terms: str,
) -> Guideline:
    """Publish a new version of what a campaign's people accept; they must accept it to continue.

    The same texts again return the newest version; line endings and trailing empty lines are
    ignored in the comparison.

    Parameters
    ----------
    shows_user_names
        Whether curators see the user names of those who accept it; None leaves it as in the newest
        version.
    terms
        By name of ``TERMS``. One that is left out stays as in the newest version; an empty one is
        as usual, in words, so that a version has all that its readers saw.
    """
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    newest: Guideline | None = campaign.guideline
    texts = {"text": text, "aids_policy": aids_policy, **_terms(newest, terms)}
    names_before = newest is not None and newest.shows_user_names
    shows_user_names = names_before if shows_user_names is None else shows_user_names
    same_texts = newest and _plain(getattr(newest, name) for name in texts) == _plain(
        texts.values()
    )
    if newest and same_texts and shows_user_names == names_before:
        return newest
    guideline = Guideline(
        campaign=campaign,
        version=newest.version + 1 if newest else 1,
        shows_user_names=shows_user_names,
        created_by=by,
        **texts,
    )
    for name, words in texts.items():
        _refuse_remote_images(name, words)
    guideline.full_clean()
    guideline.save()
    return guideline


def _refuse_remote_images(field: str, text: str) -> None:
    # The other host would learn who reads the guidelines, and when.
    if addresses := remote_images(text):
        sentence = _("Images of other sites are not allowed: %s. Link to the image instead.")
        raise ValidationError({field: sentence % addresses[0][:200]})


def _terms(newest: Guideline | None, given: Mapping[str, str]) -> dict[str, str]:
    usual = usual_terms()
    stood = {name: getattr(newest, name) if newest else "" for name in TERMS}
    return {name: given.get(name, stood[name]).strip() or usual[name] for name in TERMS}


def _plain(texts: Iterable[str]) -> list[str]:
    return [text.replace("\r\n", "\n").strip() for text in texts]


@transaction.atomic
def accept_guideline(
    *, worker: User, campaign: Campaign, version: int, skill: str = Qualification.Skill.WRITE
) -> Consent:
    """Record that *worker* has read and accepts a version for one kind of work.

    Repeating it changes nothing; after a withdrawal it is another consent.

    Raises
    ------
    DomainError
        ``guideline_outdated`` if another version is the newest.
    """
    # As a withdrawal does, so that one comes before the other.
    User.objects.select_for_update(no_key=True).get(pk=worker.pk)
    newest = campaign.guideline
    if newest is None or newest.version != version:
        raise Conflict(
            "guideline_outdated",
            "The guidelines have changed. Please read and accept the latest version.",
            details={"version": newest.version if newest else None},
        )
    consent, _made = Consent.objects.active().get_or_create(
        worker=worker, guideline=newest, skill=skill
    )
    return consent
