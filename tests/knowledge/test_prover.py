"""The prover's process: it answers, obeys its limits, and its death is an answer."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread

import pytest

from knowledge.core.answers import Limit, Verdict
from knowledge.core.formalisation import Refused, read
from knowledge.core.language import FormulaError, parse
from knowledge.core.obligations import examine
from knowledge.core.smt import Claim, script
from knowledge.prover import process
from knowledge.prover.process import Limits, Prover, ProverMissing
from tests.data_dir import needs_data
from tests.knowledge.wsc_formal import LARGE, TROPHY, lines

EASY = script(Claim((parse("Aa"),), parse("Aa")))
# Only infinite models satisfy it, so no proof ends before a limit.
SUCCESSOR = script(
    Claim(
        (
            parse("forall x: exists y: above(y, x)"),
            parse("above(x, y) and above(y, z) -> above(x, z)"),
            parse("not above(x, x)"),
        )
    )
)
MEGABYTE = 2**10  # kB, in which Linux counts


@contextmanager
def watched(prover: Prover) -> Iterator[Callable[[], int]]:
    """Give the largest memory that the prover's children have used, in kB.

    The system's figure for ended children includes what this process used when it started them.
    """
    most, over = [0], Event()

    def watch() -> None:
        while not over.wait(0.02):
            with suppress(OSError):
                status = Path(f"/proc/{prover.pid}/status").read_text()
                most.append(int(status.partition("VmHWM:")[2].split()[0]))

    thread = Thread(target=watch)
    thread.start()
    try:
        yield lambda: max(most)
    finally:
        over.set()
        thread.join()


def nested_xor(n: int) -> str:
    """Return a script in whose preprocessing Z3 5.4 heeds neither its timeout nor its rlimit."""
    lines = ["(set-logic UF)", "(declare-sort Object 0)"]
    lines += [f"(declare-fun rel{i} (Object) Bool)" for i in range(n)]
    for quantifier, word in (("forall", "or"), ("exists", "and")):
        joined = f"({word} (rel0 x) (rel0 y))"
        for i in range(1, n):
            joined = f"(xor {joined} ({word} (rel{i} x) (rel{i} y)))"
        lines.append(f"(assert ({quantifier} ((x Object) (y Object)) {joined}))")
    return "\n".join([*lines, "(check-sat)"])


def test_a_claim_is_proved_or_refuted(prover: Prover) -> None:
    assert prover(EASY).verdict is Verdict.PROVED
    assert prover(script(Claim((parse("Aa"),), parse("Bb")))).verdict is Verdict.REFUTED
    assert prover.version == "5.4.0"


@pytest.mark.parametrize(
    ("premise", "goal"), [("Aa xor Bb xor Cc", "Cc"), ("Aa <-> Bb <-> Cc", "Cc")]
)
def test_a_chain_is_read_from_the_left(prover: Prover, premise: str, goal: str) -> None:
    claim = Claim((parse(premise), parse("Aa and Bb")), parse(goal))
    assert prover(script(claim)).verdict is Verdict.PROVED
    claim = Claim((parse(premise), parse("Aa xor Bb")), parse(goal))
    assert prover(script(claim)).verdict is Verdict.REFUTED


def test_the_truths_of_probes_are_those_of_a_model(prover: Prover) -> None:
    claim = Claim((parse("Aa and not Pp(Ann)"),), None, ("Ann", "Bob"))
    probes = [parse("Aa"), parse("Pp(Ann)")]
    assert prover(script(claim, probes=probes), probes=2).truths == (True, False)


@pytest.mark.parametrize(
    ("limits", "limit"),
    [(Limits(steps=20_000), Limit.STEPS), (Limits(milliseconds=200), Limit.TIME)],
)
def test_a_limit_that_ends_a_proof_is_named_and_the_next_is_proved(
    limits: Limits, limit: Limit
) -> None:
    with Prover(limits) as own:
        answer = own(SUCCESSOR)
        assert (answer.verdict, answer.limit) == (Verdict.UNDECIDED, limit)
        assert own(EASY).verdict is Verdict.PROVED


def test_steps_are_counted_for_each_claim_of_a_session() -> None:
    with Prover(Limits(steps=20_000)) as own:
        assert [own(SUCCESSOR, session="one").limit for _ in range(3)] == [Limit.STEPS] * 3
        assert own(EASY, session="one").verdict is Verdict.PROVED


@pytest.mark.long
def test_the_claims_of_a_question_have_a_time_together() -> None:
    with Prover(Limits(session_seconds=1)) as own:
        assert own(EASY, session="one").verdict is Verdict.PROVED
        time.sleep(1.1)
        assert own(EASY, session="one").limit is Limit.SESSION
        assert own(EASY, session="two").verdict is Verdict.PROVED
        assert own(EASY).verdict is Verdict.PROVED


@pytest.mark.long
def test_the_same_question_has_its_time_again() -> None:
    theory = read(TROPHY, {"large": LARGE})
    with Prover(Limits(session_seconds=1)) as own:
        first = examine(theory, own)
        time.sleep(1.1)
        assert examine(theory, own) == first
        assert first.verified


def test_a_script_larger_than_a_pipe_is_read_whole(prover: Prover) -> None:
    assert prover(EASY + ";" + " " * 2**21).verdict is Verdict.PROVED


@pytest.mark.long
def test_a_process_that_heeds_no_limit_is_killed_and_replaced() -> None:
    with Prover(Limits(kill_seconds=1)) as own:
        own.start()
        before = own.pid
        start = time.monotonic()
        assert own(nested_xor(34)).limit is Limit.KILLED
        assert time.monotonic() - start < 2
        assert own(EASY).verdict is Verdict.PROVED
        assert own.pid != before


def test_a_process_that_dies_in_a_proof_is_an_answer() -> None:
    with Prover() as own:
        own.start()
        pid = own.pid
        assert pid is not None
        Thread(target=lambda: (time.sleep(0.5), os.kill(pid, signal.SIGKILL))).start()
        answer = own(nested_xor(34))
        assert (answer.verdict, answer.limit) == (Verdict.UNDECIDED, Limit.DIED)
        assert own(EASY).verdict is Verdict.PROVED


def test_a_process_that_died_while_it_waited_costs_no_answer() -> None:
    with Prover() as own:
        own.start()
        assert own.pid is not None
        os.kill(own.pid, signal.SIGKILL)
        while own.pid is not None:
            time.sleep(0.01)
        assert own(EASY).verdict is Verdict.PROVED


@pytest.mark.long
def test_a_child_without_a_parent_ends_itself() -> None:
    own = Prover(Limits(alarm_seconds=1, kill_seconds=60))
    own.start()
    start = time.monotonic()
    assert own(nested_xor(34)).limit is Limit.DIED
    assert time.monotonic() - start < 3
    own.close()


def test_a_process_ends_with_its_prover() -> None:
    with Prover() as own:
        own.start()
        pid = own.pid
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert own.pid is None


def _in_fork(parent: Prover, pipe: Connection) -> None:
    pipe.send((parent.pid, str(parent(EASY).verdict)))
    parent.close()


def test_a_fork_starts_a_child_of_its_own(prover: Prover) -> None:
    prover.start()
    ours, theirs = get_context("fork").Pipe()
    fork = get_context("fork").Process(target=_in_fork, args=(prover, theirs))
    fork.start()
    assert ours.recv() == (None, "proved")
    fork.join()
    assert prover.pid is not None
    assert prover(EASY).verdict is Verdict.PROVED


def test_threads_take_turns(prover: Prover) -> None:
    found: list[Verdict] = []
    threads = [Thread(target=lambda: found.append(prover(EASY).verdict)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [Verdict.PROVED] * 8


def test_an_answer_does_not_depend_on_what_other_sessions_asked(prover: Prover) -> None:
    theory = read(TROPHY, {"large": LARGE})
    first = examine(theory, prover)
    prover(EASY, session="another")
    assert examine(theory, prover) == first


def test_a_script_that_z3_cannot_read_is_a_fault(prover: Prover) -> None:
    with pytest.raises(RuntimeError, match="refused a script"):
        prover("(assert nothing)")


def test_a_prover_that_cannot_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "CHILD", process.CHILD.with_name("none.py"))
    with pytest.raises(ProverMissing):
        Prover()(EASY)


@needs_data
@pytest.mark.long
def test_each_hostile_formula_ends_within_six_seconds_and_the_next_is_proved() -> None:
    refused, limits = {}, {}
    with Prover() as own, watched(own) as most_memory:
        own.start()
        for row in lines("hostile.jsonl"):
            try:
                made = script(Claim(tuple(map(parse, row["formulas"]))))
            except FormulaError as error:
                refused[row["name"]] = error.code
                continue
            start = time.monotonic()
            limits[row["name"]] = own(made).limit
            assert time.monotonic() - start < 6, row["name"]
            assert own(EASY).verdict is Verdict.PROVED
    assert refused == {"deep parentheses": "too_deep", "too long": "too_long"}
    # The chain is decided: as one "xor" of 34 it is easy, unlike as a nest of 33.
    assert [name for name, limit in limits.items() if limit is None] == ["xor chain 34"]
    assert len(limits) == 5
    assert 50 * MEGABYTE < most_memory() < 600 * MEGABYTE


@needs_data
def test_a_hostile_formalisation_is_refused_or_never_verified() -> None:
    (pigeons,) = (row for row in lines("hostile.jsonl") if row["name"] == "pigeonhole")
    with pytest.raises(Refused) as refused:
        read(TROPHY, {f"f{n}": text for n, text in enumerate(pigeons["formulas"])})
    assert [problem.code for problem in refused.value.problems] == ["too_many_formulas"]
    with Prover(Limits(steps=20_000)) as own:
        (endless,) = (row for row in lines("hostile.jsonl") if row["name"] == "successor")
        knowledge = {f"f{n}": text for n, text in enumerate(endless["formulas"])}
        done = examine(read(replace(TROPHY, outcome=None), knowledge), own)
    assert not done.verified
    assert (done.undecided, done.limit) == ("consistent", Limit.STEPS)
