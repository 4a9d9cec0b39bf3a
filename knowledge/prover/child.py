"""The child process: one JSON line in, one JSON line out, until its input ends.

It is started as a file, so it imports nothing of the platform. A request is ``{"script": SMT-LIB,
"probes": n}``; the reply has ``answer`` (unsat, sat or unknown), ``limit`` (which limit ended an
unknown one, or ``incomplete``), ``truths`` (of ``probe_0`` …, null where a model leaves it open),
and ``others``, whether a model has things without a name. Limits come as one JSON argument.

Proofs of one ``session`` share a context, which saves most of their time; any other proof has a
context of its own. So an answer does not depend on what other sessions asked before.
"""

import json
import resource
import signal
import sys
import time
from typing import Any, TextIO

import z3

MEMORY = "memory"


def main(limits: dict[str, int], requests: TextIO, replies: TextIO) -> None:
    _limit_memory(limits["megabytes"])
    _write(replies, {"version": z3.get_version_string()})
    session, solver = "", _solver(limits)
    for line in requests:
        request = json.loads(line)
        if not session or request["session"] != session:
            session, solver = request["session"], _solver(limits)
        # Ends the process also if its parent is dead; Z3 does not return to Python's handlers.
        signal.setitimer(signal.ITIMER_REAL, limits["alarm_seconds"])
        reply = _prove(request, solver, limits)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _write(replies, reply)


def _limit_memory(megabytes: int) -> None:
    z3.set_param("memory_max_size", megabytes)
    z3.set_param("smt.random_seed", 0)
    # For what Z3 allocates past its own count; the interpreter and the library need the rest.
    most = (megabytes + 64) * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _solver(limits: dict[str, int]) -> z3.Solver:
    solver = z3.SimpleSolver(ctx=z3.Context())
    solver.set(timeout=limits["milliseconds"], rlimit=limits["steps"], random_seed=0)
    return solver


def _prove(request: dict[str, Any], solver: z3.Solver, limits: dict[str, int]) -> dict[str, Any]:
    start = time.monotonic()
    try:
        solver.reset()
        solver.from_string(request["script"])
        answer = str(solver.check())
        if answer == "sat" and request["probes"]:
            return _reply(answer, **_model(solver.model(), request["probes"]))
        seconds = time.monotonic() - start
        return _reply(answer, limit=_limit(solver, seconds, limits) if answer == "unknown" else "")
    except z3.Z3Exception as error:
        limit = MEMORY if "memory" in str(error) else f"error: {error}"
        return _reply("unknown", limit=limit)
    except MemoryError:
        return _reply("unknown", limit=MEMORY)


def _limit(solver: z3.Solver, seconds: float, limits: dict[str, int]) -> str:
    """Say which limit ended a proof; Z3 says "canceled" for time and steps alike."""
    reason = solver.reason_unknown()
    if "memory" in reason:
        return MEMORY
    if reason not in ("timeout", "canceled"):
        return "incomplete"
    return "time" if 1000 * seconds >= limits["milliseconds"] else "steps"


def _model(model: z3.ModelRef, n_probes: int) -> dict[str, Any]:
    truths: list[bool | None] = []
    for number in range(n_probes):
        value = model.eval(z3.Bool(f"probe_{number}", model.ctx), model_completion=True)
        truths.append(z3.is_true(value) if z3.is_true(value) or z3.is_false(value) else None)
    return {"truths": truths, "others": _has_others(model)}


def _has_others(model: z3.ModelRef) -> bool:
    """Return whether the model has more objects than names for them."""
    for sort in model.sorts():
        if sort.name() == "Object":
            named = [model[d] for d in model.decls() if d.arity() == 0 and d.range() == sort]
            universe = model.get_universe(sort) or []
            return len(universe) > len({str(value) for value in named if value is not None})
    return False


def _reply(
    answer: str, *, limit: str = "", truths: list[bool | None] | None = None, others: bool = False
) -> dict[str, Any]:
    return {"answer": answer, "limit": limit, "truths": truths or [], "others": others}


def _write(replies: TextIO, reply: dict[str, Any]) -> None:
    print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.stdin, sys.stdout)
