"""The items of an exercise, replaced as a whole for a kind of work and a part."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Campaign, ExerciseItem
from workers.models import Qualification

ITEMS_MOST, CHOICES_MOST = 50, 10


@dataclass(frozen=True, slots=True)
class ItemText:
    """The text of one item; ``answer`` is the number of the right choice, from 1."""

    prompt: str
    choices: tuple[str, ...]
    answer: int
    explanation: str


@transaction.atomic
def set_exercise(
    *,
    campaign: Campaign,
    items: Sequence[ItemText],
    skill: str = Qualification.Skill.WRITE,
    part: str = ExerciseItem.Part.TEST,
) -> list[ExerciseItem]:
    """Replace one part of the exercise for a kind of work; an empty list removes it.

    Workers who have passed keep their qualification. The same items again change nothing.
    """
    # Serialized: of two concurrent calls, the later one replaces the items of the other.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    current = list(ExerciseItem.objects.current(campaign, skill, part))
    if [_text_of(item) for item in current] == list(items):
        return current
    made = _checked(campaign, skill, part, items)
    ExerciseItem.objects.current(campaign, skill, part).update(retired_at=timezone.now())
    return ExerciseItem.objects.bulk_create(made)


def _text_of(item: ExerciseItem) -> ItemText:
    return ItemText(item.prompt, tuple(item.choices), item.answer, item.explanation)


def _checked(
    campaign: Campaign, skill: str, part: str, items: Sequence[ItemText]
) -> list[ExerciseItem]:
    if len(items) > ITEMS_MOST:
        raise ValidationError(_("Training and test can have at most %d items each.") % ITEMS_MOST)
    made = []
    for number, text in enumerate(items, start=1):
        _refuse_odd_choices(number, text)
        item = ExerciseItem(
            campaign=campaign,
            skill=skill,
            part=part,
            number=number,
            prompt=text.prompt,
            choices=list(text.choices),
            answer=text.answer,
            explanation=text.explanation,
        )
        item.clean_fields(exclude={"campaign"})
        made.append(item)
    return made


def _refuse_odd_choices(number: int, text: ItemText) -> None:
    if not 2 <= len(text.choices) <= CHOICES_MOST:
        message = _("Item %(item)d needs 2 to %(most)d choices.")
        raise ValidationError(message % {"item": number, "most": CHOICES_MOST})
    if len(set(text.choices)) < len(text.choices):
        raise ValidationError(_("Item %d has the same choice twice.") % number)
    if not 1 <= text.answer <= len(text.choices):
        raise ValidationError(_("Item %d has no choice marked as correct.") % number)
