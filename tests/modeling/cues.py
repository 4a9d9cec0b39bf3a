"""Questions whose options give the answer away, and settings that learn it in a second."""

import random
from typing import Any

from modeling.finetuning import FineTuneSettings, Questions

THINGS = ("box", "cup", "hat", "bag", "pen", "key")


def planted(
    number: int, *, right: str = "a bar of gold", wrong: str = "stone", most: int = 2
) -> Questions:
    """Questions of two options, or of any number up to *most*, the right one at any place."""
    draw, options, answers = random.Random(number), [], []
    for _ in range(number):
        names = draw.sample(THINGS, draw.randint(2, most))
        answer = draw.randrange(len(names))
        options.append(
            [
                f"Ann put {(right if place == answer else wrong).format(name)} on the table."
                for place, name in enumerate(names)
            ]
        )
        answers.append(answer)
    return Questions(options, answers)


def settings(**changes: Any) -> FineTuneSettings:
    known = {"epochs": 3, "batch_size": 8, "learning_rate": 2e-3, "seed": 4}
    return FineTuneSettings(**(known | changes))


def fast(**changes: Any) -> FineTuneSettings:
    return settings(**({"learning_rate": 1e-3} | changes))
