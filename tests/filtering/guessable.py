"""A campaign whose twins a linear model guesses: “large” always means the first option."""

from typing import Any

from collection.models import Assignment, Campaign
from collection.services import TwinText
from filtering import runner, services
from filtering.core.questions import FrozenQuestion
from filtering.models import FilterRun, Snapshot, Tuning
from tests.factories import AssignmentFactory
from tests.filtering.stages import PUBLISHED, TINY, assert_done, snapshot_of, twin_id
from workers.models import User

THINGS = ("bed", "cup", "lamp", "chair", "book", "shoe", "spoon", "watch")
SETTINGS: dict[str, Any] = {**PUBLISHED, "n": 8, "m": 40, "k": 6, "partition": "grouped"}


def sentences(thing: str, number: int = 1) -> tuple[str, str]:
    start = f"The trophy did not fit into the suitcase on {thing} number {number} because the _"
    return f"{start} was far too large.", f"{start} was far too small."


def guessable(*, pairs: int) -> list[FrozenQuestion]:
    return [
        FrozenQuestion(
            id=f"{number:04d}{answer}",
            twin=twin_id(number),
            sentence=sentences(THINGS[number % len(THINGS)], number)[answer - 1],
            option1="trophy",
            option2="suitcase",
            answer=answer,
            domain="physical",
        )
        for number in range(pairs)
        for answer in (1, 2)
    ]


def new_twin(**changes: Any) -> TwinText:
    """A twin of the same kind, which no run has seen."""
    fields = {
        "sentences": sentences("bench", 7),
        "options": ("trophy", "suitcase"),
        "answers": (1, 2),
        "anchor": "",
        "domain": "physical",
    }
    return TwinText(**(fields | changes))


def filter_run(*, pairs: int = 30, **changes: Any) -> FilterRun:
    """A finished filter run over a real encoding that shows a model the whole sentence."""
    return run_over(snapshot_of(guessable(pairs=pairs)), **changes)


def run_over(snapshot: Snapshot, tuning: Tuning | None = None, **changes: Any) -> FilterRun:
    encoding = services.encode(
        snapshot=snapshot,
        by=None,
        encoder=TINY,
        features="concatenation",
        tuning=tuning,
    )
    runner.carry_encoding(encoding.pk)
    run = services.start_filter_run(encoding=encoding, by=None, **(SETTINGS | changes))
    runner.carry_filter_run(run.pk)
    assert_done(run)
    return run


def writing_in(campaign: Campaign, worker: User | None = None) -> Assignment:
    """The assignment that *worker*, or the campaign's first writer, has there."""
    held = Assignment.objects.filter(campaign=campaign, **({"worker": worker} if worker else {}))
    fields = {"worker": worker} if worker else {}
    return held.order_by("pk").first() or AssignmentFactory(campaign=campaign, **fields)
