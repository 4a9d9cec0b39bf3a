"""The formalised questions of the real data, and two made here in the same form."""

import json
from typing import Any

from knowledge.core.formalisation import Formalisation, Thing
from tests.data_dir import data_dir

FOLDER = "wsc_formal"
TROPHY = Formalisation(
    things=(Thing("Trophy", "the trophy", "object"), Thing("Suitcase", "the suitcase", "object")),
    options=("Trophy", "Suitcase"),
    answer="Trophy",
    pronoun="It",
    scene=(),
    clause="too_large(It)",
    outcome="not Poss(fit_into(Trophy, Suitcase), S0)",
)
LARGE = "too_large(x) -> not Poss(fit_into(x, y), s)"
SMALL = "too_small(y) -> not Poss(fit_into(x, y), s)"
THANKS = Formalisation(
    things=(Thing("Joan"), Thing("Susan")),
    options=("Joan", "Susan"),
    answer="Joan",
    pronoun="She",
    scene=("thanks(Joan, Susan)",),
    clause="received_help(She)",
)
THANKING = "thanks(x, y) -> received_help(x) and gave_help(y)"


def lines(name: str) -> list[dict[str, Any]]:
    """Return the records of a file of JSON lines."""
    text = (data_dir() / FOLDER / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def formalised(row: dict[str, Any]) -> Formalisation:
    """Return a record of ``questions.jsonl``, or of the same form, as a formalisation."""
    words = dict(zip(row["options"], row.get("mentions", ()), strict=False))
    names = [*row["options"], *row["other_things"]]
    return Formalisation(
        things=tuple(Thing(name, words.get(name, "")) for name in names),
        options=tuple(row["options"]),
        answer=row["options"][row["answer"] - 1],
        pronoun=row["pronoun_name"],
        scene=tuple(row["scene"]),
        clause=row["clause"],
        outcome=row["outcome"],
    )
