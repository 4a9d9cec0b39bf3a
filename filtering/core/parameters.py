"""AFLite's parameters and their presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any, Literal

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


Preset = Literal["neutral", "published", "arxiv_v1"]

# m and k as shares of the rows: a fifth and a hundredth, and the papers' shares of their rows.
SHARES: dict[Preset, tuple[float, float]] = {
    "neutral": (1 / 5, 1 / 100),
    "published": (10_000 / 47_000, 500 / 47_000),
    "arxiv_v1": (15_000 / 44_000, 500 / 44_000),
}
_TWINS_TOGETHER = {"partition": "grouped", "removal": "together"}
_EACH_ROW = {"partition": "individual", "removal": "individual"}
_OTHERS: dict[Preset, dict[str, Any]] = {
    "neutral": {"stop": "neutral", **_TWINS_TOGETHER},
    "published": {"stop": "published", **_EACH_ROW},
    "arxiv_v1": {"stop": "published", **_EACH_ROW},
}


def sizes(preset: Preset, n_rows: int) -> tuple[int, int]:
    """Return m and k of a preset for a set of *n_rows*: at least 2 and 1.

    Examples
    --------
    >>> sizes("published", 47_000), sizes("neutral", 324)
    ((10000, 500), (65, 3))
    """
    of_m, of_k = SHARES[preset]
    return max(2, round(of_m * n_rows)), max(1, round(of_k * n_rows))


def settings(preset: Preset, n_rows: int) -> dict[str, Any]:
    """Return the parameters of `AFLite` of a preset for a set of *n_rows*.

    ``neutral``: twins are removed or kept together, and removal ends at a neutral set.
    ``published`` and ``arxiv_v1``: rows are drawn and removed one by one, and removal ends as in
    Algorithm 1.

    Source: WinoGrande §3 (AAAI 2020: m = 10,000 and k = 500 of 47,000; arXiv v1: m = 15,000 and
    k = 500 of 44,000; both n = 64, tau = 0.75); docs/decisions/0027-neutral-cut.md.
    """
    m, k = sizes(preset, n_rows)
    return {"n": 64, "m": m, "k": k, "tau": 0.75, **_OTHERS[preset]}
