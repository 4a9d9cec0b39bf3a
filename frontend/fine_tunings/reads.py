"""Fine-tunings as pages show them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from collection.models import Campaign
from evaluation.models import FineTuning, Grid, GridTarget
from evaluation.selectors import GridCell, fine_tunings_visible_to, grid_cells, grids_visible_to
from evaluation.selectors.curves import GridCurve, grid_curve
from evaluation.selectors.training_items import MappedItem
from frontend.charts import Chart, size_chart
from frontend.epochs import EpochRow
from frontend.fine_tunings.words import REGIONS, RULES, reach_words, region_words
from frontend.pictures import Mark, Picture, Series
from modeling.finetuning import kept_epoch
from stats.intervals import Estimate
from training.core.seeds import Region
from winoplatform.runs.models import RunStatus
from workers.models import User

DRAWN_HARD, DRAWN_REST = 200, 600
ID = "question-id"
# The colour tells of the mean, and a hollow point of an ambiguous question.
DRAWN: dict[tuple[Region, ...], tuple[str, str]] = {
    (Region.HARD,): ("warn", "cross"),
    (Region.HARD, Region.AMBIGUOUS): ("warn", "hollow"),
    (Region.AMBIGUOUS,): ("ink-soft", "hollow"),
    (Region.EASY, Region.AMBIGUOUS): ("accent", "hollow"),
    (Region.EASY,): ("accent", "dot"),
    (): ("ink-soft", "dot"),
}


@dataclass(frozen=True, slots=True)
class MapView:
    """The map of training: the hardest questions and a sample of the others are drawn.

    ``counts`` has code, name and size of each region.
    """

    picture: Picture
    n_drawn: int
    n: int
    counts: tuple[tuple[str, str, int], ...]
    n_below_chance: int


def map_view(
    items: Sequence[MappedItem], campaign: Campaign | None, questions: Mapping[str, str]
) -> MapView:
    """Return the map of *items*, the hardest first; a click opens a question of *campaign*.

    *questions* are their public ids by the ids of the items.
    """
    rest = items[DRAWN_HARD:]
    every = max(1, -(-len(rest) // DRAWN_REST))
    drawn = [*items[:DRAWN_HARD], *rest[::every]]
    picture = Picture(
        "points",
        tuple(_series(regions, drawn, questions) for regions in DRAWN),
        x_title=_("Standard deviation over epochs"),
        y_title=_("Mean probability of the label"),
        x_format=".2f",
        y_format=".0%",
        href=_href(campaign),
    )
    counts = tuple(
        (region.value, str(name), sum(region in item.regions for item in items))
        for region, name in REGIONS.items()
    )
    below = sum(item.is_below_chance for item in items)
    return MapView(picture, len(drawn), len(items), counts, below)


def _href(campaign: Campaign | None) -> str:
    if campaign is None:
        return ""
    return reverse("review-question", args=[campaign.slug, ID]).replace(ID, "{id}")


def _series(
    regions: tuple[Region, ...], drawn: Sequence[MappedItem], questions: Mapping[str, str]
) -> Series:
    mine = [item for item in drawn if item.regions == regions]
    colour, look = DRAWN[regions]
    return Series(
        capfirst(region_words(regions)),
        x=[round(item.variability, 4) for item in mine],
        y=[round(item.confidence, 4) for item in mine],
        text=[_point_text(item) for item in mine],
        ids=[questions.get(item.item.id, "") for item in mine],
        colour=colour,
        look=look,
    )


def _point_text(item: MappedItem) -> str:
    text = _("%(sentence)s – label: %(label)s; probability %(mean)s ± %(sd)s, %(region)s")
    return text % {
        "sentence": item.item.sentence,
        "label": item.label,
        "mean": f"{item.confidence:.2f}",
        "sd": f"{item.variability:.2f}",
        "region": region_words(item.regions),
    }


CELLS = 60  # on a page


def grids(user: User) -> "QuerySet[Grid, Any]":
    """Return the grids that *user* may see, with how many of their cells are done."""
    is_done = Q(cells__status=RunStatus.DONE)
    rows = grids_visible_to(user).annotate(
        n_cells=Count("cells"), n_done=Count("cells", filter=is_done)
    )
    return rows.select_related("created_by", "best__release", "best__reference_set")


def fine_tunings(user: User) -> "QuerySet[FineTuning, Any]":
    """Return the fine-tunings that *user* may see, with what their pages need."""
    return fine_tunings_visible_to(user).select_related(
        "grid", "release__snapshot__campaign", "reference_set", "before__release",
        "before__reference_set", "dev_release", "dev_reference_set", "created_by",
    )  # fmt: skip


def epoch_rows(run: FineTuning) -> list[EpochRow]:
    """Return the epochs of a fine-tuning that have ended."""
    steps = run.steps.defer("state", "probabilities")
    seconds: dict[int, float] = {}
    for step in steps:
        seconds[step.epoch] = seconds.get(step.epoch, 0.0) + step.seconds
    ends = [step for step in steps if step.is_epoch_end]
    epoch = kept_epoch([end.dev_accuracy or 0.0 for end in ends], run.keep) if ends else None
    return [
        EpochRow(
            number=end.epoch,
            loss=end.loss,
            accuracy=Estimate(**end.dev_metrics["accuracy"]) if end.dev_metrics else None,
            seconds=seconds[end.epoch],
            is_best=end.epoch == epoch,
        )
        for end in ends
    ]


@dataclass(frozen=True, slots=True)
class CellRow:
    """A cell with its figures on dev, and each target with its accuracy if it is known."""

    found: GridCell
    tests: tuple[tuple[str, Mapping[str, Any] | None], ...]
    is_best: bool
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TunedRow:
    """The cell of a setting that was chosen for one target, by its accuracy on another set."""

    found: GridCell
    target: str
    chosen_on: str

    @property
    def accuracy(self) -> Mapping[str, Any] | None:
        return _accuracy(self.found, self.target)

    @property
    def accuracy_there(self) -> Mapping[str, Any] | None:
        return _accuracy(self.found, self.chosen_on)


@dataclass(frozen=True, slots=True)
class GridView:
    """The cells of a grid, and which were chosen by which rule."""

    rows: tuple[CellRow, ...]
    tuned: tuple[TunedRow, ...]
    targets: tuple[str, ...]
    rule: str
    n_chosen: int
    seconds: float


def grid_view(grid: Grid) -> GridView:
    """Return a grid's cells, with those chosen first named."""
    targets = tuple(str(target) for target in grid.targets.select_related(
        "release", "reference_set"
    ))  # fmt: skip
    result = grid.result or {}
    settings = result.get("settings", {})
    chosen = {id for choice in settings.values() for id in choice.get("cells", ())}
    cells = grid_cells(grid)
    rows = tuple(
        CellRow(
            cell,
            tuple((target, _accuracy(cell, target)) for target in targets),
            cell.cell.pk == grid.best_id,
            str(cell.cell.public_id) in chosen,
        )
        for cell in cells
    )
    rule = str(RULES.get(result.get("rule", ""), ""))
    tuned = tuple(_tuned(result.get("tuned_on", {}), cells))
    return GridView(rows, tuned, targets, rule, len(chosen), sum(cell.seconds for cell in cells))


