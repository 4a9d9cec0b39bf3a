"""Figures of single models for a paper's table, and their means over seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.core.paper_tables.layout import Measured

Columns = Mapping[str, Sequence["Figure"]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of one seed: where it belongs, and what it is of; ``of`` is the set scored on."""

    row: str
    column: str
    model: str
    metric: Mapping[str, Any]
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


def measured(found: Sequence[Figure]) -> Measured:
    """Return the mean over seeds of figures on the same questions."""
    return mean_of([one.metric for one in found])


def mean_of(metrics: Sequence[Mapping[str, Any]]) -> Measured:
    """Return the mean over seeds of the fields of an `Estimate`; of nothing known, no value."""
    values = [one["value"] for one in metrics if one["value"] is not None]
    if not values:
        return Measured(None)
    return Measured(
        float(np.mean(values)),
        _mean_end(metrics, "low"),
        _mean_end(metrics, "high"),
        int(metrics[0]["n"]),
        float(np.std(values, ddof=1)) if len(values) > 1 else None,
    )


def _mean_end(metrics: Sequence[Mapping[str, Any]], name: str) -> float | None:
    ends = [one.get(name) for one in metrics]
    return None if None in ends else float(np.mean([end for end in ends if end is not None]))
