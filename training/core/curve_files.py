"""A learning curve as CSV, a line per model, and as a LaTeX table, a line per size."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from tabular.escapes import latex
from training.core.curves import Area, LearningCurve, Point
from training.core.seeds import Spread


@dataclass(frozen=True, slots=True)
class NamedPoint:
    """A point of the curve, and the id of the fine-tuning that it is of."""

    point: Point
    fine_tuning: str


def curve_csv(points: Sequence[NamedPoint]) -> str:
    """Return a line for each model: size, seed, accuracy, group score and its id, not rounded."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["size", "seed", "single", "group", "fine_tuning"])
    for one in points:
        point = one.point
        writer.writerow([point.size, point.seed, point.single, point.group, one.fine_tuning])
    return file.getvalue()


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
    lines = [
        *(f"% {latex(line)}" for line in about),
        r"\begin{tabular}{rrrrrr}",
        r"\toprule",
        r"Size & Seeds & Accuracy & Best & Group score & Best \\",
        r"\midrule",
        *(
            " & ".join(
                [f"{one.size:,}", str(one.single.n), *_figures(one.single), *_figures(one.group)]
            )
            + r" \\"
            for one in curve.sizes
        ),
        r"\midrule",
        " & ".join(["Area", "", *_areas(curve.single), *_areas(curve.group)]) + r" \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _figures(found: Spread) -> list[str]:
    if found.mean is None or found.best is None:
        return ["--", "--"]
    sd = "" if found.sd is None else rf" $\pm$ {100 * found.sd:.1f}"
    return [f"{100 * found.mean:.1f}{sd}", f"{100 * found.best:.1f}"]


def _areas(area: Area) -> list[str]:
    if area.mean is None or area.best is None:
        return ["--", "--"]
    return [f"{100 * area.mean:.1f}", f"{100 * area.best:.1f}"]
