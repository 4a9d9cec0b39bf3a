"""The batched engine's predictions against the exact optimum, over scales and penalties.

Seven kinds of data (plain, noise, near-identical twins with opposite labels, separable, duplicated
rows and features, features of mixed scales, unbalanced labels), features that deviate by 1e-5 to
1e3, and C from 1e-3 to 1e4. The optimum is found by Newton's method in float64 and certified by its
gradient. Beside the engine stands scikit-learn's newton-cholesky at a tolerance of 1e-9, a bound on
the gradient; the cells in which it warned are counted.
"""

import warnings
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import parse_args, result, table
from tests.filtering.core.ensembles import Problem
from tests.filtering.core.kinds import KINDS, at_scale

SCALES = [10.0**power for power in range(-5, 4)]
PENALTIES = [10.0**power for power in range(-3, 5)]
# Decisions so much smaller than the others have a sign that float32 may turn by rounding alone.
ROUNDING = 1e-6


@dataclass
class Cells:
    """What a kind's cells, one for each scale and penalty, have shown so far."""

    agreements: list[float] = field(default_factory=list)
    stock: list[float] = field(default_factory=list)
    beyond: int = 0  # predictions that differ by more than rounding
    members: int = 0
    fallbacks: int = 0
    unconverged: int = 0
    warned: int = 0  # cells in which scikit-learn warned

    def add(self, case: Problem) -> None:
        exact = case.certified()  # (n_rows, n)
        found = case.fit()
        self.agreements.append(case.agreement(found.predictions, exact > 0))
        differ = (found.predictions != (exact > 0)) & ~case.masks
        self.beyond += int((differ & (np.abs(exact) > ROUNDING * np.abs(exact).mean(0))).sum())
        self.members += case.masks.shape[1]
        self.fallbacks += found.fallbacks
        self.unconverged += found.unconverged
        predictions, warned = _stock(case)
        self.stock.append(case.agreement(predictions, exact > 0))
        self.warned += warned

    def row(self, kind: str) -> list[object]:
        least = [f"{min(shares):.5f}" for shares in (self.agreements, self.stock)]
        mean = f"{np.mean(self.agreements):.6f}"
        share = f"{self.fallbacks / self.members:.1%}"
        return [kind, least[0], mean, self.beyond, share, self.unconverged, least[1], self.warned]


def _stock(case: Problem) -> tuple[NDArray[np.bool_], bool]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return case.exact(), bool(caught)


HEADERS = [
    *("kind", "least agreement", "mean", "beyond rounding", "fallbacks", "unconverged"),
    *("scikit-learn's least", "cells it warned in"),
]


def main() -> None:
    args = parse_args(__doc__ or "")
    shape = (
        {"n_rows": 1200, "d": 20, "m": 240} if args.quick else {"n_rows": 3000, "d": 60, "m": 600}
    )
    step = 4 if args.quick else 1
    found = {}
    for kind in KINDS:
        found[kind] = Cells()
        for scale in SCALES[::step]:
            for penalty in PENALTIES[::step]:
                found[kind].add(at_scale(kind, scale, penalty, n=12, **shape))
    n_held = 12 * (shape["n_rows"] - shape["m"])
    n_cells = len(SCALES[::step]) * len(PENALTIES[::step])
    print(f"{n_cells} cells a kind, {n_held:,} held-out predictions a cell, {shape}, tol=1e-3")
    table(HEADERS, [cells.row(kind) for kind, cells in found.items()])
    every = list(found.values())
    result(
        agreement_min=f"{min(min(cells.agreements) for cells in every):.5f}",
        agreement_mean=f"{np.mean([cells.agreements for cells in every]):.6f}",
        beyond_rounding=sum(cells.beyond for cells in every),
        fallback_share=sum(cells.fallbacks for cells in every) / sum(c.members for c in every),
        unconverged=sum(cells.unconverged for cells in every),
        stock_min=f"{min(min(cells.stock) for cells in every):.5f}",
    )


if __name__ == "__main__":
    main()
