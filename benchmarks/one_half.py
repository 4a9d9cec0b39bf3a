"""False alarms and power of the test of fresh models against one half, and whether it prints them.

A cell is a number of rows, a share of paired rows and how far apart twins are. Sets without a bias
give the false alarms: of the whole set, and of any of its tests. Then the cue in a quarter of the
rows gets the strength at which the mean accuracy over sets is the detectable accuracy that clean
sets print, and the sets that are found to be above one half are counted: 80 % is right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import joblib
import numpy as np
from numpy.typing import NDArray

from benchmarks.planted_bias import plant
from benchmarks.report import parse_args, result, table
from filtering.core.one_half import Fresh, compare
from filtering.core.probes import fresh_models
from filtering.core.table import Table

SIZES = (323, 1000, 5000)
# Share of paired rows, and standard deviations between twins.
TWINS = ((0.0, 0.0), (0.5, 0.3), (1.0, 0.1), (1.0, 0.5))
D, SHARE = 32, 0.25
SEARCHED, STEPS, STRONGEST = 40, 8, 4.0


class Cell(NamedTuple):
    n: int
    paired: float
    apart: float


class Row(NamedTuple):
    accuracy: float
    detectable: float
    direction: str
    is_any: bool


def measured(cell: Cell, strength: float, seed: int, fresh: Fresh) -> Row:
    made = plant(
        cell.n, D, share=SHARE, strength=strength, paired=cell.paired, apart=cell.apart, seed=seed
    )
    data = Table.of(made.X, made.y, groups=made.groups, ids=None)
    found = compare(fresh, data, np.arange(cell.n), seed=seed)
    whole = found.grouped
    assert whole.accuracy.value is not None
    assert whole.detectable is not None
    sides = {each.direction for each in (whole, found.paired, found.unpaired)}
    is_any = bool(sides & {"above", "below"})
    return Row(whole.accuracy.value, whole.detectable, str(whole.direction), is_any)


def sample(cell: Cell, strength: float, seeds: range, fresh: Fresh) -> list[Row]:
    jobs = (joblib.delayed(measured)(cell, strength, seed, fresh) for seed in seeds)
    found: list[Row] = joblib.Parallel(n_jobs=-1)(jobs)
    return found


def strength_of(cell: Cell, accuracy: float, fresh: Fresh, sets: int) -> float:
    """Return the strength at which models have an accuracy, by bisection over the same sets."""
    fresh = replace(fresh, exchanges=1)  # the standard error is not needed
    low, high = 0.0, STRONGEST
    for _ in range(STEPS):
        middle = (low + high) / 2
        rows = sample(cell, middle, range(10_000, 10_000 + sets), fresh)
        low, high = (middle, high) if mean(rows, "accuracy") < accuracy else (low, middle)
    return (low + high) / 2


def mean(rows: list[Row], name: str) -> float:
    values: NDArray[np.float64] = np.array([getattr(row, name) for row in rows], dtype=np.float64)
    return float(values.mean())


def main() -> None:
    args = parse_args(__doc__ or "", sets=1000, kind="linear")
    sets, sizes = (8, SIZES[:1]) if args.quick else (args.sets, SIZES)
    fresh = fresh_models(args.kind, seed=0)
    rows, alarms, powers = [], [], []
    for cell in (Cell(n, *twins) for n in sizes for twins in TWINS):
        clean = sample(cell, 0.0, range(sets), fresh)
        detectable = mean(clean, "detectable")
        strength = strength_of(cell, detectable, fresh, min(sets, SEARCHED))
        biased = sample(cell, strength, range(20_000, 20_000 + sets), fresh)
        sides = [np.mean([row.direction == side for row in clean]) for side in ("above", "below")]
        alarms.append(mean(clean, "is_any"))
        powers.append(float(np.mean([row.direction == "above" for row in biased])))
        shares = [f"{share:.3f}" for share in (*sides, alarms[-1])]
        accuracies = [f"{detectable:.4f}", f"{mean(biased, 'accuracy'):.4f}"]
        rows.append([*cell, *shares, *accuracies, f"{powers[-1]:.3f}"])
    names = ["n", "paired", "apart", "above", "below", "any", "detectable", "accuracy", "found"]
    table(names, rows)
    result(false_alarms_max=max(alarms), power_min=min(powers), power_max=max(powers))


if __name__ == "__main__":
    main()
