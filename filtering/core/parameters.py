"""Validation of AFLite's parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHOICES = {
    "stop": ("neutral", "published"),
    "partition": ("grouped", "individual"),
    "removal": ("together", "individual"),
    "device": ("auto", "cpu", "cuda"),
}


def check_parameters(values: Mapping[str, object]) -> None:
    """Raise ValueError, naming parameter, rule and value, unless all of AFLite's are in range."""
    for name in ("n", "m", "k", "max_iter"):
        if values[name] is not None or name not in ("m", "k"):
            _require(name, values[name], Integral, "at least 1", lambda v: v >= 1)
    _require("seed", values["seed"], Integral, "at least 0", lambda v: v >= 0)
    _require("tau", values["tau"], Real, "between 0 and 1", lambda v: 0 <= v <= 1)
    for name in ("C", "tol"):
        _require(name, values[name], Real, "above 0", lambda v: 0 < v < np.inf)
    for name, allowed in CHOICES.items():
        if values[name] not in allowed:
            raise ValueError(f"{name} must be one of {allowed}, got {values[name]!r}")


def check_fit(m: int, sizes: NDArray[np.int64]) -> None:
    """Raise ValueError unless the largest group fits into a training set."""
    if m < sizes.max():
        raise ValueError(
            f"m must be at least {sizes.max()}, the rows of the largest group, when partition is "
            f"'grouped', got {m}"
        )


def _require(name: str, value: object, kind: type, rule: str, holds: Callable[[Any], bool]) -> None:
    if not isinstance(value, kind) or isinstance(value, bool) or not holds(value):
        raise ValueError(f"{name} must be {rule}, got {value!r}")
