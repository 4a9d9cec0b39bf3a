"""Learning curves, and their files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass

import numpy as np

from tabular.writing import csv_text, latex, latex_percent, latex_table
from training.core.seeds import Spread, spread


@dataclass(frozen=True, slots=True)
class Point:
    """The figures of one fine-tuned model on the test questions.

    Parameters
    ----------
    size : int, at least 0
        Training questions; 0 without fine-tuning.
    seed : int
    single, group : float in [0, 1], or None
        Accuracy and group score; None if unknown, such as the group score without groups.
    """

    size: int
    seed: int
    single: float | None
    group: float | None = None


@dataclass(frozen=True, slots=True)
class AtSize:
    """Both figures over the seeds of one training size."""

    size: int
    single: Spread
    group: Spread


@dataclass(frozen=True, slots=True)
class Area:
    """Normalised area under the means of the seeds, and under the best of the seeds.

    Parameters
    ----------
    mean, best : float in [0, 1], or None
        None for fewer than two sizes with the figure.
    smallest, largest : int or None
        The sizes between which the area is; areas between other sizes are not comparable.
    """

    mean: float | None
    best: float | None
    smallest: int | None
    largest: int | None


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """Every size, from the smallest, and the areas under the accuracy and the group score."""

    sizes: tuple[AtSize, ...]
    single: Area
    group: Area


def learning_curve(points: Sequence[Point]) -> LearningCurve:
    """Summarise a learning curve.

    The areas are those of `curve_area`. Size 0 is in the curve but not in the areas,
    since it has no logarithm.

    Parameters
    ----------
    points : sequence of Point, in any order
        Sizes may have different numbers of seeds, as when a curve is still being measured.

    Returns
    -------
    LearningCurve

    Raises
    ------
    ValueError
        When a size is below 0, or a size has two points of one seed.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), Table 4 and Figure 2 (best of ten seeds);
    Elazar et al., Back to Square One (EMNLP 2021), appendix C (mean and deviation of three).

    Examples
    --------
    >>> points = [Point(100, 1, 0.5), Point(100, 2, 0.6), Point(400, 1, 0.7), Point(400, 2, 0.7)]
    >>> found = learning_curve(points)
    >>> [round(one.single.mean, 3) for one in found.sizes], round(found.single.mean, 3)
    ([0.55, 0.7], 0.625)
    """
    _check(points)
    sizes = tuple(
        AtSize(
            size,
            spread([point.single for point in points if point.size == size]),
            spread([point.group for point in points if point.size == size]),
        )
        for size in sorted({point.size for point in points})
    )
    return LearningCurve(sizes, _area(sizes, lambda point: point.single), _area(sizes, _group))


def _check(points: Sequence[Point]) -> None:
    seen: set[tuple[int, int]] = set()
    for point in points:
        if point.size < 0:
            raise ValueError(f"size must be at least 0, got {point.size}")
        if (point.size, point.seed) in seen:
            raise ValueError(f"seed must differ at size {point.size}, got {point.seed} twice")
        seen.add((point.size, point.seed))


def _group(point: AtSize) -> Spread:
    return point.group


def _area(sizes: Sequence[AtSize], figure: Callable[[AtSize], Spread]) -> Area:
    measured = [
        (point.size, value.mean, value.best)
        for point in sizes
        if point.size and (value := figure(point)).mean is not None and value.best is not None
    ]
    if len(measured) < 2:
        return Area(None, None, None, None)
    at, means, bests = zip(*measured, strict=True)
    return Area(curve_area(means, at), curve_area(bests, at), at[0], at[-1])


def curve_area(accuracies: Sequence[float], sizes: Sequence[int]) -> float:
    """Return the normalised area under the learning curve, as WinoGrande's leaderboard.

    Parameters
    ----------
    accuracies : sequence of k float
    sizes : sequence of k int, increasing, at least 2
        Training questions.

    Returns
    -------
    float
        The mean accuracy over the logarithm of the training size, by the trapezoidal rule; a
        weighted mean of the accuracies.

    Raises
    ------
    ValueError
        When the lengths differ or the sizes do not increase.

    Source: ``eval.py`` of WinoGrande 1.1.

    Examples
    --------
    >>> round(curve_area([0.5, 0.6, 0.7, 0.8, 0.9], [160, 640, 2558, 10234, 40398]), 4)
    0.6997
    """
    if len(accuracies) != len(sizes) or len(sizes) < 2:
        raise ValueError(f"sizes must be {len(accuracies)} and at least 2, got {len(sizes)}")
    if (np.diff(sizes) <= 0).any() or sizes[0] < 1:
        raise ValueError(f"sizes must increase from 1 or more, got {list(sizes)}")
    x = np.log2(np.asarray(sizes, dtype=np.float64))
    return float(np.trapezoid(accuracies, x) / (x[-1] - x[0]))


@dataclass(frozen=True, slots=True)
class NamedPoint:
    """A point of the curve, and the id of the fine-tuning that it is of."""

    point: Point
    fine_tuning: str


def curve_csv(points: Sequence[NamedPoint]) -> str:
    """Return a line for each model: size, seed, accuracy, group score and its id, not rounded."""
    rows = ((*astuple(point.point), point.fine_tuning) for point in points)
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
        [f"{point.size:,}", str(point.single.n), *_figures(point.single), *_figures(point.group)]
        for point in curve.sizes
    ]
    areas = [["Area", "", *_figures(curve.single), *_figures(curve.group)]]
    return latex_table("rrrrrr", [head], [sizes, areas], about=map(latex, about))


def _figures(figures: Spread | Area) -> list[str]:
    if figures.mean is None or figures.best is None:
        return ["--", "--"]
    sd = figures.sd if isinstance(figures, Spread) else None
    return [latex_percent(figures.mean, sd=sd), latex_percent(figures.best)]