def _tuned(
    result: Mapping[str, Mapping[str, Any]], cells: Sequence[GridCell]
) -> Iterator[TunedRow]:
    by_id = {str(cell.cell.public_id): cell for cell in cells}
    for by_target in result.values():
        for target, choice in by_target.items():
            yield TunedRow(by_id[choice["cell"]], target, choice["dev"])


def _accuracy(cell: GridCell, target: str) -> Mapping[str, Any] | None:
    test = cell.tests.get(target)
    return test.metrics["accuracy"] if test and test.metrics else None


@dataclass(frozen=True, slots=True)
class CurveView:
    """A learning curve with its charts, its areas and the size that people's level needs.

    ``reach`` is empty where people's level is unknown.
    """

    found: GridCurve
    single: Chart | None
    group: Chart | None
    reach: list[tuple[str, str]]


def curve_view(user: User, grid: Grid, target: GridTarget | None) -> CurveView:
    """Return the learning curve of a grid as far as its cells are done."""
    curve = grid_curve(user, grid, target)
    people = curve.people.accuracy.value if curve.people else None
    level = None if people is None else Mark(people, _("people, %s") % f"{people:.1%}")
    single = [(p.point.size, p.point.single, p.point.seed) for p in curve.points]
    group = [(p.point.size, p.point.group, p.point.seed) for p in curve.points]
    of_single = [(point.size, point.single.mean) for point in curve.curve.sizes]
    of_group = [(point.size, point.group.mean) for point in curve.curve.sizes]
    chance = Mark(0.25, _("random answers to pairs, 25%"))
    return CurveView(
        curve,
        _chart(single, of_single, level),
        _chart(group, of_group, chance),
        reach_words(curve.reach),
    )


def _chart(
    points: Sequence[tuple[int, float | None, int]],
    means: Sequence[tuple[int, float | None]],
    level: Mark | None,
) -> Chart | None:
    text = _("%(size)s questions, seed %(seed)d: %(share)s")
    dots = [
        (size, share, text % {"size": f"{size:,}", "seed": seed, "share": f"{share:.1%}"})
        for size, share, seed in points
        if share is not None and size
    ]
    measured = [(size, mean) for size, mean in means if mean is not None and size]
    return size_chart(dots, measured, level=level) if dots else None
