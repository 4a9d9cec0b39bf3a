"""Geometry of the evidence's plots."""

import pytest

from frontend.evidence.plots import (
    GROUND,
    LEFT,
    RIGHT_END,
    TOP,
    Frame,
    highest_share,
    label_histogram,
    scatter,
)


def test_points_lie_in_a_frame_around_zero_and_strays_at_its_edge() -> None:
    points = [[x / 100, 0.0] for x in range(100)]
    frame = Frame.around([*points, [1e6, 0.0]])
    assert frame.x == (-0.98, 0.98)
    plot = scatter([[1e6, 0]], [[0, 0]], frame)
    middle = (TOP + GROUND) // 2
    assert plot.first == f"M{RIGHT_END} {middle}h0"
    assert plot.second == f"M{(LEFT + RIGHT_END) // 2 - 2} {middle - 2}l4 4m-4 0l4-4"
    assert [tick.label for tick in plot.x_ticks] == ["−0.98", "0", "0.98"]


def test_one_component_lies_on_a_line() -> None:
    plot = scatter([[1.0], [-1.0]], [], Frame.around([[1.0], [-1.0]]))
    assert plot.second == ""
    assert plot.first.count("h0") == 2


def test_a_histogram_shows_shares_on_a_common_axis() -> None:
    top = highest_share([[1, 3], [0, 0]])
    assert top == pytest.approx(0.76)
    plot = label_histogram([2, 2], [0, 0], [0, 1, 2], top=1.0)
    assert plot.first == f"M{LEFT}.0 {GROUND}V92.0H{(LEFT + RIGHT_END) / 2}V92.0H312.0V{GROUND}Z"
    assert plot.second.count(f"V{GROUND}") == 3
    assert [tick.label for tick in plot.y_ticks] == ["0%", "50%", "100%"]


def test_nothing_to_show_is_drawn_without_a_fault() -> None:
    assert scatter([], [], Frame.around([])).first == ""
    assert highest_share([]) == pytest.approx(0.02)
