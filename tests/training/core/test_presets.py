"""Presets of fine-tuning as the papers have them, and how a cell is chosen."""

import pytest

from training.core.presets import PRESETS, CellSettings, choose


@pytest.mark.parametrize(
    ("name", "n_cells", "n_settings", "keep", "rule"),
    [
        ("aaai", 3 * 4 * 2 * 3, 24, "best", "best"),
        ("figure_2", 10, 1, "best", "best"),
        ("square_one", 3, 1, "final", "mean"),
        ("arxiv_v1", 3 * 4 * 3, 36, "best", "best"),
        ("quick", 3, 1, "best", "mean"),
    ],
)
def test_a_preset_has_the_cells_and_the_rule_of_its_source(name, n_cells, n_settings, keep, rule):
    preset = PRESETS[name]
    assert len(set(preset.cells)) == len(preset.cells) == n_cells
    assert len({cell.without_seed for cell in preset.cells}) == n_settings
    assert (preset.keep, preset.rule) == (keep, rule)


def test_square_one_has_one_setting():
    assert PRESETS["square_one"].cells == [CellSettings(1e-5, 8, 8, seed) for seed in range(3)]


def test_the_aaai_grid_has_the_printed_values():
    cells = PRESETS["aaai"].cells
    assert {cell.learning_rate for cell in cells} == {1e-5, 3e-5, 5e-5}
    assert {cell.epochs for cell in cells} == {3, 4, 5, 8}
    assert {cell.batch_size for cell in cells} == {8, 16}


def test_the_best_cell_and_the_best_mean_may_be_of_different_settings():
    figures, settings = [0.9, 0.5, 0.7, 0.72], ["a", "a", "b", "b"]
    best, mean = (choose(figures, settings, rule=rule) for rule in ("best", "mean"))
    assert (best.rows, best.value, best.sd) == ((0,), 0.9, None)
    assert (mean.rows, mean.best, mean.value) == ((2, 3), 3, pytest.approx(0.71))
    assert mean.sd == pytest.approx(0.02 / 2**0.5)
    assert (best.n_cells, best.n_settings) == (mean.n_cells, mean.n_settings) == (4, 2)


def test_cells_without_a_figure_are_not_chosen_among():
    found = choose([None, 0.4, None], ["a", "b", "b"], rule="best")
    assert (found.rows, found.n_cells, found.n_settings) == ((1,), 1, 1)
    with pytest.raises(ValueError, match="none can be chosen"):
        choose([None], ["a"], rule="mean")
