"""A campaign whose twins a linear model guesses: “large” always means the first option."""

from corpora.core.items import TwinItem
from tests.filtering.stages import twin_id

THINGS = ("bed", "cup", "lamp", "chair", "book", "shoe", "spoon", "watch")


def sentences(thing: str, number: int = 1) -> tuple[str, str]:
    start = f"The trophy did not fit into the suitcase on {thing} number {number} because the _"
    return f"{start} was far too large.", f"{start} was far too small."


def guessable(*, pairs: int) -> list[TwinItem]:
    return [
        TwinItem(
            id=f"{number:04d}{answer}",
            group=twin_id(number),
            sentence=sentences(THINGS[number % len(THINGS)], number)[answer - 1],
            options=("trophy", "suitcase"),
            answer=answer,
        )
        for number in range(pairs)
        for answer in (1, 2)
    ]
