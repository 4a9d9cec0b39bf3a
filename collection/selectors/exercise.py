"""Reads of a campaign's exercise: what a worker is asked, and what an attempt has shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from collection.core.guessing import chance_of_guessing, least_paid
from collection.models import Campaign, ExerciseItem
from workers.models import Attempt, Qualification, User


def has_exercise(campaign: Campaign, skill: str) -> bool:
    """Whether a campaign asks for a training or a test before a kind of work."""
    return ExerciseItem.objects.filter(campaign=campaign, skill=skill, retired_at=None).exists()


def least_paid_in(campaign: Campaign, skill: str) -> tuple[int, int] | None:
    """Return how many of how many answers a test pays for; None where there is no test."""
    items = list(ExerciseItem.objects.current(campaign, skill))
    return (least_paid_of(campaign, items), len(items)) if items else None


def least_paid_of(campaign: Campaign, items: Sequence[ExerciseItem]) -> int:
    """Return how many of a test's *items* have to be right so that an attempt is paid."""
    choices = [len(item.choices) for item in items]
    return least_paid(choices, pass_share=campaign.exercise_pass_share)


def guessers_paid(campaign: Campaign, items: Sequence[ExerciseItem]) -> float:
    """Return the chance, 0 to 1, that mere guessing at *items* is paid in any of the attempts."""
    choices = [len(item.choices) for item in items]
    missed = 1 - chance_of_guessing(least_paid_of(campaign, items), choices)
    return float(1 - missed**campaign.exercise_attempts)


def order_shown(item: ExerciseItem, worker: User) -> tuple[int, ...]:
    """Return an item's choices (from 1) in the order in which *worker* sees them.

    Each worker has an order of their own, always the same: what one tells another about "the
    second choice" is of no use. Nothing that is sent tells the stored order. What a validators'
    item has beyond its two options ("Both are plausible") stays at the end, as on the page.
    """
    # A text seeds Random by its SHA-512: the same in every process, whatever PYTHONHASHSEED is.
    random = Random(f"{worker.public_id}/{item.order_key}")
    n_choices = len(item.choices)
    n_moved = min(n_choices, 2) if item.skill == Qualification.Skill.VALIDATE else n_choices
    moved = random.sample(range(1, n_moved + 1), n_moved)
    return (*moved, *range(n_moved + 1, n_choices + 1))


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item as a worker sees it before an attempt: nothing in it tells the answer."""

    id: str
    number: int
    prompt: str
    choices: tuple[str, ...]


def shown_items(items: Sequence[ExerciseItem], worker: User) -> list[ShownItem]:
    """Return *items* as *worker* sees them, each with its choices in the worker's own order."""
    return [
        ShownItem(
            id=str(item.public_id),
            number=item.number,
            prompt=item.prompt,
            choices=tuple(item.choices[own - 1] for own in order_shown(item, worker)),
        )
        for item in items
    ]


@dataclass(frozen=True, slots=True)
class ExplainedItem:
    """An item after an attempt; ``chosen`` and ``answer`` count as the worker saw the choices."""

    id: str
    number: int
    prompt: str
    choices: tuple[str, ...]
    chosen: int
    answer: int
    explanation: str

    @property
    def is_right(self) -> bool:
        return self.chosen == self.answer


def explained_items(attempt: Attempt, worker: User) -> list[ExplainedItem]:
    """Explain an attempt item by item, also after the exercise was replaced."""
    asked = {answer["item"]: answer["choice"] for answer in attempt.answers}
    items = ExerciseItem.objects.filter(public_id__in=asked).order_by("number")
    return [explained_item(item, worker, asked[str(item.public_id)]) for item in items]


def explained_item(item: ExerciseItem, worker: User, choice: int) -> ExplainedItem:
    """Explain one item; *choice* is in the item's own numbering."""
    order = order_shown(item, worker)
    [shown] = shown_items([item], worker)
    return ExplainedItem(
        id=shown.id,
        number=shown.number,
        prompt=shown.prompt,
        choices=shown.choices,
        chosen=order.index(choice) + 1,
        answer=order.index(item.answer) + 1,
        explanation=item.explanation,
    )
