import pytest

from frontend.charts import (
    GROUND,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Tick,
    bar_chart,
    nice_top,
    share_chart,
    value_chart,
)
from frontend.evidence.pictures import frame_around, highest_share, label_histogram, scatter
from frontend.pictures import Mark


@pytest.mark.parametrize(
    ("value", "top"), [(1, 2), (7, 8), (23, 24), (158, 160), (1830, 2000), (47_000, 50_000)]
)
def test_an_axis_ends_at_a_round_number(value: float, top: float) -> None:
    assert nice_top(value) == top


def test_bars_stand_on_the_ground_and_none_leaves_the_chart() -> None:
    chart = bar_chart([0, 5, 10], ["0", "1", "2"], noun="questions")
    assert all(bar.y + bar.height == GROUND for bar in chart.bars)
    assert [bar.height for bar in chart.bars] == [0, 80, 160]
    assert min(bar.y for bar in chart.bars) == TOP


def test_small_values_get_an_axis_of_their_own_size() -> None:
    chart = bar_chart([0.31, 0.18], ["1", "2"], noun="seconds", digits=1)
    assert [tick.label for tick in chart.y_ticks] == ["0.0", "0.2", "0.4"]
    assert chart.bars[0].title == "1, seconds: 0.3"


def test_a_share_that_is_unknown_leaves_its_dot_out() -> None:
    chart = share_chart([0.75, None, 0.5], ["1", "2", "3"])
    assert [dot.title for dot in chart.dots] == ["1: 75.0%", "3: 50.0%"]


@pytest.mark.parametrize(
    ("shares", "ends"),
    [
        ([0.4], ("30%", "60%")),
        ([0.41, 0.47], ("30%", "60%")),
        ([0.5], ("40%", "60%")),
        ([0.72, None, 0.55], ("50%", "80%")),
        ([0.0, 1.0], ("0%", "100%")),
    ],
)
def test_the_axis_of_shares_fits_them_and_chance(
    shares: list[float | None], ends: tuple[str, str]
) -> None:
    ticks = share_chart(shares, [""] * len(shares)).y_ticks
    assert (ticks[0].label, ticks[-1].label) == ends


def test_many_bars_get_few_labels() -> None:
    labels = [str(number) for number in range(90)]
    assert len(bar_chart([1] * 90, labels, noun="x").x_ticks) <= 6


@pytest.mark.parametrize(("share", "side"), [(0.1, 1), (0.95, -1)])
def test_the_label_of_a_rule_is_on_the_side_with_room(share: float, side: int) -> None:
    chart = bar_chart([1] * 20, [""] * 20, noun="x", rule=Mark(share, "neutral"))
    assert chart.rule is not None
    assert (chart.rule_label - chart.rule.place) * side > 0


def test_a_rule_stands_at_its_share_of_the_width() -> None:
    rule = bar_chart([1] * 20, [""] * 20, noun="x", rule=Mark(0.75, "τ")).rule
    assert rule == Tick(LEFT + 0.75 * (WIDTH - LEFT - RIGHT), "τ")


def test_values_stand_on_an_axis_that_fits_them_and_the_level() -> None:
    chart = value_chart([0.62, 0.31], ["1", "2"], level=Mark(0.693, "guessing"))
    assert [tick.label for tick in chart.y_ticks] == ["0.30", "0.50", "0.70"]
    assert [dot.title for dot in chart.dots] == ["1: 0.620", "2: 0.310"]
    assert chart.level is not None
    assert TOP < chart.level.place < chart.dots[0].y


@pytest.mark.parametrize(("value", "is_above"), [(0.4, True), (0.6, False)])
def test_the_words_of_a_level_stand_where_the_values_do_not(value: float, is_above: bool) -> None:
    chart = share_chart([value], ["1"], level=Mark(0.5, "guessing"))
    assert chart.level is not None
    assert (chart.level_label < chart.level.place) == is_above


def of_answers(name: str, first: list[object], second: list[object]) -> dict[str, object]:
    return {"answer1": {name: first}, "answer2": {name: second}}


def test_points_lie_in_a_frame_around_zero_and_strays_at_its_edge() -> None:
    points = [[x / 100, 0.0] for x in range(100)]
    frame = frame_around(of_answers("points", [*points, [1e6, 0.0]], []))
    assert (frame[0].low, frame[0].high) == (-0.98, 0.98)
    plot = scatter(of_answers("points", [[1e6, 0]], [[0, 0]]), frame)
    x, y = (LEFT + WIDTH - RIGHT) // 2, (TOP + GROUND) // 2
    assert plot.paths == (f"M{WIDTH - RIGHT} {y}h0", f"M{x - 2} {y - 2}l4 4m-4 0l4-4")
    assert [tick.label for tick in plot.x_ticks] == ["−0.98", "0", "0.98"]


def test_one_component_lies_on_a_line() -> None:
    points = of_answers("points", [[1.0], [-1.0]], [])
    first, second = scatter(points, frame_around(points)).paths
    assert (first.count("h0"), second) == (2, "")


def test_a_histogram_shows_shares_on_a_common_axis() -> None:
    assert highest_share([[1, 3], [0, 0]]) == pytest.approx(0.76)
    plot = label_histogram(of_answers("histogram", [2, 2], [0, 0]), [0, 1, 2], top=1.0)
    first, second = plot.paths
    assert first == f"M{LEFT} {GROUND}V92.0H200.0V92.0H352.0V{GROUND}Z"
    assert (second.count(f"V{GROUND}"), second[-1]) == (3, str(GROUND)[-1])
    assert [tick.label for tick in plot.y_ticks] == ["0%", "50%", "100%"]


def test_nothing_to_show_is_drawn_without_a_fault() -> None:
    nothing = of_answers("points", [], [])
    assert scatter(nothing, frame_around(nothing)).paths == ("", "")
    assert highest_share([]) == pytest.approx(0.02)
