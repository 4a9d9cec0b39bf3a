"""Texts that a new campaign starts with: guidelines, training and test, by what is written."""

import json
from pathlib import Path
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, ExerciseItem, rights_in
from collection.models.guidelines import IN_VERSION
from collection.services.campaigns.campaigns import create_campaign
from collection.services.joining.exercise import ItemText, set_exercise
from winoplatform.db import locks
from winoplatform.http.rights import Right
from workers.models import Qualification, User

FILES = Path(__file__).resolve().parents[2] / "starter"
EXERCISES = (
    ("exercise", Qualification.Skill.WRITE, ExerciseItem.Part.TEST),
    ("validator_training", Qualification.Skill.VALIDATE, ExerciseItem.Part.TRAINING),
)
EXERCISE_LENGTH = 3
"""Items of the templates that are asked at once; the others are for second attempts."""
RULE = (
    "2. Write about **people** (first names of the same gender) or **things** (both singular or "
    "plural; no animals, brands, places)."
)
COUNTS = "if most validators choose your answer, find it clear, and do not know it from the words"
COUNTS_BY = {
    Campaign.Policy.MAJORITY: COUNTS,
    Campaign.Policy.UNANIMOUS: "if every validator chooses your answer and finds it clear, and "
    "most do not know it from the words",
}


class Task(models.TextChoices):
    """What writers write about."""

    BOTH = "both", _("Twins about people and things")
    PEOPLE = "people", _("Twins about people only")
    THINGS = "things", _("Twins about things only")


RULES = {
    Task.BOTH: RULE,
    Task.PEOPLE: "2. Write about **people**: first names of the same gender. Twins about "
    "things do not belong in this campaign.",
    Task.THINGS: "2. Write about **things**: both singular or both plural; no animals, brands, "
    "places. Twins about people do not belong in this campaign.",
}


def starter_fields() -> dict[str, Any]:
    """Return the settings and guidelines of the starter campaign."""
    fields: dict[str, Any] = json.loads((FILES / "campaign.json").read_text())
    return fields


def guidelines_for(task: str, campaign: Campaign) -> str:
    """Return guidelines for writers and validators, with the campaign's own limits."""
    text: str = starter_fields()["guidelines"]
    changes = {
        RULE: RULES[Task(task)],
        "15 to 30 words": f"{campaign.min_words} to {campaign.max_words} words",
        "70% of the words": f"{campaign.min_overlap * 100:.0f}% of the words",
        COUNTS: COUNTS_BY[Campaign.Policy(campaign.verdict_policy)],
    }
    for part, new in changes.items():
        if part not in text:
            raise LookupError(f"The starter's guidelines do not have: {part}")
        text = text.replace(part, new)
    return text


def set_starter_exercises(campaign: Campaign, *, task: str = Task.BOTH) -> None:
    """Give a campaign the starter's test for writers and training for validators, on its task."""
    about = "" if task == Task.BOTH else f"_{Task(task)}"
    for name, skill, part in EXERCISES:
        items = json.loads((FILES / f"{name}{about}.json").read_text())
        set_exercise(
            campaign=campaign,
            items=[ItemText(**item | {"choices": tuple(item["choices"])}) for item in items],
            skill=skill,
            part=part,
        )


@transaction.atomic
def create_from_template(*, task: str, by: User, **fields: Any) -> Campaign:
    """Create a draft campaign with guidelines, training and test that its curator can change.

    A repeated request with the same ``public_id`` returns the campaign that the first one made.
    """
    locks.take_turns("new-campaign")
    planned = Campaign(**{name: value for name, value in fields.items() if name not in IN_VERSION})
    made = Campaign.objects.filter(public_id=planned.public_id).first()
    if made is not None and Right.SEE in rights_in(by, made):
        return made
    campaign = create_campaign(
        by=by,
        guidelines=guidelines_for(task, planned),
        aids_policy=starter_fields()["aids_policy"],
        **fields,
    )
    set_starter_exercises(campaign, task=task)
    return campaign
