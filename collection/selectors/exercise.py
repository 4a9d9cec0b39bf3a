"""Reads of a campaign's exercise: items as shown, explained attempts, and pay."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from collection.core.examples import chance_of_guessing, least_paid
from collection.models import Campaign, ExerciseItem
from workers.models import Attempt, Qualification, User


def has_exercise(campaign: Campaign, skill: str) -> bool:
    """Return whether a campaign requires a training or a test before a kind of work."""
    return ExerciseItem.objects.filter(campaign=campaign, skill=skill, retired_at=None).exists()


def least_paid_in(campaign: Campaign, skill: str) -> tuple[int, int] | None:
    """Return the number of right answers needed for pay, and of items; None without a test."""
    items = items_of_attempt(campaign, skill)
    return (least_paid_of(campaign, items), len(items)) if items else None


def items_of_attempt(
    campaign: Campaign, skill: str, qualification: Qualification | None = None
) -> list[ExerciseItem]:
    """Return the items of a worker's next attempt at the test, in order.

    Of more items than an attempt asks, those come first that the worker has not been asked yet,
    then those asked longest ago: what an attempt explains is not the answer to the next one.
    """
    items = list(ExerciseItem.objects.current(campaign, skill, ExerciseItem.Part.TEST))
    attempts = qualification.attempts.order_by("number") if qualification else ()
    last_asked = {answer["item"]: made.number for made in attempts for answer in made.answers}
    fresh_first = sorted(items, key=lambda item: last_asked.get(str(item.public_id), 0))
    chosen = fresh_first[: campaign.exercise_length or len(items)]
    return sorted(chosen, key=lambda item: item.number)


def length_of_training(campaign: Campaign, items: Sequence[ExerciseItem]) -> int:
    """Return how many of a training's *items* must be answered correctly."""
    return min(campaign.exercise_length or len(items), len(items))


def least_paid_of(campaign: Campaign, items: Sequence[ExerciseItem]) -> int:
    """Return how many of a test's *items* must be right for an attempt to be paid."""
    choices = [len(item.choices) for item in items]
    return least_paid(choices, pass_share=campaign.exercise_pass_share)


def least_to_pass(campaign: Campaign, n_items: int) -> int:
    """Return how many of a test's *n_items* must be right to pass."""
    least: int = ceil(campaign.exercise_pass_share * n_items)
    return least


def guessers_paid(campaign: Campaign, items: Sequence[ExerciseItem]) -> float:
    """Return the probability, 0 to 1, that guessing *items* is paid in any of the attempts."""
    choices = [len(item.choices) for item in items]
    missed = 1 - chance_of_guessing(least_paid_of(campaign, items), choices)
    return float(1 - missed**campaign.exercise_attempts)


def order_shown(item: ExerciseItem, worker: User) -> tuple[int, ...]:
    """Return an item's choices (from 1) in the order in which *worker* sees them.

    Each worker has a fixed order of their own, so workers cannot share answers such as "the second
    choice". Nothing sent to clients reveals the stored order. Additional choices of a validators'
    item ("Both are plausible") stay at the end, as on the page.
    """
    # Random hashes a string seed by SHA-512, so it does not depend on PYTHONHASHSEED.
    random = Random(f"{worker.public_id}/{item.order_key}")
    n_choices = len(item.choices)
    n_moved = min(n_choices, 2) if item.skill == Qualification.Skill.VALIDATE else n_choices
    moved = random.sample(range(1, n_moved + 1), n_moved)
    return (*moved, *range(n_moved + 1, n_choices + 1))


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item as shown before an attempt, without its answer."""

    id: str
    number: int
    prompt: str
    choices: tuple[str, ...]


def shown_items(items: Sequence[ExerciseItem], worker: User) -> list[ShownItem]:
    """Return *items* as *worker* sees them, each with its choices in the worker's order."""
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
    """An item after an attempt; ``chosen`` and ``answer`` refer to the order shown."""

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
    """Explain an attempt item by item, even after the exercise was replaced."""
    choices = {answer["item"]: answer["choice"] for answer in attempt.answers}
    items = ExerciseItem.objects.filter(public_id__in=choices).order_by("number")
    return [explained_item(item, worker, choices[str(item.public_id)]) for item in items]


def explained_item(item: ExerciseItem, worker: User, choice: int) -> ExplainedItem:
    """Explain one item; *choice* is in the item's stored numbering."""
    order = order_shown(item, worker)
    [item_shown] = shown_items([item], worker)
    return ExplainedItem(
        id=item_shown.id,
        number=item_shown.number,
        prompt=item_shown.prompt,
        choices=item_shown.choices,
        chosen=order.index(choice) + 1,
        answer=order.index(item.answer) + 1,
        explanation=item.explanation,
    )
