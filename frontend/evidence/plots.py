"""Geometry of the evidence plots; shape and colour both distinguish the two labels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from frontend.charts import Tick

WIDTH, HEIGHT = 320, 200
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 8, 24
RIGHT_END, GROUND = WIDTH - RIGHT, HEIGHT - BOTTOM

Point = Sequence[float]
Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Plot:
    """An SVG: label 1 as dots or an area, label 2 as crosses or a dashed outline, one path each."""

    first: str
    second: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT_END
    top: int = TOP
    ground: int = GROUND


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of the plane that all scatter plots of a page show."""

    x: Range
    y: Range

    @classmethod
    def around(cls, points: Iterable[Point]) -> "Frame":
        """Return the frame that holds the middle 98% of points (x, or x and y) on each axis."""
        found = [(point[0], point[1] if len(point) > 1 else 0.0) for point in points]
        return cls(_around_zero(x for x, _ in found), _around_zero(y for _, y in found))


def scatter(first: Sequence[Point], second: Sequence[Point], frame: Frame) -> Plot:
    """Draw points of two labels; points outside the frame are drawn at its edge."""
    return Plot(
        "".join(f"M{x} {y}h0" for x, y in _placed(first, frame)),
        "".join(f"M{x - 2} {y - 2}l4 4m-4 0l4-4" for x, y in _placed(second, frame)),
        tuple(Tick(_x(value, frame.x), _short(value)) for value in _three(frame.x)),
        tuple(Tick(_y(value, frame.y), _short(value)) for value in _three(frame.y)),
    )


def label_histogram(
    first: Sequence[int], second: Sequence[int], edges: Sequence[float], *, top: float
) -> Plot:
    """Draw the shares of two labels' rows in each bin, on an axis from 0 to *top*."""
    x: Range = (edges[0], edges[-1])
    steps = [_steps(shares(counts), edges, x, top) for counts in (first, second)]
    return Plot(
        f"M{_x(edges[0], x)} {GROUND}{steps[0]}V{GROUND}Z",
        f"M{_x(edges[0], x)} {GROUND}{steps[1]}V{GROUND}",
        tuple(Tick(_x(value, x), _short(value)) for value in _three(x)),
        tuple(Tick(_y(value, (0, top)), f"{value:.0%}") for value in (0, top / 2, top)),
    )


def highest_share(histograms: Iterable[Sequence[int]]) -> float:
    """Return the largest share in a bin of any histogram, rounded up to an even percentage."""
    top = max((max(shares(counts), default=0) for counts in histograms), default=0)
    return max(0.02, ceil(50 * top) / 50)


def shares(counts: Sequence[int]) -> list[float]:
    return [count / max(1, sum(counts)) for count in counts]


def _steps(shares: Sequence[float], edges: Sequence[float], x: Range, top: float) -> str:
    return "".join(
        f"V{_y(share, (0, top))}H{_x(edge, x)}"
        for share, edge in zip(shares, edges[1:], strict=True)
    )


def _placed(points: Sequence[Point], frame: Frame) -> Iterable[tuple[int, int]]:
    for point in points:
        y = point[1] if len(point) > 1 else 0.0
        yield round(_x(point[0], frame.x)), round(_y(y, frame.y))


def _around_zero(values: Iterable[float]) -> Range:
    ranked = sorted(abs(value) for value in values) or [0.0]
    end = ranked[-1 - len(ranked) // 50] or 0.5
    return -end, end


def _three(ends: Range) -> tuple[float, float, float]:
    middle = 0.0 if ends[0] < 0 < ends[1] else (ends[0] + ends[1]) / 2
    return ends[0], middle, ends[1]


def _x(value: float, ends: Range) -> float:
    return round(LEFT + (RIGHT_END - LEFT) * _within(value, ends), 1)


def _y(value: float, ends: Range) -> float:
    return round(GROUND - (GROUND - TOP) * _within(value, ends), 1)


def _within(value: float, ends: Range) -> float:
    return min(1.0, max(0.0, (value - ends[0]) / (ends[1] - ends[0])))


def _short(value: float) -> str:
    return f"{value:.2g}".replace("-", "−")
