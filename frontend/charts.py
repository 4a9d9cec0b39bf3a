"""Geometry of the small charts; templates draw it as SVG beside a table of the same numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 48, 8, 12, 28
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
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def _y(value: float, low: float, high: float) -> float:
    return round(TOP + INNER_HEIGHT * (1 - (value - low) / (high - low)), 1)


def _x_ticks(labels: Sequence[str], slot: float) -> tuple[Tick, ...]:
    """Label every bar where there is room, else about six of them and always the first."""
    every = max(1, -(-len(labels) // 6))
    return tuple(
        Tick(round(LEFT + slot * (place + 0.5), 1), label)
        for place, label in enumerate(labels)
        if place % every == 0
    )


def nice_top(value: float) -> float:
    """Return a round number at or a little above *value*, for the end of an axis."""
    step = 1.0
    while True:
        for factor in (1, 2, 2.5, 5):
            if value <= step * factor:
                return step * factor
        step *= 10


def bar_chart(
    values: Sequence[float], labels: Sequence[str], *, noun: str, rule: Tick | None = None
) -> Chart:
    """Return bars from zero, one for each value.

    ``rule`` draws an upright line at ``place``, a share of the width from 0 to 1.
    """
    high = nice_top(max([*values, 1]))
    slot = INNER_WIDTH / max(1, len(values))
    width = max(1.0, slot * 0.72)
    bars = tuple(
        Bar(
            x=round(LEFT + slot * place + (slot - width) / 2, 1),
            y=_y(value, 0, high),
            width=round(width, 1),
            height=round(HEIGHT - BOTTOM - _y(value, 0, high), 1),
            title=f"{label}: {value:,.0f} {noun}",
        )
        for place, (value, label) in enumerate(zip(values, labels, strict=True))
    )
    ticks = tuple(Tick(_y(high * part, 0, high), f"{high * part:,.0f}") for part in (0, 0.5, 1))
    line = rule and Tick(round(LEFT + INNER_WIDTH * rule.place, 1), rule.label)
    return Chart(bars, "", (), _x_ticks(labels, slot), ticks, line)


def share_chart(values: Sequence[float | None], labels: Sequence[str]) -> Chart:
    """Return a line of shares from 0.5 (or 0, where one is lower) to 1; None leaves a dot out."""
    known = [value for value in values if value is not None]
    low = 0.0 if min(known, default=1.0) < 0.5 else 0.5
    slot = INNER_WIDTH / max(1, len(values))
    dots = tuple(
        Bar(
            x=round(LEFT + slot * (place + 0.5), 1),
            y=_y(value, low, 1.0),
            width=0,
            height=0,
            title=f"{label}: {value:.1%}",
        )
        for place, (value, label) in enumerate(zip(values, labels, strict=True))
        if value is not None
    )
    line = " ".join(f"{dot.x},{dot.y}" for dot in dots)
    ticks = tuple(Tick(_y(value, low, 1.0), f"{value:.0%}") for value in (low, (low + 1) / 2, 1.0))
    return Chart((), line, dots, _x_ticks(labels, slot), ticks)
