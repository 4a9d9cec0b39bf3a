"""Pictures as small charts: their geometry, for templates that draw SVG beside the numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, log
from typing import Any

from frontend.pictures import Mark, Picture, Series

WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 48, 8, 12, 28
ABOVE, BELOW = -6, 15  # offsets of a line's label baseline
GROUND = HEIGHT - BOTTOM
INNER_WIDTH, INNER_HEIGHT = WIDTH - LEFT - RIGHT, GROUND - TOP
BAR = 0.72  # of the width that a bar has
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tick:
    place: float
    label: str


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing; of points and steps each series is a path, one for all its points."""

    picture: Picture
    bars: tuple[Bar, ...]
    line: str
    dots: tuple[Bar, ...]
    paths: tuple[str, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    rule: Tick | None = None
    rule_label: float = 0  # x of its label, on the side with more room
    level: Tick | None = None
    level_label: float = 0  # y of its label, on the side that the values leave free
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = GROUND


@dataclass(frozen=True, slots=True)
class Axis:
    """The values that an axis has room for, and those with a label; others are at its ends."""

    low: float
    high: float
    labels: Sequence[tuple[float, str]]
    is_log: bool = False

    @classmethod
    def between(cls, ends: Ends, form: str) -> "Axis":
        """Return an axis with three labels, in a format such as ``.1%``."""
        values = (ends[0], sum(ends) / 2, ends[1])
        return cls(*ends, [(value, f"{value:{form}}".replace("-", "−")) for value in values])

    @classmethod
    def of_slots(cls, labels: Sequence[str]) -> "Axis":
        """Return an axis for values that share the width equally, counted from 0.

        Every value has a label if there is room, otherwise about six, always including the first.
        """
        n = max(1, len(labels))
        shown = range(0, len(labels), max(1, -(-len(labels) // 6)))
        return cls(-0.5, n - 0.5, [(place, labels[place]) for place in shown])

    def share(self, value: float) -> float:
        found = ((log(value) if self.is_log else value) - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, found))

    def x(self, value: float) -> float:
        return round(LEFT + INNER_WIDTH * self.share(value), 1)

    def y(self, value: float) -> float:
        return round(TOP + INNER_HEIGHT * (1 - self.share(value)), 1)


def drawing_of(
    picture: Picture, x: Axis, y: Axis, titles: Sequence[str] = (), *, room: float = 0
) -> Chart:
    """Return the drawing of a picture; *titles* are those of the bars or dots.

    ``room`` is the space that the words of a level need above it.
    """
    kind, upright, level = picture.kind, picture.upright, picture.level
    line, dots = (_dots(picture.series[at], x, y, titles) for at in (0, -1))
    across = y.y(level.at) if level else 0.0
    is_above = kind == "line" and sum(dot.y - across for dot in line) > 0 and across > room
    return Chart(
        picture,
        bars=tuple(_bar(dot, len(line)) for dot in line) if kind == "bars" else (),
        line=" ".join(f"{dot.x},{dot.y}" for dot in line) if kind == "line" else "",
        dots=tuple(dots) if kind == "line" else (),
        paths=tuple(_PATHS[kind](one, x, y) for one in picture.series) if kind in _PATHS else (),
        x_ticks=tuple(Tick(x.x(value), label) for value, label in x.labels),
        y_ticks=tuple(Tick(y.y(value), label) for value, label in y.labels),
        rule=Tick(x.x(upright.at), upright.label) if upright else None,
        rule_label=_beside(x.x(upright.at)) if upright else 0,
        level=Tick(across, level.label) if level else None,
        level_label=across + (ABOVE if is_above else BELOW) if level else 0,
    )


def _beside(place: float) -> float:
    return place + (5 if place < LEFT + INNER_WIDTH / 2 else -5)


def _dots(series: Series, x: Axis, y: Axis, titles: Sequence[str]) -> list[Bar]:
    """Return the places of known values; texts along x are counted from 0."""
    given = zip(series.x, series.y, titles or series.text or [""] * len(series.x), strict=True)
    return [
        Bar(x.x(place if isinstance(value, str) else value), y.y(height), 0, 0, title)
        for place, (value, height, title) in enumerate(given)
        if height is not None
    ]


def _bar(top: Bar, n: int) -> Bar:
    width = max(1.0, BAR * INNER_WIDTH / n)
    height = round(GROUND - top.y, 1)
    return Bar(round(top.x - width / 2, 1), top.y, round(width, 1), height, top.title)


def _points(series: Series, x: Axis, y: Axis) -> str:
    places = [(round(dot.x), round(dot.y)) for dot in _dots(series, x, y, ())]
    if series.look == "cross":
        return "".join(f"M{left - 2} {top - 2}l4 4m-4 0l4-4" for left, top in places)
    return "".join(f"M{left} {top}h0" for left, top in places)


def _steps(series: Series, x: Axis, y: Axis) -> str:
    """Return an outline over bins of one width, whose middles are given; a line stays open."""
    half = (x.high - x.low) / (2 * len(series.x))
    steps = "".join(
        f"V{y.y(height)}H{x.x(middle + half)}"
        for middle, height in zip(series.x, series.y, strict=True)
    )
    return f"M{LEFT} {GROUND}{steps}V{GROUND}" + ("" if series.look == "dash" else "Z")


_PATHS: dict[str, Any] = {"points": _points, "steps": _steps}


def nice_top(value: float) -> float:
    """Return a round number at or slightly above *value*, with a round half, to end an axis."""
    if value <= 10:
        return 2.0 * max(1, ceil(value / 2))
    step = 10.0
    while True:
        for factor in (1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8):
            if value <= step * factor:
                return step * factor
        step *= 10


def bar_chart(
    values: Sequence[float],
    labels: Sequence[str],
    *,
    noun: str,
    rule: Mark | None = None,
    digits: int = 0,
) -> Chart:
    """Return bars from zero, one per value; labels have ``digits`` decimals.

    ``rule`` draws a vertical line at a share of the width from 0 to 1.
    """
    unit, form = 10**digits, f",.{digits}f"
    high = nice_top(max([*values, 1 / unit]) * unit) / unit
    # Bars are counted from 0, and each is placed at its middle.
    upright = Mark(rule.at * len(values) - 0.5, rule.label) if rule else None
    series = Series("", labels, values)
    picture = Picture("bars", (series,), y_title=noun, y_format=form, upright=upright)
    pairs = zip(labels, values, strict=True)
    titles = [f"{label}, {noun}: {value:{form}}" for label, value in pairs]
    return drawing_of(picture, Axis.of_slots(labels), Axis.between((0, high), form), titles)


def share_chart(
    values: Sequence[float | None], labels: Sequence[str], *, level: Mark | None = None
) -> Chart:
    """Return a line chart of shares; its axis includes the values and one half, the chance level.

    None leaves a dot out. ``level`` draws a horizontal line at a share.
    """
    numbers = [value for value in values if value is not None]
    y = Axis.between(_tenths([*numbers, 0.5, *_places(level)], 1), ".0%")
    return _line_chart(values, labels, level, y, ".1%")


def value_chart(
    values: Sequence[float], labels: Sequence[str], *, level: Mark | None = None
) -> Chart:
    """Return a line chart of values >= 0; its axis includes the values and the level line."""
    y = Axis.between(_tenths([*values, *_places(level)], inf), ".2f")
    return _line_chart(values, labels, level, y, ".3f")


def _line_chart(
    values: Sequence[float | None], labels: Sequence[str], level: Mark | None, y: Axis, form: str
) -> Chart:
    picture = Picture("line", (Series("", labels, values),), y_format=form, level=level)
    pairs = zip(labels, values, strict=True)
    titles = [f"{label}: {value or 0:{form}}" for label, value in pairs]
    return drawing_of(picture, Axis.of_slots(labels), y, titles)


def curve_chart(points: Sequence[tuple[int, float]], *, noun: str, level: Mark, end: str) -> Chart:
    """Return shares against counts from 0, with a horizontal line at one of the shares.

    ``end`` names the last point, where a vertical line is drawn; without it there is no line. The
    other points are joined in the order of their counts.
    """
    # Some room below the level, for its label.
    y = Axis.between(_tenths([*(share for _, share in points), level.at - 0.05], 1), ".0%")
    x = Axis.between((0, nice_top(max(count for count, _ in points))), ",.0f")
    counts, shares = zip(*sorted(points), strict=True)
    picture = Picture(
        "line",
        (Series("", counts, shares),),
        x_title=noun,
        y_format=".1%",
        upright=Mark(points[-1][0], end) if end else None,
        level=level,
    )
    titles = [f"{count:,} {noun}: {share:.1%}" for count, share in sorted(points)]
    return drawing_of(picture, x, y, titles, room=inf)


def size_chart(
    points: Sequence[tuple[int, float, str]],
    means: Sequence[tuple[int, float]],
    *,
    level: Mark | None,
) -> Chart:
    """Return shares against the logarithm of sizes: a dot for each point, a line of the means.

    Points are a size above 0, a share and a title. ``level`` draws a line at a share.
    """
    of_dots, shares, titles = zip(*points, strict=True)
    of_line, line_shares = zip(*means, strict=True)
    picture = Picture(
        "line",
        (
            Series("", of_line, line_shares, look="line"),
            Series("", of_dots, shares, text=titles, look="hollow"),
        ),
        y_format=".1%",
        level=level,
        is_log=True,
    )
    sizes = sorted(set(of_line))
    width = log(sizes[-1]) - log(sizes[0]) or 1.0
    labels = [(size, f"{size:,}") for size in sizes[:: -(-len(sizes) // 6)]]
    first, beside = log(sizes[0]), width / 18
    x = Axis(first - beside, first + width + beside, labels, is_log=True)
    y = Axis.between(_tenths([*shares, *_places(level)], 1), ".0%")
    return drawing_of(picture, x, y, room=2 * TOP)


def _places(level: Mark | None) -> list[float]:
    return [level.at] if level else []


def _tenths(values: Sequence[float], highest: float) -> Ends:
    """Return tenths around the values, at least two, from 0 to *highest*."""
    low, high = floor(10 * min(values)) / 10, ceil(10 * max(values)) / 10
    return (low, high) if high - low > 0.15 else (max(0.0, low - 0.1), min(highest, high + 0.1))
