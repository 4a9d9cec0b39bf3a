"""Learning curves of grids, and the level of people that they are compared with."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from collection.core.people import marks
from corpora.models import ReferenceSet
from evaluation.models import FineTuning, Grid, GridTarget
from evaluation.selectors.fine_tunings import Metrics, grid_cells
from panels.models import Panel
from panels.selectors import panel_answers, scores_of, voters_people
from stats.intervals import Estimate, Z, independent_rows, wilson
from training.core.curves import LearningCurve, NamedPoint, Point, learning_curve
from training.core.reach import Reach, reach
from training.core.transfer import RESOURCE, section_of
from winoplatform.runs.models import RunStatus
from workers.models import User

# Majorities of three workers and the questions they answered: WinoGrande (AAAI 2020), Tables 3, 6.
PUBLISHED = {RESOURCE: (0.940, 1767), "wsc": (0.965, 273), "pdp": (0.925, 80), "dpr": (0.952, 564)}


@dataclass(frozen=True, slots=True)
class PeopleLevel:
    """The accuracy of people's majorities, and who and what it is of."""

    accuracy: Estimate
    source: str
    is_of_same_questions: bool


@dataclass(frozen=True, slots=True)
class GridCurve:
    """A learning curve, from the models that are done so far.

    ``people`` is None for questions that nobody has answered, here or for a paper. ``reach`` is the
    size at which their accuracy would be reached; None without it or without points.
    """

    points: tuple[NamedPoint, ...]
    curve: LearningCurve
    people: PeopleLevel | None
    reach: Reach | None


@dataclass(frozen=True, slots=True)
class _CellMetrics:
    """A finished cell with its metrics on the questions of the curve."""

    cell: FineTuning
    metrics: Metrics

    @property
    def size(self) -> int:
        return self.cell.n_train or 0

    @property
    def n_independent(self) -> int:
        """Independent questions that would make its accuracy as certain as those in groups do."""
        return max(1, round(independent_rows(Estimate(**self.metrics["accuracy"]))))

    def point(self) -> NamedPoint:
        group = (self.metrics.get("group_score") or {}).get("value")
        single = self.metrics["accuracy"]["value"]
        return NamedPoint(Point(self.size, self.cell.seed, single, group), str(self.cell.public_id))


def grid_curve(user: User, grid: Grid, target: GridTarget | None = None) -> GridCurve:
    """Return the learning curve of a grid on one of its targets, or on dev.

    Where a size was trained with several settings, those with the best mean on dev are taken.
    """
    cells = _of_one_setting(_cell_metrics(grid, str(target or "")))
    points = tuple(cell.point() for cell in cells)
    people = people_level(user, grid, target)
    return GridCurve(
        points, learning_curve([point.point for point in points]), people, _reach(cells, people)
    )


def _cell_metrics(grid: Grid, target: str) -> Iterator[_CellMetrics]:
    for row in grid_cells(grid):
        test = row.tests.get(target)
        metrics = row.dev if not target else (test.metrics or {}) if test else {}
        is_known = metrics.get("accuracy", {}).get("value") is not None
        if is_known and row.cell.status == RunStatus.DONE and row.cell.n_train:
            yield _CellMetrics(row.cell, metrics)


def _of_one_setting(cells: Iterable[_CellMetrics]) -> list[_CellMetrics]:
    by_size: dict[int, dict[tuple[Any, ...], list[_CellMetrics]]] = defaultdict(dict)
    for scored_cell in cells:
        by_size[scored_cell.size].setdefault(_setting(scored_cell.cell), []).append(scored_cell)
    chosen = []
    for size in sorted(by_size):
        best = max(by_size[size].values(), key=_mean_on_dev)
        last = {cell.cell.seed: cell for cell in best}  # a cell that was started again counts once
        chosen += [last[seed] for seed in sorted(last)]
    return chosen


def _setting(cell: FineTuning) -> tuple[Any, ...]:
    names = [name for name in FineTuning.SETTINGS if name != "seed"]
    return (*(getattr(cell, name) for name in names), cell.transformation)


def _mean_on_dev(cells: Sequence[_CellMetrics]) -> float:
    return sum(cell.cell.dev_accuracy or 0.0 for cell in cells) / len(cells)


def _reach(cells: Sequence[_CellMetrics], people: PeopleLevel | None) -> Reach | None:
    if not cells or people is None:
        return None
    level = people.accuracy
    if level.value is None or not 0 < level.value < 1:
        return None
    sd = 0.0
    if level.low is not None and level.high is not None and not people.is_of_same_questions:
        sd = (level.high - level.low) / 2 / Z
    points = [cell.point().point for cell in cells]
    n_test = min(cell.n_independent for cell in cells)
    return reach(points, error=1 - level.value, error_sd=sd, n_test=n_test)


def people_level(user: User, grid: Grid, target: GridTarget | None) -> PeopleLevel | None:
    """Return people's accuracy on the questions of a target; else the one published for its set.

    Results of people are for curators, as those of blind splits tell answers.
    """
    of = _measured_on(grid, target)
    if user.is_curator and of:
        for panel in Panel.objects.visible_to(user).of_whole_sets().filter(**of).order_by("-pk"):
            majority = scores_of(panel_answers(panel)).majority
            if majority.value is not None:
                who = ", ".join(marks(voters_people(panel), _))
                source = _("people here, on these questions (%s)") % who
                return PeopleLevel(majority, source, True)
    return _published(of.get("reference_set"))


def _measured_on(grid: Grid, target: GridTarget | None) -> dict[str, Any]:
    """Return the set and the split of a target, or of dev; nothing without dev."""
    names = ("release_id", "reference_set", "split")
    if target is not None:
        return {name: getattr(target, name) for name in names}
    cell = grid.cells.exclude(dev_split="").select_related("dev_reference_set").first()
    return {name: getattr(cell, f"dev_{name}") for name in names} if cell else {}


def _published(of: ReferenceSet | None) -> PeopleLevel | None:
    """Return the level published for the set's test questions; of a release there is none."""
    published = PUBLISHED.get(section_of(of.name)) if of is not None else None
    if published is None:
        return None
    share, n = published
    source = _("people in WinoGrande’s paper, on the test questions of this set")
    return PeopleLevel(wilson(share * n, n), source, False)
