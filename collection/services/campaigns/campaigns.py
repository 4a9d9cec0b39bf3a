"""Services of campaigns, for curators."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from collection.imports import history
from collection.models import Assignment, Campaign, Membership
from collection.models.guidelines import IN_VERSION
from collection.services.campaigns import budget
from collection.services.campaigns.attributes import default_attributes, set_attributes
from collection.services.joining.guidelines import publish_guideline
from collection.signals import campaign_closed
from winoplatform.errors import Conflict
from workers.models import LedgerEntry, User

MOVES = {
    Campaign.Status.DRAFT: {Campaign.Status.OPEN},
    Campaign.Status.OPEN: {Campaign.Status.PAUSED, Campaign.Status.CLOSED},
    Campaign.Status.PAUSED: {Campaign.Status.OPEN, Campaign.Status.CLOSED},
    Campaign.Status.CLOSED: set(),
}


@transaction.atomic
def create_campaign(
    *, guidelines: str = "", aids_policy: str = "", by: User | None = None, **fields: Any
) -> Campaign:
    """Create a campaign; thresholds and rewards have the paper's values by default.

    *guidelines*, and what *fields* has of ``IN_VERSION``, become the first version; the attribute
    table is the default one. Who creates it owns it; without anyone, all who are curators now do.
    """
    terms = _terms_in(fields)
    campaign = Campaign(**fields)
    campaign.full_clean()
    campaign.save()
    history.begin(campaign, by=by)
    Membership.objects.make_owners(campaign, by=by)
    if guidelines or any(terms.values()):
        publish_guideline(
            campaign=campaign, text=guidelines, aids_policy=aids_policy, by=by, **terms
        )
    set_attributes(campaign=campaign, rows=default_attributes())
    return campaign


@transaction.atomic
def update_campaign(
    *, campaign: Campaign, guidelines: str | None = None, by: User | None = None, **changes: Any
) -> Campaign:
    """Change a campaign's settings; existing twins, votes and pay stay as they are.

    A twin keeps the limits, the number of votes and the policy under which it was submitted. Each
    change is noted in the history of settings. Different *guidelines*, or others of ``IN_VERSION``
    in *changes*, become a new version, with the rest as it is.

    Raises
    ------
    DomainError
        ``currency_fixed`` once work was handed out or anything is owed, ``people_fixed`` if
        simulated people have worked and would be called otherwise, ``second_approval_kept`` if a
        curator would approve more alone, ``second_person_kept`` if a curator would do more alone,
        ``budget_exhausted`` if more would be committed than the
        cap allows.
    """
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    terms = _terms_in(changes)
    if locked.people_origin == User.Origin.SIMULATED:
        _refuse_other_people(locked, changes)
    if changes.get("currency", locked.currency) != locked.currency:
        _refuse_other_currency(locked)
    if "second_approval_above" in changes:
        _refuse_less_approval(locked, changes["second_approval_above"], by)
    if "second_person" in changes:
        _refuse_fewer_second_persons(locked, changes["second_person"], by)
    before = locked.settings
    for name, value in changes.items():
        setattr(locked, name, value)
    locked.full_clean()
    locked.save(update_fields=list(changes))
    history.note(locked, before=before, by=by)
    if COSTLY & set(changes):
        budget.refuse_beyond_cap(locked)
    if guidelines is not None or terms:
        _change_guidelines(locked, guidelines, terms, by)
    return locked


def try_update(*, campaign: Campaign, by: User | None = None, **changes: Any) -> None:
    """Raise what ``update_campaign`` would raise; nothing is stored."""
    with transaction.atomic():
        update_campaign(campaign=campaign, by=by, **changes)
        transaction.set_rollback(True)


COSTLY = {"reward_twin", "reward_vote", "votes_per_question", "budget_cap"}


def _refuse_other_currency(campaign: Campaign) -> None:
    """Refuse a change of currency once pay was promised: it is owed in that currency."""
    owed = LedgerEntry.objects.filter(budget=campaign.public_id)
    if owed.exists() or Assignment.objects.filter(campaign=campaign).exists():
        raise Conflict(
            "currency_fixed",
            f"Pay was promised in {campaign.currency} already, so the currency cannot change. "
            "Create another campaign to pay in another currency.",
        )


def _refuse_other_people(campaign: Campaign, changes: Mapping[str, Any]) -> None:
    """Refuse to call simulated people otherwise, once they have worked."""
    wanted = changes.get("people_origin", campaign.people_origin)
    if wanted != campaign.people_origin and campaign.twins.exists():
        raise Conflict(
            "people_fixed",
            _(
                "The people of this campaign are simulated, and there is work of theirs. Create "
                "another campaign for other people."
            ),
        )


def _refuse_less_approval(campaign: Campaign, above: Decimal | None, by: User | None) -> None:
    """Refuse a curator who would raise or remove the sum above which a second one approves."""
    now_is = campaign.second_approval_above
    if by is None or by.role == User.Role.ADMIN or now_is is None:
        return
    if above is None or above > now_is:
        raise Conflict(
            "second_approval_kept",
            _(
                "Only an admin can raise or remove the sum above which a second curator approves: "
                "one curator alone could otherwise pay any sum."
            ),
        )


def _refuse_fewer_second_persons(
    campaign: Campaign, kinds: Collection[str], by: User | None
) -> None:
    """Refuse a curator who would do alone what needs a second person."""
    is_free = by is None or by.role == User.Role.ADMIN
    if not is_free and not {*campaign.second_person} <= {*kinds}:
        raise Conflict(
            "second_person_kept",
            _(
                "Only an admin can do without the second person: one curator alone could otherwise "
                "publish, retract or erase."
            ),
        )


def _terms_in(fields: dict[str, Any]) -> dict[str, Any]:
    """Take what is part of a version out of *fields*."""
    return {name: fields.pop(name) for name in IN_VERSION if name in fields}


def _change_guidelines(
    campaign: Campaign, text: str | None, terms: Mapping[str, Any], by: User | None
) -> None:
    newest = campaign.guideline
    if text == "" and newest and newest.text:
        raise ValidationError(
            {"guidelines": _("Workers have accepted guidelines, so they cannot be empty.")}
        )
    if text is None:
        text = newest.text if newest else ""
    # Without a version, empty terms are as usual already.
    if text or any(terms.values()) or (newest and terms):
        aids_policy = newest.aids_policy if newest else ""
        publish_guideline(campaign=campaign, text=text, aids_policy=aids_policy, by=by, **terms)


@transaction.atomic
def change_status(*, campaign: Campaign, status: str) -> Campaign:
    """Change the status of a campaign (see the diagram in ``Campaign``).

    Raises
    ------
    DomainError
        ``status_not_reachable``; ``no_articles`` if it would open without any work;
        ``budget_exhausted`` if opening it would hand out work beyond its cap.
    """
    sources = [source for source, targets in MOVES.items() if status in targets]
    moved = Campaign.objects.filter(pk=campaign.pk, status__in=sources).update(status=status)
    campaign.refresh_from_db()
    if not moved:
        raise Conflict(
            "status_not_reachable",
            f"The campaign is {campaign.get_status_display()}; it cannot become {status}.",
        )
    if status == Campaign.Status.OPEN:
        _refuse_without_work(campaign)
        budget.refuse_beyond_cap(campaign)
    if status == Campaign.Status.CLOSED:
        campaign_closed.send(sender=Campaign, campaign=campaign)
    return campaign


def _refuse_without_work(campaign: Campaign) -> None:
    """Refuse to open a campaign with nothing to write about and nothing to validate."""
    if not (campaign.articles.current().exists() or campaign.twins.exists()):
        raise Conflict(
            "no_articles",
            f"“{campaign.name}” has no articles for writers. "
            "Import articles, or give withdrawn ones to writers again, then open it.",
        )


def refuse_unless_open(campaign: Campaign) -> None:
    """Refuse new work of any kind while a campaign is not open (``campaign_not_open``)."""
    if campaign.status != Campaign.Status.OPEN:
        raise Conflict(
            "campaign_not_open",
            f"“{campaign.name}” is {campaign.get_status_display()} and has no work at the moment.",
        )
