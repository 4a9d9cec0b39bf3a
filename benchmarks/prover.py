"""Questions proved per second in a child process, compared with one process each.

"One process each" is a program that reads a question, proves it and ends. Other rows start only the
child again, for each question or for each claim. Also: every hostile formula, FOLIO's labels, and
cvc5's answers to the same scripts. Questions are the formalised ones of the real data, or two made
here where it is absent.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmarks.report import median, parse_args, percentile, result, table, timed
from knowledge.core.answers import Answer, Verdict
from knowledge.core.formalisation import Formalisation, read
from knowledge.core.language import FormulaError, parse
from knowledge.core.language.tree import Not
from knowledge.core.obligations import Examination, examine
from knowledge.core.smt import Claim, script
from knowledge.prover.process import Prover
from tests.data_dir import ROOT, data_dir
from tests.knowledge.cvc5_check import answer_of
from tests.knowledge.wsc_formal import LARGE, THANKING, THANKS, TROPHY, formalised, lines

STATUS = {Verdict.PROVED: "unsat", Verdict.REFUTED: "sat"}
Question = tuple[Formalisation, dict[str, str]]
# What a program for one question does.
ALONE = """
import json, sys
from knowledge.core.formalisation import Formalisation, read
from knowledge.core.obligations import examine
from knowledge.prover.process import Prover
values, knowledge = json.load(sys.stdin)
with Prover() as prover:
    examine(read(Formalisation.from_dict(values), knowledge), prover)
"""
EASY = script(Claim((parse("Aa"),), parse("Aa")))


def formalisations() -> list[Question]:
    """Return the questions."""
    if not data_dir().is_dir():
        return [(TROPHY, {"large": LARGE}), (THANKS, {"thanks": THANKING})]
    return [(formalised(row), row["knowledge"]) for row in lines("questions.jsonl")]


def in_one_child(questions: Sequence[Question], prover: Prover) -> list[float]:
    """Return the seconds of each question in one child of this process."""
    return [timed(lambda one=one: examine(read(*one), prover), repeats=1)[0] for one in questions]


def in_a_process_each(questions: Sequence[Question]) -> list[float]:
    """Return the seconds of each question in a process of its own, from its start to its end."""

    def prove(question: Question) -> None:
        formalisation, knowledge = question
        asked = json.dumps([formalisation.as_dict(), knowledge])
        subprocess.run([sys.executable, "-c", ALONE], input=asked, text=True, check=True, cwd=ROOT)

    return [timed(partial(prove, one), repeats=1)[0] for one in questions]


def in_a_child_each(questions: Sequence[Question]) -> list[float]:
    """Return the seconds of each question in a child of its own of this process."""

    def prove(question: Question) -> None:
        with Prover() as own:
            examine(read(*question), own)

    return [timed(partial(prove, one), repeats=1)[0] for one in questions]


def in_a_child_a_claim(questions: Sequence[Question]) -> list[float]:
    """Return the seconds of each question, each of its claims in a child of its own."""

    def prove(script: str, *, probes: int = 0, session: str = "") -> Answer:
        with Prover() as own:
            return own(script, probes=probes)

    return [timed(lambda one=one: examine(read(*one), prove), repeats=1)[0] for one in questions]


def hostile(prover: Prover) -> dict[str, tuple[str, float]]:
    """Return how each hostile formula ended, and after how many seconds."""
    found = {}
    for row in lines("hostile.jsonl"):
        start = time.perf_counter()
        try:
            answer = prover(script(Claim(tuple(map(parse, row["formulas"])))))
            ended = str(answer.limit or answer.verdict)
        except FormulaError as error:
            ended = f"refused: {error.code}"
        found[row["name"]] = ended, time.perf_counter() - start
        assert prover(EASY).verdict is Verdict.PROVED, row["name"]
    return found


def folio(prover: Prover) -> tuple[int, int]:
    """Return how many labels equal what the formulas entail, and of how many that can be read."""
    path = data_dir() / "folio" / "folio-validation.jsonl"
    equal = readable = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        row: dict[str, Any] = json.loads(line)
        try:
            premises = tuple(map(parse, row["premises-FOL"]))
            goal = parse(row["conclusion-FOL"])
        except FormulaError:
            continue
        asked = (script(Claim(premises, one)) for one in (goal, Not(goal)))
        verdicts = [prover(one, session=str(number)).verdict for one in asked]
        found = "Uncertain" if Verdict.PROVED not in verdicts else str(verdicts[0] == "proved")
        readable += 1
        equal += found == row["label"]
    return equal, readable


def agreeing(examinations: Sequence[Examination]) -> tuple[int, int]:
    """Return to how many scripts cvc5 gives the same answer, and of how many."""
    claims = [claim for one in examinations for claim in one.claims]
    return sum(answer_of(one.script) == STATUS[one.verdict] for one in claims), len(claims)


def per_second(run: Callable[[], list[float]], *, repeats: int) -> tuple[float, list[float]]:
    """Return the median of questions per second of some runs, and the seconds of all questions."""
    runs = [run() for _ in range(repeats)]
    return median(len(seconds) / sum(seconds) for seconds in runs), [s for one in runs for s in one]


def main() -> None:
    args = parse_args(__doc__ or "", repeats=3)
    repeats = 1 if args.quick else args.repeats
    questions = formalisations()[: 4 if args.quick else None]
    with Prover() as prover:
        in_one_child(questions[:1], prover)  # starts it
        one, seconds = per_second(lambda: in_one_child(questions, prover), repeats=repeats)
        rates = {
            "a process a question": per_second(
                lambda: in_a_process_each(questions), repeats=repeats
            )[0],
            "a child a question": per_second(lambda: in_a_child_each(questions), repeats=repeats)[
                0
            ],
            "a child a claim": per_second(lambda: in_a_child_a_claim(questions[:4]), repeats=1)[0],
        }
        rows = [(name, f"{rate:.2f}", f"{one / rate:.1f}") for name, rate in rates.items()]
        table(("processes", "questions/s", "ratio"), [("one child", f"{one:.1f}", ""), *rows])
        agree, scripts = agreeing([examine(read(*question), prover) for question in questions])
        facts: dict[str, Any] = {"cvc5": f"{agree}/{scripts}"}
        if data_dir().is_dir() and not args.quick:
            facts |= others(prover)
    result(
        questions_per_s=one,
        ratio=one / rates["a process a question"],
        ratio_child=one / rates["a child a question"],
        ratio_claim=one / rates["a child a claim"],
        p95_ms=1000 * percentile(seconds, 0.95),
        **facts,
        peak_child_mb=resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    )


def others(prover: Prover) -> dict[str, Any]:
    """Return the figures of the hostile formulas and of FOLIO."""
    found = hostile(prover)
    table(
        ("hostile", "ended", "seconds"),
        [(name, ended, f"{seconds:.2f}") for name, (ended, seconds) in found.items()],
    )
    equal, readable = folio(prover)
    return {
        "slowest_hostile_s": max(seconds for _, seconds in found.values()),
        "folio": f"{equal}/{readable}",
    }


if __name__ == "__main__":
    main()
