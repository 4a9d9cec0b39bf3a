"""What is recorded of a language model's head, and of how the model reads."""

from dataclasses import asdict
from typing import Any

from modeling.identity import stored_dtype
from modeling.loaded import LoadedModel
from modeling.scoring import head_quality


def head_check(model: LoadedModel) -> dict[str, Any]:
    """Return whether the scores of the model's head mean anything, in numbers and in words.

    Beside it: what the model reads before each text, and the number format of its stored weights.
    """
    found = head_quality(model)
    return asdict(found) | {
        "at_chance": found.at_chance,
        "verdict": found.verdict,
        "weights": stored_dtype(model.spec.folder()),
    }
