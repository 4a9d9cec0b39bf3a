"""Geometry of the small charts; templates draw it as SVG beside a table of the same numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, log
from typing import Any

from frontend.pictures import Mark, Picture, Series

WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 48, 8, 12, 28
ABOVE, BELOW = -6, 15  # offsets of a line's label baseline
INNER_WIDTH, INNER_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
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
    bars: tuple[Bar, ...]
    line: str
    dots: tuple[Bar, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    rule: Tick | None = None
    level: Tick | None = None
    level_label: float = 0  # y of its label, on the side that the values leave free
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM
    picture: Picture | None = None


def _y(value: float, low: float, high: float) -> float:
    return round(TOP + INNER_HEIGHT * (1 - (value - low) / (high - low)), 1)


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
    rule: Tick | None = None,
    digits: int = 0,
) -> Chart:
    """Return bars from zero, one per value; labels have ``digits`` decimals.

    ``rule`` draws a vertical line at ``place``, a share of the width from 0 to 1.
    """
    unit, form = 10**digits, f"{{:,.{digits}f}}"
    high = nice_top(max([*values, 1 / unit]) * unit) / unit
    picture = Picture(
        "bars",
        (Series("", labels, values),),
        y_title=noun,
        y_format=f",.{digits}f",
        # Bars are counted from 0, and each is placed at its middle.
        upright=Mark(rule.place * len(values) - 0.5, rule.label) if rule else None,
    )
    slot = INNER_WIDTH / max(1, len(values))
    width = max(1.0, slot * 0.72)
    bars = tuple(
        Bar(
            x=round(LEFT + slot * place + (slot - width) / 2, 1),
            y=_y(value, 0, high),
            width=round(width, 1),
            height=round(HEIGHT - BOTTOM - _y(value, 0, high), 1),
            title=f"{label}: {form.format(value)} {noun}",
        )
        for place, (value, label) in enumerate(zip(values, labels, strict=True))
    )
    x = _in_slots(labels)
    return _chart(picture, (0, high), x, _some(labels, x), form, bars=bars)


def share_chart(
    values: Sequence[float | None], labels: Sequence[str], *, level: Tick | None = None
) -> Chart:
    """Return a line chart of shares; its axis includes the values and one half, the chance level.

    None leaves a dot out. ``level`` draws a horizontal line at ``place``, a share.
    """
    known = [value for value in values if value is not None]
    ends = _tenths([*known, 0.5, *_places(level)], 1)
    return _line_chart(values, labels, level, ends, told="{:.1%}", y_format=".1%", tick="{:.0%}")


def value_chart(
    values: Sequence[float], labels: Sequence[str], *, level: Tick | None = None
) -> Chart:
    """Return a line chart of values >= 0; its axis includes the values and the level line."""
    ends = _tenths([*values, *_places(level)], inf)
    return _line_chart(values, labels, level, ends, told="{:.3f}", y_format=".3f", tick="{:.2f}")


def _line_chart(
    values: Sequence[float | None],
    labels: Sequence[str],
    level: Tick | None,
    ends: Ends,
    *,
    told: str,
    y_format: str,
    tick: str,
) -> Chart:
    picture = Picture("line", (Series("", labels, values),), y_format=y_format, level=_mark(level))
    x = _in_slots(labels)
    dots = [
        Bar(x(place), _y(value, *ends), 0, 0, title=f"{label}: {told.format(value)}")
        for place, (value, label) in enumerate(zip(values, labels, strict=True))
        if value is not None
    ]
    return _chart(picture, ends, x, _some(labels, x), tick, line=dots, dots=dots)


def curve_chart(points: Sequence[tuple[int, float]], *, noun: str, level: Tick, end: str) -> Chart:
    """Return shares against counts from 0, with a horizontal line at one of the shares.

    ``end`` names the last point, where a vertical line is drawn; without it there is no line. The
    other points are joined in the order of their counts.
    """
    # Some room below the level, for its label.
    ends = _tenths([*(share for _, share in points), level.place - 0.05], 1)
    top = nice_top(max(count for count, _ in points))
    counts, shares = zip(*sorted(points), strict=True)
    picture = Picture(
        "line",
        (Series("", counts, shares),),
        x_title=noun,
        y_format=".1%",
        upright=Mark(points[-1][0], end) if end else None,
        level=_mark(level),
    )

    def x(count: float) -> float:
        return round(LEFT + INNER_WIDTH * count / top, 1)

    dots = [
        Bar(x(count), _y(share, *ends), 0, 0, title=f"{count:,} {noun}: {share:.1%}")
        for count, share in points
    ]
    ticks = [Tick(x(count), f"{count:,.0f}") for count in (0, top / 2, top)]
    line = sorted(dots, key=lambda dot: dot.x)
    return _chart(picture, ends, x, ticks, "{:.0%}", line=line, dots=dots, room=inf)


def size_chart(
    points: Sequence[tuple[int, float, str]],
    means: Sequence[tuple[int, float]],
    *,
    level: Tick | None,
) -> Chart:
    """Return shares against the logarithm of sizes: a dot for each point, a line of the means.

    Points are a size above 0, a share and a title. ``level`` draws a line at ``place``, a share.
    """
    ends = _tenths([*(share for _, share, _ in points), *_places(level)], 1)
    of_dots, shares, titles = zip(*points, strict=True)
    of_line, line_shares = zip(*means, strict=True)
    picture = Picture(
        "line",
        (
            Series("", of_line, line_shares, look="line"),
            Series("", of_dots, shares, text=titles, look="hollow"),
        ),
        y_format=".1%",
        level=_mark(level),
        is_log=True,
    )
    sizes = sorted(set(of_line))
    width = log(sizes[-1]) - log(sizes[0]) or 1.0

    def x(size: int) -> float:
        return round(LEFT + INNER_WIDTH * (0.05 + 0.9 * (log(size) - log(sizes[0])) / width), 1)

    dots = [Bar(x(size), _y(share, *ends), 0, 0, title) for size, share, title in points]
    line = [Bar(x(size), _y(share, *ends), 0, 0, "") for size, share in means]
    ticks = [Tick(x(size), f"{size:,}") for size in sizes[:: -(-len(sizes) // 6)]]
    return _chart(picture, ends, x, ticks, "{:.0%}", line=line, dots=dots, room=2 * TOP)


def _chart(
    picture: Picture,
    ends: Ends,
    x: Callable[[Any], float],
    x_ticks: Sequence[Tick],
    tick: str,
    *,
    bars: Sequence[Bar] = (),
    line: Sequence[Bar] = (),
    dots: Sequence[Bar] = (),
    room: float = 0,
) -> Chart:
    """Return the chart of a picture whose values have their places.

    ``room`` is the space that the words of a level need above it.
    """
    upright, level = picture.upright, picture.level
    across = _y(level.at, *ends) if level else 0.0
    is_above = sum(dot.y - across for dot in line) > 0 and across > room
    return Chart(
        bars=tuple(bars),
        line=" ".join(f"{dot.x},{dot.y}" for dot in line),
        dots=tuple(dots),
        x_ticks=tuple(x_ticks),
        y_ticks=tuple(
            Tick(_y(value, *ends), tick.format(value))
            for value in (ends[0], sum(ends) / 2, ends[1])
        ),
        rule=Tick(x(upright.at), upright.label) if upright else None,
        level=Tick(across, level.label) if level else None,
        level_label=across + (ABOVE if is_above else BELOW) if level else 0,
        picture=picture,
    )


def _mark(level: Tick | None) -> Mark | None:
    return Mark(level.place, level.label) if level else None


def _places(level: Tick | None) -> list[float]:
    return [level.place] if level else []


def _in_slots(labels: Sequence[str]) -> Callable[[float], float]:
    """Return where values stand that share the width equally, counted from 0."""
    slot = INNER_WIDTH / max(1, len(labels))
    return lambda place: round(LEFT + slot * (place + 0.5), 1)


def _some(labels: Sequence[str], x: Callable[[float], float]) -> list[Tick]:
    """Label every value if there is room, otherwise about six, always including the first."""
    every = max(1, -(-len(labels) // 6))
    return [Tick(x(place), labels[place]) for place in range(0, len(labels), every)]


def _tenths(values: Sequence[float], highest: float) -> Ends:
    """Return tenths around the values, at least two, from 0 to *highest*."""
    low, high = floor(10 * min(values)) / 10, ceil(10 * max(values)) / 10
    return (low, high) if high - low > 0.15 else (max(0.0, low - 0.1), min(highest, high + 0.1))
