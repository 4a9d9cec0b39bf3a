"""Published ways to fine-tune: the settings that are tried, and how the best is chosen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

Rule = Literal["best", "mean"]


@dataclass(frozen=True, slots=True)
class CellSettings:
    """The settings that differ between the cells of a preset."""

    learning_rate: float
    epochs: int
    batch_size: int
    seed: int

    @property
    def without_seed(self) -> tuple[float, int, int]:
        return self.learning_rate, self.epochs, self.batch_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Settings to try, and the rule by which one is chosen.

    Parameters
    ----------
    name, title, source : str
        ``source`` says where the settings are published, and which ones are ours.
    learning_rates, epochs, batch_sizes : tuple
        Every combination is tried with every seed.
    n_seeds : int
        The seeds are 0, 1, …
    keep : {'best', 'final'}
        The epoch whose weights are kept: the best on dev, or the last.
    rule : {'best', 'mean'}
        ``best``: of all cells, the one with the highest accuracy on dev. ``mean``: the combination
        with the highest mean over its seeds, and that mean is the figure.
    """

    name: str
    title: str
    source: str
    learning_rates: tuple[float, ...] = (1e-5,)
    epochs: tuple[int, ...]
    batch_sizes: tuple[int, ...]
    n_seeds: int
    keep: Literal["best", "final"] = "best"
    rule: Rule = "best"

    @property
    def cells(self) -> list[CellSettings]:
        """Every combination with every seed; seeds change fastest."""
        return [
            CellSettings(*combination)
            for combination in product(
                self.learning_rates, self.epochs, self.batch_sizes, range(self.n_seeds)
            )
        ]


PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="quick",
            title="one setting, three seeds",
            source="Ours, for a laptop: the authors' learning rate, three epochs, batch 16.",
            epochs=(3,),
            batch_sizes=(16,),
            n_seeds=3,
            rule="mean",
        ),
        Preset(
            name="aaai",
            title="WinoGrande, AAAI 2020: 24 settings, three seeds, best on dev",
            source="Sakaguchi et al., WinoGrande (AAAI 2020), §4.1.",
            learning_rates=(1e-5, 3e-5, 5e-5),
            epochs=(3, 4, 5, 8),
            batch_sizes=(8, 16),
            n_seeds=3,
        ),
        Preset(
            name="figure_2",
            title="WinoGrande, Figure 2: best of ten seeds",
            source="Sakaguchi et al., WinoGrande (AAAI 2020), Figure 2. It gives no other "
            "settings: three epochs and batch 16 are ours, within its grid.",
            epochs=(3,),
            batch_sizes=(16,),
            n_seeds=10,
        ),
        Preset(
            name="square_one",
            title="Back to Square One: mean of three seeds, last epoch",
            source="Elazar et al., Back to Square One (EMNLP 2021), §6 and appendix B.",
            epochs=(8,),
            batch_sizes=(8,),
            n_seeds=3,
            keep="final",
            rule="mean",
        ),
        Preset(
            name="arxiv_v1",
            title="WinoGrande, arXiv v1: 36 settings, best on dev",
            source="Sakaguchi et al., WinoGrande (arXiv 1907.10641v1), §5.1. It names no seeds; "
            "one is tried.",
            learning_rates=(1e-5, 3e-5, 10e-5),
            epochs=(3, 4, 5, 10),
            batch_sizes=(4, 8, 16),
            n_seeds=1,
        ),
    )
}
CHOICES = [(name, preset.title) for name, preset in PRESETS.items()]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a rule chose.

    Parameters
    ----------
    best : int
        The row of the best cell; of a mean, the best cell of the best combination.
    rows : tuple of int
        The rows that the figure is of: that cell alone, or all seeds of its combination.
    value : float
        The figure on dev, a share.
    sd : float or None
        Between these rows, with n - 1 in the denominator; None for one row.
    n_cells, n_settings : int
        Cells with a figure, and their combinations, from which it was chosen. The best of many on
        the same questions is too high by chance.
    """

    best: int
    rows: tuple[int, ...]
    value: float
    sd: float | None
    n_cells: int
    n_settings: int


def choose(figures: Sequence[float | None], settings: Sequence[Hashable], *, rule: Rule) -> Choice:
    """Choose among cells by their figures on dev; the first of equal ones.

    Parameters
    ----------
    figures : n floats in [0, 1]
        None for a cell without a result, which is left out.
    settings : n hashable values
        Equal for the cells that differ in their seed only.
    rule : {'best', 'mean'}

    Raises
    ------
    ValueError
        When no cell has a figure, or the lengths differ.

    Examples
    --------
    >>> choose([0.5, 0.7, 0.6, 0.6], ["a", "a", "b", "b"], rule="best").rows
    (1,)
    >>> choose([0.5, 0.6, 0.6, 0.6], ["a", "a", "b", "b"], rule="mean").rows
    (2, 3)
    """
    by_setting: dict[Hashable, list[int]] = defaultdict(list)
    for row, (figure, setting) in enumerate(zip(figures, settings, strict=True)):
        if figure is not None:
            by_setting[setting].append(row)
    if not by_setting:
        raise ValueError("No cell has a figure on dev, so none can be chosen.")
    values = {row: float(figures[row] or 0.0) for rows in by_setting.values() for row in rows}
    of_setting = {
        setting: float(np.mean([values[row] for row in rows]))
        for setting, rows in by_setting.items()
    }
    if rule == "mean":
        rows = by_setting[max(of_setting, key=lambda setting: of_setting[setting])]
    else:
        rows = [max(values, key=lambda row: (values[row], -row))]
    chosen = [values[row] for row in rows]
    return Choice(
        best=max(rows, key=lambda row: (values[row], -row)),
        rows=tuple(rows),
        value=float(np.mean(chosen)),
        sd=float(np.std(chosen, ddof=1)) if len(chosen) > 1 else None,
        n_cells=len(values),
        n_settings=len(by_setting),
    )


def without_progress(figures: Sequence[float], *, patience: int) -> bool:
    """Return whether the last *patience* figures, in order of time, have not beaten those before.

    Examples
    --------
    >>> without_progress([0.5, 0.6, 0.6, 0.55], patience=2)
    True
    >>> without_progress([0.5, 0.6, 0.55], patience=2)
    False
    """
    if len(figures) <= patience:
        return False
    return max(figures[-patience:]) <= max(figures[:-patience])
