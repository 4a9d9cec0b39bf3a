"""What a campaign still needs before its workers can start."""

from dataclasses import dataclass

from collection.models import Campaign, ExerciseItem
from collection.selectors.able_people import validators_missing
from workers.models import Qualification

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
    n_articles = campaign.articles.count()
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
        Line("contact", bool(campaign.contact)),
        Line("people", not missing, count=missing),
    )
