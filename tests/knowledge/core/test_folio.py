"""FOLIO's formulas are read, and what they entail has the labels, apart from explained rows."""

import json
from functools import cache
from typing import Any

import pytest

from knowledge.core.answers import Verdict
from knowledge.core.language import FormulaError, parse
from knowledge.core.language.tree import Formula, Not
from knowledge.core.smt import Claim, script
from knowledge.prover.process import Prover
from tests.data_dir import data_dir, needs_data

pytestmark = needs_data

PARENTHESIS, COMMA, DOT = "a parenthesis too many", "a comma for “and”", "a dot in a name"
BROKEN = {
    PARENTHESIS: 5,
    COMMA: 1,
    DOT: 3,
}
# Row → why its formulas do not say what its sentences say, and the corrections, with which they do.
ALL_ARE = "“or” stands where all three are algorithms", {"∨ MLAlgorithm": "∧ MLAlgorithm"}
BRACKETS = (
    "the brackets around “or” are left out",
    {
        "In(picurismountains, newmexico) ∨ In(picurismountains, texas)": (
            "(In(picurismountains, newmexico) ∨ In(picurismountains, texas))"
        )
    },
)
CORRECTED = {
    5: (
        "“both or neither” is written ⊕, and a name is spelt in two ways",
        {"Meetings(": "Meeting(", "⊕ AppearIn": "↔ AppearIn", "⊕ WorkRemotely": "↔ WorkRemotely"},
    ),
    27: ("only aliens from Mars are meant", {"FromMars(x) →": "FromMars(x) ↔"}),
    47: (
        "that nobody loves two seasons is left out",
        {"¬Love(mia, emma)": "∀x (Love(x, summer) → ¬Love(x, fall))"},
    ),
    112: BRACKETS,
    114: BRACKETS,
    138: ALL_ARE,
    139: ALL_ARE,
}
# From "¬FromEarth(marvin) → Extraterrestrial(marvin)" and the rest, Marvin is no human and not
# from Mars. So "¬FromMars(marvin) → Human(marvin)" is false, and the label "Uncertain" is wrong.
WRONG_LABEL = 29


@cache
def rows() -> list[dict[str, Any]]:
    path = data_dir() / "folio" / "folio-validation.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def why_broken(text: str) -> str:
    if text.count(")") > text.count("("):
        return PARENTHESIS
    return DOT if "." in text else COMMA


def is_readable(row: dict[str, Any]) -> bool:
    try:
        for text in [*row["premises-FOL"], row["conclusion-FOL"]]:
            parse(text)
    except FormulaError:
        return False
    return True


def label(prover: Prover, premises: list[str], goal: str) -> str:
    trees: tuple[Formula, ...] = tuple(map(parse, premises))
    verdicts = [
        prover(script(Claim(trees, one)), session=" ".join([*premises, goal])).verdict
        for one in (parse(goal), Not(parse(goal)))
    ]
    labels = {
        (Verdict.PROVED, Verdict.REFUTED): "True",
        (Verdict.REFUTED, Verdict.PROVED): "False",
        (Verdict.REFUTED, Verdict.REFUTED): "Uncertain",
    }
    return labels[verdicts[0], verdicts[1]]


def test_all_formulas_are_read_but_nine_broken_ones() -> None:
    broken = []
    texts = [text for row in rows() for text in [*row["premises-FOL"], row["conclusion-FOL"]]]
    for text in texts:
        try:
            parse(text)
        except FormulaError:
            broken.append(why_broken(text))
    assert (len(texts), len(texts) - len(broken)) == (1288, 1279)
    assert {why: broken.count(why) for why in BROKEN} == BROKEN


@pytest.mark.long
def test_the_formulas_entail_their_labels_but_for_eight(prover: Prover) -> None:
    readable = {number: row for number, row in enumerate(rows()) if is_readable(row)}
    other = [
        number
        for number, row in readable.items()
        if label(prover, row["premises-FOL"], row["conclusion-FOL"]) != row["label"]
    ]
    assert (len(readable), len(readable) - len(other)) == (196, 188)
    assert {*other} == {*CORRECTED, WRONG_LABEL}


@pytest.mark.parametrize("number", sorted(CORRECTED))
def test_a_corrected_formula_gives_the_label(prover: Prover, number: int) -> None:
    row = rows()[number]
    texts = [*row["premises-FOL"], row["conclusion-FOL"]]
    assert label(prover, texts[:-1], texts[-1]) == "Uncertain"
    for before, after in CORRECTED[number][1].items():
        assert any(before in text for text in texts)
        texts = [text.replace(before, after) for text in texts]
    assert label(prover, texts[:-1], texts[-1]) == row["label"]


def test_one_label_is_wrong(prover: Prover) -> None:
    row = rows()[WRONG_LABEL]
    assert row["label"] == "Uncertain"
    assert label(prover, row["premises-FOL"], row["conclusion-FOL"]) == "False"
