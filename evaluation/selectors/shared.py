"""Figures that one process has computed, for all of them; callers check who may see them before."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy
import scipy

from evaluation.core.plain import from_json, to_json
from winoplatform.db import locks
from winoplatform.processes import shared_cache
from winoplatform.runs.code import code_sha256

T = TypeVar("T")
WAIT_SECONDS = 15.0
CODE = ("evaluation", "training", "corpora/core", "stats")
"""Where the code is that makes the figures from the files."""


def shared(kind: Any, name: str, make: Callable[[], T]) -> T:
    """Return what is stored under *name* and this version of the code, or what *make* makes.

    Of processes that need it at the same time one makes it and the others wait; after 15 seconds,
    or without Redis, they make it themselves.

    Parameters
    ----------
    kind : type
        Of the result, for `from_json`.
    name : str
        Hashes of the files that the result follows from; no content.
    """
    full = f"{code_sha256(*CODE)} {numpy.__version__} {scipy.__version__} {name}"

    def look_up() -> T | None:
        stored = shared_cache.get(full)
        try:
            return None if stored is None else from_json(kind, stored)
        except (ValueError, TypeError, KeyError):
            return None

    def compute() -> T:
        result = make()
        shared_cache.put(full, to_json(result))
        return result

    result = locks.once(full, found=look_up, make=compute, seconds=WAIT_SECONDS)
    return compute() if result is None else result
