"""Withdrawal of consent: a person leaves a campaign, and what they hold returns."""

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from collection.models import Campaign, Consent
from collection.selectors.consents import consents_of, is_withdrawn
from collection.services.crowd.sessions import end_sessions_of, release_held
from collection.services.joining.background import delete_background
from collection.services.writing.assignments import one_at_a_time
from winoplatform import clock
from winoplatform.errors import Conflict
from workers.models import User


@transaction.atomic
def withdraw_consent(*, worker: User, campaign: Campaign) -> list[Consent]:
    """Withdraw all that *worker* has accepted in a campaign, and return what they hold there.

    They get no work of it until they accept again. Their work and its pay stay; their
    answers to optional questions are deleted. Repeating it changes nothing.

    Returns
    -------
    list of Consent
        All consents of the campaign, newest first.

    Raises
    ------
    DomainError
        ``nothing_accepted`` if they have never accepted anything there.
    """
    one_at_a_time(worker)
    given = consents_of(worker).filter(guideline__campaign=campaign)
    if not given.exists():
        raise Conflict("nothing_accepted", _("You have not accepted anything in this campaign."))
    active = Consent.objects.active().filter(worker=worker, guideline__campaign=campaign)
    if active.update(withdrawn_at=Greatest(clock.now(), F("created_at"))):
        _let_go(worker, campaign)
    return list(given.all())


def _let_go(worker: User, campaign: Campaign) -> None:
    """Return the held work; sessions come last, as a submission locks them last."""
    release_held(worker=worker, campaign=campaign)
    end_sessions_of(worker=worker, campaign=campaign)
    delete_background(worker=worker, campaign=campaign)


def refuse_if_withdrawn(*, worker: User, campaign: Campaign) -> None:
    """Refuse changes of earlier work by who has withdrawn (``consent_withdrawn``)."""
    if Campaign.objects.filter(is_withdrawn(worker, campaign), pk=campaign.pk).exists():
        raise Conflict(
            "consent_withdrawn",
            _(
                "You have withdrawn your consent in this campaign. Your work stays as it is; to "
                "change it, accept the guidelines again."
            ),
        )
