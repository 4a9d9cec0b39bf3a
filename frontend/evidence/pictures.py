"""The pictures of the evidence; shape and colour both distinguish the two answers."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from collection.models import Campaign
from filtering.models import Assessment
from filtering.selectors.questions import Placed, placed_questions
from frontend.charts import Axis, Chart, drawing_of
from frontend.pictures import Mark, Picture, Series, interval_series

ID = "question-id"
COLOURS = {1: "accent", 2: "warn"}
LOOKS = {1: "dot", 2: "cross"}


def points(assessment: Assessment, campaign: Campaign) -> Picture:
    """Return all questions on two components, with what the filter removed in the background."""
    placed = placed_questions(assessment)
    titles = {
        (False, 1): _("Removed, answer 1"),
        (False, 2): _("Removed, answer 2"),
        (True, 1): _("Kept, answer 1"),
        (True, 2): _("Kept, answer 2"),
    }
    return Picture(
        "points",
        tuple(
            _points([point for point in placed if (point.is_kept, point.answer) == key], title, key)
            for key, title in titles.items()
        ),
        x_title=_("First component"),
        y_title=_("Second component"),
        href=reverse("data-question", args=[campaign.slug, ID]).replace(ID, "{id}"),
    )


def _points(placed: Sequence[Placed], title: str, key: tuple[bool, int]) -> Series:
    is_kept, answer = key
    return Series(
        title,
        x=[point.x for point in placed],
        y=[point.y for point in placed],
        text=[f"{point.sentence} ({point.right})" for point in placed],
        ids=[point.id for point in placed],
        colour=COLOURS[answer],
        look=LOOKS[answer],
        is_faint=not is_kept,
    )


def before_after(projection: Mapping[str, Any]) -> Picture | None:
    """Return the questions of each answer along the first component, all and kept."""
    if "kept" not in projection:
        return None
    titles = (
        ("all", 1, _("Before, answer 1")),
        ("all", 2, _("Before, answer 2")),
        ("kept", 1, _("After, answer 1")),
        ("kept", 2, _("After, answer 2")),
    )
    return Picture(
        "steps",
        tuple(
            _steps(projection["edges"], projection[which], answer, title, is_faint=which == "all")
            for which, answer, title in titles
        ),
        x_title=_("First component"),
        y_format=".1%",
    )


def _steps(
    edges: Sequence[float], its: Mapping[str, Any], answer: int, title: str, *, is_faint: bool
) -> Series:
    return Series(
        title,
        [(low + high) / 2 for low, high in pairwise(edges)],
        shares(its[f"answer{answer}"]["histogram"]),
        colour=COLOURS[answer],
        look="dash" if answer == 2 else "line",
        is_faint=is_faint,
    )


def shares(counts: Sequence[int]) -> list[float]:
    return [count / max(1, sum(counts)) for count in counts]


def label_histogram(its: Mapping[str, Any], edges: Sequence[float], *, top: float) -> Chart:
    """Draw the shares of two answers' rows in each bin, on an axis from 0 to *top*."""
    series = tuple(_steps(edges, its, answer, "", is_faint=False) for answer in COLOURS)
    x = Axis(edges[0], edges[-1], _three((edges[0], edges[-1])))
    return drawing_of(Picture("steps", series), x, Axis.between((0, top), ".0%"))


def highest_share(histograms: Iterable[Sequence[int]]) -> float:
    """Return the largest share in a bin of any histogram, rounded up to an even percentage."""
    top = max((max(shares(counts), default=0) for counts in histograms), default=0)
    return max(0.02, ceil(50 * top) / 50)


def scatter(its: Mapping[str, Any], frame: tuple[Axis, Axis]) -> Chart:
    """Draw the sample of a set by answer; points outside the frame are drawn at its edge."""
    series = (
        Series("", *_coordinates(its[f"answer{answer}"]["points"]), look=look)
        for answer, look in LOOKS.items()
    )
    return drawing_of(Picture("points", tuple(series)), *frame)


def frame_around(its: Mapping[str, Any]) -> tuple[Axis, Axis]:
    """Return the axes that have room for the middle 98% of a set's points."""
    points = [point for answer in LOOKS for point in its[f"answer{answer}"]["points"]]
    x, y = (_around_zero(values) for values in _coordinates(points))
    return x, y


def _coordinates(points: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """Return both coordinates of points, the second of which is 0 if there is none."""
    return [one[0] for one in points], [one[1] if len(one) > 1 else 0.0 for one in points]


def _around_zero(values: Iterable[float]) -> Axis:
    ranked = sorted(abs(value) for value in values) or [0.0]
    end = ranked[-1 - len(ranked) // 50] or 0.5
    return Axis(-end, end, _three((-end, end)))


def _three(ends: tuple[float, float]) -> list[tuple[float, str]]:
    middle = 0.0 if ends[0] < 0 < ends[1] else sum(ends) / 2
    return [(at, f"{at:.2g}".replace("-", "−")) for at in (ends[0], middle, ends[1])]


def accuracies(sets: Sequence[Any]) -> Picture | None:
    """Return the accuracy of fresh models on each set, as dots with intervals."""
    kinds = ((_("Linear"), "linear", "accent"), (_("Non-linear"), "nonlinear", "warn"))
    series = tuple(
        interval_series(
            [
                (f"{_name(row)}, {title.lower()}", models["grouped"]["accuracy"])
                for row in sets
                if (models := getattr(row, kind))
            ],
            name=title,
            colour=colour,
        )
        for title, kind, colour in kinds
    )
    if not any(one.x for one in series):
        return None
    return Picture("dots", series, x_format=".1%", upright=Mark(0.5, _("one half")))


def _name(row: Any) -> str:
    return capfirst(row.name) or _("Whole set")
