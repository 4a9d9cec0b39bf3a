"""A learning curve as CSV, a line per model, and as a LaTeX table, a line per size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from tabular.escapes import latex
from tabular.writing import csv_text, latex_percent, latex_table
from training.core.curves import Area, LearningCurve, Point
from training.core.seeds import Spread


@dataclass(frozen=True, slots=True)
class NamedPoint:
    """A point of the curve, and the id of the fine-tuning that it is of."""

    point: Point
    fine_tuning: str


def curve_csv(points: Sequence[NamedPoint]) -> str:
    """Return a line for each model: size, seed, accuracy, group score and its id, not rounded."""
    rows = ((*astuple(one.point), one.fine_tuning) for one in points)
    return csv_text(["size", "seed", "single", "group", "fine_tuning"], rows)


def curve_latex(curve: LearningCurve, *, about: Sequence[str]) -> str:
    r"""Return a table for LaTeX with the package booktabs.

    Each size has the mean and deviation of its seeds and the best of them, in percent; the last
    line has the areas. The lines of *about* are comments.

    Examples
    --------
    >>> from training.core.curves import learning_curve
    >>> curve = learning_curve([Point(100, 0, 0.5), Point(400, 0, 0.6)])
    >>> print(curve_latex(curve, about=[]).splitlines()[4])
    100 & 1 & 50.0 & 50.0 & -- & -- \\
    """
    head = ["Size", "Seeds", "Accuracy", "Best", "Group score", "Best"]
    sizes = [
        [f"{one.size:,}", str(one.single.n), *_figures(one.single), *_figures(one.group)]
        for one in curve.sizes
    ]
    areas = [["Area", "", *_figures(curve.single), *_figures(curve.group)]]
    return latex_table("rrrrrr", [head], [sizes, areas], about=map(latex, about))


def _figures(found: Spread | Area) -> list[str]:
    if found.mean is None or found.best is None:
        return ["--", "--"]
    sd = found.sd if isinstance(found, Spread) else None
    return [latex_percent(found.mean, sd=sd), latex_percent(found.best)]
