"""Another prover gives the same answer to every exported script."""

import pytest

from knowledge.core.answers import Verdict
from knowledge.core.formalisation import read
from knowledge.core.language import parse
from knowledge.core.obligations import Examination, examine
from knowledge.core.smt import Claim, script
from knowledge.prover.process import Prover
from tests.data_dir import needs_data
from tests.knowledge.cvc5_check import answer_of
from tests.knowledge.wsc_formal import LARGE, SMALL, TROPHY, formalised, lines

ANSWERS = {Verdict.PROVED: "unsat", Verdict.REFUTED: "sat"}


def disagreeing(done: Examination) -> list[str]:
    return [one.script for one in done.claims if answer_of(one.script) != ANSWERS[one.verdict]]


def test_cvc5_agrees_on_the_trophy(prover: Prover) -> None:
    done = examine(read(TROPHY, {"large": LARGE, "small": SMALL}), prover)
    assert len(done.claims) == 12
    assert disagreeing(done) == []


def test_cvc5_reads_any_name_and_every_connective(prover: Prover) -> None:
    text = "distinct(Łódź) xor Int(and1) <-> not true -> store(Ann’s, do(Sleep, S0)) or Ann’s = x"
    claim = Claim((parse(text), parse("Poss(Sleep, s) <-> Aa <-> Bb")), parse("Aa xor Bb"))
    made = script(claim, comment="two\nlines", status="sat")
    assert made.isascii()
    assert answer_of(made) == ANSWERS[prover(script(claim)).verdict]


@needs_data
@pytest.mark.long
def test_cvc5_agrees_on_every_script_of_the_formalised_questions(prover: Prover) -> None:
    scripts = 0
    for row in lines("questions.jsonl"):
        done = examine(read(formalised(row), row["knowledge"]), prover)
        scripts += len(done.claims)
        assert disagreeing(done) == [], row["wsc273"]
    assert scripts == 184
