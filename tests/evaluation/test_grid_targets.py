"""What counts as a grid's score on a target."""

import pytest

from evaluation.selectors import grid_cells
from evaluation.selectors.curves import grid_curve
from tests.evaluation.grids import curve, scored
from tests.evaluation.training import planted_set
from tests.factories import ReleaseFactory, UserFactory


def test_only_the_evaluations_of_a_target_count_for_it() -> None:
    """A release of the same name has a blind test, whose scores tell labels."""
    data = planted_set()
    grid = curve({160: [0.6, 0.6]}, data)
    first, second = grid.cells.order_by("pk")
    blind = ReleaseFactory(finished=True, name=data.name)
    scored(first, None, 0.91, release=blind)
    scored(second, data, 0.92, transformation="local_context")
    runs = [row.tests["planted test"] for row in grid_cells(grid)]
    shown = [(run.metrics or {})["accuracy"]["value"] for run in runs]
    assert shown == [pytest.approx(0.58)] * 2
    drawn = grid_curve(UserFactory(curator=True), grid, grid.targets.get()).points
    assert {named.point.single for named in drawn} == set(shown)
