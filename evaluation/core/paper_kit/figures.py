"""The figures of a paper kit as PDF, in grey so that they print."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from corpora.core.bundle.wording import number
from evaluation.core.paper_kit.facts import KitFacts
from evaluation.core.paper_kit.pdf import Page, text_width
from evaluation.core.paper_kit.results_text import MEASURES
from evaluation.core.paper_kit.tables import PARTS, whom

WIDTH, ROW, AXIS, RIGHT = 340.0, 16.0, 34.0, 14.0


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with the ends of its interval, if it has one."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class KitFigure:
    name: str
    caption: str
    content: bytes


def figures(facts: KitFacts) -> list[KitFigure]:
    """Return the figures for which the release has data."""
    made = (_splits(facts), _agreement(facts), _baselines(facts), _pay(facts))
    return [one for one in made if one is not None]


def _splits(facts: KitFacts) -> KitFigure | None:
    about = facts.manifest
    parts = {
        stem: (2 * about.splits[stem].pairs, about.splits[stem].unpaired) for stem in about.stems
    }
    if not any(map(sum, parts.values())):
        return None
    caption = "Questions of each file: in complete pairs (dark) and without a twin (light)."
    return KitFigure("splits", caption, _bars(parts, "questions"))


def _agreement(facts: KitFacts) -> KitFigure | None:
    dots = [
        Dot(f"{name}, {subject}", figure.value, figure.low, figure.high)
        for part, subject in PARTS.items()
        for measure, name in MEASURES.items()
        if (figure := facts.manifest.agreement.get(f"{part}_{measure}")) is not None
        and figure.value is not None
    ]
    if not dots:
        return None
    low = min(0.0, *(dot.value if dot.low is None else dot.low for dot in dots))
    caption = (
        "Agreement with 95 % intervals, which are over pairs; the line is chance for alpha and "
        "kappa."
    )
    return KitFigure("agreement", caption, _dots(dots, (low, 1.0), "agreement", level=0.0))


def _baselines(facts: KitFacts) -> KitFigure | None:
    one = facts.baseline
    if one is None:
        return None
    dots = [Dot(f"always option {one.option}", one.right / one.questions)]
    for human in facts.manifest.human:
        figure = human.majority
        if figure.value is not None:
            name = f"majority of people, {whom(human)}"
            dots.append(Dot(name, figure.value, figure.low, figure.high))
    caption = "Accuracy on dev, or for people on the questions named; the line is chance."
    return KitFigure("baselines", caption, _dots(dots, (0.0, 1.0), "accuracy", level=0.5))


def _pay(facts: KitFacts) -> KitFigure | None:
    rates = {
        work: of for work, of in facts.rates.items() if of and work in ("writing", "validating")
    }
    if not rates:
        return None
    most = max(max(of) for of in rates.values()) or 1.0
    caption = "What an hour of the work on these questions paid each person."
    return KitFigure(
        "pay",
        caption,
        _strips(rates, most, f"pay for an hour ({facts.manifest.collection.currency})"),
    )


def _frame(names: Sequence[str], span: tuple[float, float], title: str) -> tuple[Page, float]:
    """Return a page with an axis below, and where the axis begins."""
    left = 12 + max(text_width(name, 8) for name in names)
    page = Page(WIDTH, AXIS + ROW * len(names) + 6)
    page.line(left, AXIS, WIDTH - RIGHT, AXIS)
    step = _step(span[1] - span[0])
    digits = max(0, -floor(log10(step) + 1e-9))
    for place in range(ceil(span[0] / step - 1e-9), floor(span[1] / step + 1e-9) + 1):
        x = _x(place * step, span, left)
        page.line(x, AXIS, x, AXIS - 3)
        page.text(x, AXIS - 12, f"{place * step:,.{digits}f}", size=7, at="middle")
    page.text((left + WIDTH - RIGHT) / 2, 6, title, at="middle")
    for place, name in enumerate(names):
        page.text(left - 6, _y(place, len(names)) - 3, name, at="right")
    return page, left


def _step(length: float) -> float:
    """Return the distance of ticks, 1, 2 or 5 times a power of ten; there are six at most.

    >>> _step(1.0), _step(312.0)
    (0.2, 100.0)
    """
    power: float = 10.0 ** floor(log10(length / 5))
    return next(n * power for n in (1, 2, 5, 10) if n * power * 5 >= length * (1 - 1e-9))


def _x(value: float, span: tuple[float, float], left: float) -> float:
    return left + (value - span[0]) / (span[1] - span[0]) * (WIDTH - RIGHT - left)


def _y(place: int, n: int) -> float:
    return AXIS + ROW * (n - place - 0.5)


def _bars(parts: Mapping[str, tuple[int, int]], title: str) -> bytes:
    span = (0.0, max(1.0, 1.15 * max(map(sum, parts.values()))))
    page, left = _frame([*parts], span, title)
    for place, (dark, light) in enumerate(parts.values()):
        y, end = _y(place, len(parts)) - 4.5, _x(dark, span, left)
        page.bar(left, y, end - left, 9, grey=0.35)
        page.bar(end, y, _x(dark + light, span, left) - end, 9, grey=0.75)
        page.text(_x(dark + light, span, left) + 3, y + 2, number(dark + light), size=7)
    return page.pdf()


def _dots(dots: Sequence[Dot], span: tuple[float, float], title: str, *, level: float) -> bytes:
    page, left = _frame([dot.name for dot in dots], span, title)
    x = _x(level, span, left)
    page.line(x, AXIS, x, AXIS + ROW * len(dots), grey=0.5, dashed=True)
    for place, dot in enumerate(dots):
        y, x = _y(place, len(dots)), _x(dot.value, span, left)
        if dot.low is not None and dot.high is not None:
            page.line(_x(dot.low, span, left), y, _x(dot.high, span, left), y, width=1)
        page.bar(x - 2.5, y - 2.5, 5, 5, grey=0)
    return page.pdf()


def _strips(rates: Mapping[str, Sequence[float]], most: float, title: str) -> bytes:
    span = (0.0, 1.05 * most)
    page, left = _frame([*rates], span, title)
    for place, of in enumerate(rates.values()):
        y = _y(place, len(rates))
        for rate in of:
            x = _x(rate, span, left)
            page.line(x, y - 5, x, y + 5, grey=0.2, width=0.8)
    return page.pdf()
