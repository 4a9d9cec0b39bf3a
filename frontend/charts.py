"""Geometry of the small charts; templates draw it as SVG beside a table of the same numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, inf, log

from frontend.pictures import Mark, Picture, Series

WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 48, 8, 12, 28
ABOVE, BELOW = -6, 15  # offsets of a line's label baseline
INNER_WIDTH, INNER_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM


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


def _mark(tick: Tick | None) -> Mark | None:
    return Mark(tick.place, tick.label) if tick else None


def _y(value: float, low: float, high: float) -> float:
    return round(TOP + INNER_HEIGHT * (1 - (value - low) / (high - low)), 1)


def _x_ticks(labels: Sequence[str], slot: float) -> tuple[Tick, ...]:
    """Label every bar if there is room, otherwise about six of them, always including the first."""
    every = max(1, -(-len(labels) // 6))
    return tuple(
        Tick(round(LEFT + slot * (place + 0.5), 1), label)
        for place, label in enumerate(labels)
        if place % every == 0
    )


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
    unit = 10**digits
    high = nice_top(max([*values, 1 / unit]) * unit) / unit
    slot = INNER_WIDTH / max(1, len(values))
    width = max(1.0, slot * 0.72)
    bars = tuple(
        Bar(
            x=round(LEFT + slot * place + (slot - width) / 2, 1),
            y=_y(value, 0, high),
            width=round(width, 1),
            height=round(HEIGHT - BOTTOM - _y(value, 0, high), 1),
            title=f"{label}: {value:,.{digits}f} {noun}",
        )
        for place, (value, label) in enumerate(zip(values, labels, strict=True))
    )
    ticks = tuple(
        Tick(_y(high * part, 0, high), f"{high * part:,.{digits}f}") for part in (0, 0.5, 1)
    )
    line = rule and Tick(round(LEFT + INNER_WIDTH * rule.place, 1), rule.label)
    picture = Picture(
        "bars",
        (Series("", labels, values),),
        y_title=noun,
        y_format=f",.{digits}f",
        # The script counts bars from 0 and places each at its middle.
        upright=Mark(rule.place * len(values) - 0.5, rule.label) if rule else None,
    )
    return Chart(bars, "", (), _x_ticks(labels, slot), ticks, line, picture=picture)


def _tenths(values: Sequence[float], highest: float) -> tuple[float, float]:
    """Return tenths around the values, at least two, from 0 to *highest*."""
    low, high = floor(10 * min(values)) / 10, ceil(10 * max(values)) / 10
    return (low, high) if high - low > 0.15 else (max(0.0, low - 0.1), min(highest, high + 0.1))


def share_chart(
    values: Sequence[float | None], labels: Sequence[str], *, level: Tick | None = None
) -> Chart:
    """Return a line chart of shares; its axis includes the values and one half, the chance level.

    None leaves a dot out. ``level`` draws a horizontal line at ``place``, a share.
    """
    known = [value for value in values if value is not None]
    ends = _tenths([*known, 0.5, *([level.place] if level else [])], 1)
    return _line_chart(values, labels, ends=ends, told="{:.1%}", tick="{:.0%}", level=level)


def curve_chart(points: Sequence[tuple[int, float]], *, noun: str, level: Tick, end: str) -> Chart:
    """Return shares against counts from 0, with a horizontal line at one of the shares.

    ``end`` names the last point, where a vertical line is drawn; without it there is no line. The
    other points are joined in the order of their counts.
    """
    # Some room below the level, for its label.
    low, high = _tenths([*(share for _, share in points), level.place - 0.05], 1)
    top = nice_top(max(count for count, _ in points))

    def x(count: float) -> float:
        return round(LEFT + INNER_WIDTH * count / top, 1)

    dots = [
        Bar(x(count), _y(share, low, high), 0, 0, title=f"{count:,} {noun}: {share:.1%}")
        for count, share in points
    ]
    ordered = sorted(dots, key=lambda dot: dot.x)
    ticks = tuple(Tick(_y(v, low, high), f"{v:.0%}") for v in (low, (low + high) / 2, high))
    counts, shares = zip(*sorted(points), strict=True)
    picture = Picture(
        "line",
        (Series("", counts, shares),),
        x_title=noun,
        y_format=".1%",
        upright=Mark(points[-1][0], end) if end else None,
        level=_mark(level),
    )
    return Chart(
        bars=(),
        line=" ".join(f"{dot.x},{dot.y}" for dot in ordered),
        dots=tuple(dots),
        x_ticks=tuple(Tick(x(count), f"{count:,.0f}") for count in (0, top / 2, top)),
        y_ticks=ticks,
        rule=Tick(dots[-1].x, end) if end else None,
        level=Tick(_y(level.place, low, high), level.label),
        level_label=_y(level.place, low, high) + BELOW,
        picture=picture,
    )


def size_chart(
    points: Sequence[tuple[int, float, str]],
    means: Sequence[tuple[int, float]],
    *,
    level: Tick | None,
) -> Chart:
    """Return shares against the logarithm of sizes: a dot for each point, a line of the means.

    Points are a size above 0, a share and a title. ``level`` draws a line at ``place``, a share.
    """
    shown = [share for _, share, _ in points] + ([level.place] if level else [])
    low, high = _tenths(shown, 1)
    sizes = sorted({size for size, _ in means})
    first, last = log(sizes[0]), log(sizes[-1])
    width = last - first or 1.0

    def x(size: int) -> float:
        return round(LEFT + INNER_WIDTH * (0.05 + 0.9 * (log(size) - first) / width), 1)

    ticks = tuple(Tick(_y(v, low, high), f"{v:.0%}") for v in (low, (low + high) / 2, high))
    every = -(-len(sizes) // 6)
    chart = Chart(
        bars=(),
        line=" ".join(f"{x(size)},{_y(share, low, high)}" for size, share in means),
        dots=tuple(Bar(x(n), _y(share, low, high), 0, 0, title) for n, share, title in points),
        x_ticks=tuple(Tick(x(size), f"{size:,}") for size in sizes[::every]),
        y_ticks=ticks,
        picture=_size_picture(points, means, level),
    )
    if level is None:
        return chart
    across = _y(level.place, low, high)
    is_below = sum(_y(share, low, high) - across for _, share in means) > 0
    words_at = across + (ABOVE if is_below and across > 2 * TOP else BELOW)
    return replace(chart, level=Tick(across, level.label), level_label=words_at)


def _size_picture(
    points: Sequence[tuple[int, float, str]],
    means: Sequence[tuple[int, float]],
    level: Tick | None,
) -> Picture:
    sizes, shares, titles = zip(*points, strict=True)
    line_sizes, line_shares = zip(*means, strict=True)
    return Picture(
        "line",
        (
            Series("", line_sizes, line_shares, look="line"),
            Series("", sizes, shares, text=titles, look="hollow"),
        ),
        y_format=".1%",
        level=_mark(level),
        is_log=True,
    )


def value_chart(
    values: Sequence[float], labels: Sequence[str], *, level: Tick | None = None
) -> Chart:
    """Return a line chart of values >= 0; its axis includes the values and the level line."""
    ends = _tenths([*values, *([level.place] if level else [])], inf)
    return _line_chart(values, labels, ends=ends, told="{:.3f}", tick="{:.2f}", level=level)


def _line_chart(
    values: Sequence[float | None],
    labels: Sequence[str],
    *,
    ends: tuple[float, float],
    told: str,
    tick: str,
    level: Tick | None,
) -> Chart:
    low, high = ends
    dots = tuple(_dots(values, labels, ends, told))
    line = " ".join(f"{dot.x},{dot.y}" for dot in dots)
    middle = (low + high) / 2
    ticks = tuple(Tick(_y(value, low, high), tick.format(value)) for value in (low, middle, high))
    slot = INNER_WIDTH / max(1, len(values))
    picture = Picture(
        "line",
        (Series("", labels, values),),
        y_format=".1%" if told.endswith("%}") else ".3f",
        level=_mark(level),
    )
    chart = Chart((), line, dots, _x_ticks(labels, slot), ticks, picture=picture)
    if level is None:
        return chart
    across = _y(level.place, low, high)
    is_below = sum(dot.y - across for dot in dots) > 0
    words_at = across + (ABOVE if is_below else BELOW)
    return replace(chart, level=Tick(across, level.label), level_label=words_at)


def _dots(
    values: Sequence[float | None], labels: Sequence[str], ends: tuple[float, float], told: str
) -> Iterator[Bar]:
    slot = INNER_WIDTH / max(1, len(values))
    for place, (value, label) in enumerate(zip(values, labels, strict=True)):
        if value is not None:
            x = round(LEFT + slot * (place + 0.5), 1)
            yield Bar(x, _y(value, *ends), 0, 0, title=f"{label}: {told.format(value)}")
