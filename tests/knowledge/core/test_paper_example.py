"""What follows from formulas (1)–(3) of the paper, and what does not."""

import json
from typing import Any

import pytest

from knowledge.core.answers import Verdict
from knowledge.core.language import parse
from knowledge.core.language.tree import Formula
from knowledge.core.smt import Claim, script
from knowledge.prover.process import Prover
from tests.data_dir import data_dir, needs_data
from tests.knowledge.wsc_formal import FOLDER

ONE_IS_WEAK = "exactly one of the two is not strong"


def example() -> dict[str, Any]:
    path = data_dir() / FOLDER / "paper_example.json"
    (row,) = json.loads(path.read_text(encoding="utf-8"))
    return dict(row)


def premise(name: str, formulas: dict[str, str]) -> Formula:
    if name == ONE_IS_WEAK:
        return parse("Strong(Father, S0) xor Strong(Son, S0)")
    if name == "1 with x named He":
        return parse(formulas["1"].removeprefix("∃x.").replace("x,", "He,").replace("x≡", "He≡"))
    return parse(formulas.get(name, name))


@needs_data
@pytest.mark.parametrize("number", range(6))
def test_the_papers_formulas_prove_what_they_should(prover: Prover, number: int) -> None:
    row = example()
    expected = row["expected"][number]
    claim = Claim(
        tuple(premise(name, row["formulas"]) for name in expected["from"]),
        premise(expected["goal"], row["formulas"]),
        tuple(row["things"]),
    )
    assert (prover(script(claim)).verdict is Verdict.PROVED) == expected["proved"]
