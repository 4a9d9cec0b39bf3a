"""A report as one canonical JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from math import isfinite
from typing import Any

import numpy as np

DIGITS = 6
# Version of the report's figures; increased when the meaning of a figure changes under its name.
FORMAT = 5


def plain(value: Any, *, digits: int = DIGITS) -> Any:
    """Convert a tree of dataclasses, arrays and numbers to JSON types.

    Parameters
    ----------
    value : dataclass, mapping, sequence, array, number, str, bool or None
    digits : int
        Significant digits of floats. Fewer than full precision, so that the last bit of a sum,
        which may depend on the number of threads, does not show.

    Returns
    -------
    dict, list, str, int, float, bool or None
        NaN and infinity become None. Keys become str.

    >>> plain({"a": np.array([1 / 3, np.nan]), 2: True})
    {'a': [0.333333, None], '2': True}
    """
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item, digits=digits) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item, digits=digits) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{digits}g}") if isfinite(value) else None
    return value


def canonical(document: Any) -> bytes:
    """Return a plain document as one line of JSON: sorted keys, no spaces, a final newline."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return f"{text}\n".encode()
