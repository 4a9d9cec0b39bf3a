"""Figures of single models for a paper's table, and their means over seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.core.paper_tables.layout import Measured
from stats.intervals import Estimate

Columns = Mapping[str, Sequence["Figure"]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of one seed: where it belongs, and what it is of; ``of`` is the set scored on."""

    row: str
    column: str
    model: str
    estimate: Estimate
    run: str
    of: str
    section: str = ""
    label: str = ""


def by_set(columns: Columns) -> Mapping[str, Columns]:
    """Divide the figures of a row by the set scored on, if a column has several.

    Figures on different questions are no seeds of one figure. If no column has several, the only
    name is empty: the columns of a row may be of different sets.
    """
    if all(len({one.of for one in found}) == 1 for found in columns.values()):
        return {"": columns}
    found: dict[str, dict[str, list[Figure]]] = {}
    for column, figures in columns.items():
        for one in figures:
            found.setdefault(one.of, {}).setdefault(column, []).append(one)
    return found


def mean_of(estimates: Sequence[Estimate]) -> Measured:
    """Return the mean over seeds of figures on the same questions; of nothing known, no value."""
    values = [one.value for one in estimates if one.value is not None]
    if not values:
        return Measured()
    return Measured(
        float(np.mean(values)),
        _mean_end([one.low for one in estimates]),
        _mean_end([one.high for one in estimates]),
        int(estimates[0].n),
        sd=float(np.std(values, ddof=1)) if len(values) > 1 else None,
    )


def _mean_end(ends: Sequence[float | None]) -> float | None:
    return None if None in ends else float(np.mean([end for end in ends if end is not None]))
