"""The prover that a process shares, and the version under which its answers are stored."""

import atexit
from functools import cache
from importlib.metadata import version

from knowledge.core.obligations import VERSION
from knowledge.prover.process import Prover

PROVER = f"z3 {version('z3-solver')}, obligations {VERSION}"


@cache
def shared() -> Prover:
    """Return this process's prover; it ends with the process."""
    prover = Prover()
    atexit.register(prover.close)
    return prover
