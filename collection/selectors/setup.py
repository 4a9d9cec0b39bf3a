"""What a campaign still needs before its workers can start."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from collection.core.quotes import quoted
from collection.models import Campaign, ExerciseItem, SettingsChange
from collection.selectors.able_people import validators_missing
from collection.selectors.terms import is_usual
from workers.models import Qualification


@dataclass(frozen=True, slots=True)
class Quotes:
    """Settings that the newest guidelines quote as they were before: name, then and now."""

    version: int
    changes: tuple[tuple[str, Any, Any], ...]


def settings_at(campaign: Campaign, at: datetime) -> dict[str, Any]:
    """Return a campaign's settings at a time; as far back as its history goes."""
    stood = campaign.settings
    later = SettingsChange.objects.filter(campaign=campaign, created_at__gt=at).order_by("-pk")
    for before in later.values_list("before", flat=True):
        stood |= before
    return stood


def outdated_quotes(campaign: Campaign) -> Quotes | None:
    """Return what the newest guidelines quote and has changed since; None for nothing."""
    guideline = campaign.guideline
    if guideline is None:
        return None
    then, now = settings_at(campaign, guideline.created_at), campaign.settings
    changed = {name: then[name] for name, value in now.items() if then[name] != value}
    names = quoted(guideline.text + "\n" + guideline.aids_policy, changed)
    changes = tuple((name, then[name], now[name]) for name in names)
    return Quotes(guideline.version, changes) if changes else None


WRITE, VALIDATE = Qualification.Skill.WRITE, Qualification.Skill.VALIDATE


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the checklist; a campaign cannot open while a required one is missing."""

    code: str
    is_done: bool
    is_required: bool = False
    count: int = 0


def checklist(campaign: Campaign) -> tuple[Line, ...]:
    """Return what the campaign has and what is missing, in the order of the steps.

    The codes are ``articles``, ``guidelines``, ``exercise`` (writers), ``validating``
    (validators), ``pay`` (who pays, and when), ``contact`` and ``people`` (enough validators).
    """
    n_articles = campaign.articles.current().count()
    has_work = bool(n_articles) or campaign.twins.exists()
    newest = campaign.guideline
    missing = validators_missing([campaign])[campaign.pk]
    current = ExerciseItem.objects.filter(campaign=campaign, retired_at=None)
    skills = list(current.values_list("skill", flat=True))
    return (
        Line("articles", has_work, is_required=True, count=n_articles),
        Line("guidelines", newest is not None, count=newest.version if newest else 0),
        Line("exercise", WRITE in skills, count=skills.count(WRITE)),
        Line("validating", VALIDATE in skills, count=skills.count(VALIDATE)),
        Line("pay", bool(campaign.pay_terms)),
        Line("contact", newest is not None and not is_usual(newest, "contact")),
        Line("people", not missing, count=missing),
    )
