"""Bias and coverage of the divergence estimator over sizes and shapes with a known divergence.

Twins have opposite labels and are correlated. The shapes: two normals; a wide and a narrow one;
Student's t with three degrees of freedom; two humps with different shares of the labels. In each
cell the estimator is compared with the usual histogram estimate (100 bins, 0.5 added to each, less
the bootstrap's bias, basic interval). Then one set of each shape is reduced at random to fewer and
fewer rows: the estimate must not change.

A set too small for its divergence has a lower bound instead of an interval. ``coverage_min`` is
over intervals and bounds in all cells; ``interval_coverage_min`` and ``bias_max`` are over the
intervals of cells in which most sets have one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import norm, t

from benchmarks.report import parse_args, result, table
from filtering.core.divergence import bin_edges, bins_of, label_divergence
from stats.intervals import Estimate

SIZES = {False: (100, 300, 1000, 4000, 12_000, 44_000), True: (100, 1000)}
REDUCED = {False: (12_000, 4000, 1000, 300), True: (300,)}
WHOLE = {False: 44_000, True: 2000}
CORRELATION = 0.5
RESAMPLES = 100
FEW = 8  # sets for the histogram, whose coverage needs less precision
HUMP = 2.5
SEEN = 0.5  # least share of sets with an interval for a cell in interval_coverage_min and bias_max

Floats = NDArray[np.float64]
Transform = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Shape:
    """Two densities, as functions of a standard normal draw and as logarithms."""

    name: str
    draw1: Transform
    draw2: Transform
    log1: Transform
    log2: Transform

    def truth(self) -> float:
        """Return KL(p ‖ q) in nats, by quadrature."""

        def slice_of(x: float) -> float:
            one, two = self.log1(np.array(x)), self.log2(np.array(x))
            return float(np.exp(one) * (one - two))

        return float(quad(slice_of, -60, 60, limit=2000, points=[-4, -2, 0, 2, 4, 8])[0])


@dataclass(frozen=True)
class Sample:
    d1: Floats
    first: NDArray[np.bool_]
    units: NDArray[np.int64]

    def reduced(self, n: int, rng: np.random.Generator) -> Sample:
        keep = rng.permutation(len(self.d1) // 2)[: n // 2]
        rows = np.isin(self.units, keep)
        return Sample(self.d1[rows], self.first[rows], self.units[rows])


def normal(distance: float, width: float = 1.0) -> Shape:
    return Shape(
        "normal" if width == 1 else "wide",
        lambda z: width * z + distance,
        lambda z: z,
        lambda x: norm.logpdf(x, distance, width),
        norm.logpdf,
    )


def student(distance: float) -> Shape:
    def heavy(z: Floats) -> Floats:
        return np.asarray(t.ppf(norm.cdf(z), 3))

    return Shape(
        "t3",
        lambda z: heavy(z) + distance,
        heavy,
        lambda x: t.logpdf(x - distance, 3),
        lambda x: t.logpdf(x, 3),
    )


def humps(share: float) -> Shape:
    """Label 1 has *share* of its rows around 2.5 and the rest around -2.5, label 2 vice versa."""

    def draws(share: float) -> Transform:
        def draw(z: Floats) -> Floats:
            place = norm.cdf(z)
            low = place < 1 - share
            within = np.where(low, place / (1 - share), (place - 1 + share) / share)
            return np.asarray(norm.ppf(np.clip(within, 1e-12, 1 - 1e-12)) + HUMP * (1 - 2 * low))

        return draw

    def logs(share: float) -> Transform:
        return lambda x: np.logaddexp(
            np.log(share) + norm.logpdf(x, HUMP), np.log(1 - share) + norm.logpdf(x, -HUMP)
        )

    return Shape("humps", draws(share), draws(1 - share), logs(share), logs(1 - share))


SHAPES = (
    *(normal(distance) for distance in (0, 0.3, 1, 1.5, 2.239, 2.828)),
    normal(1, 1.5), normal(2, 1.5), student(1), student(3), humps(0.8), humps(0.97),
)  # fmt: skip


def sample(shape: Shape, n: int, rng: np.random.Generator) -> Sample:
    """Draw n / 2 twins of opposite labels."""
    z1 = rng.normal(size=n // 2)
    z2 = CORRELATION * z1 + np.sqrt(1 - CORRELATION**2) * rng.normal(size=n // 2)
    d1 = np.concatenate([shape.draw1(z1), shape.draw2(z2)])
    return Sample(d1, np.arange(2 * (n // 2)) < n // 2, np.tile(np.arange(n // 2), 2))


def found(one: Sample, seed: int) -> Estimate:
    return label_divergence(one.d1, one.first, one.units, seed=seed, resamples=RESAMPLES)


def histogram(one: Sample, seed: int) -> Estimate:
    """Estimate from a histogram: plug-in less the bootstrap's bias, with the basic interval."""
    bins, n = bins_of(one.d1, bin_edges(one.d1)), len(one.d1)
    cell, rng = bins + 100 * one.first, np.random.default_rng(seed)
    of_row = np.unique(one.units, return_inverse=True)[1]

    def plug_in(often: Floats | None) -> float:
        two, first = np.bincount(cell, weights=often, minlength=200).reshape(2, 100) + 0.5
        p, q = first / first.sum(), two / two.sum()
        return float((p * np.log(p / q)).sum())

    drawn = []
    for _ in range(RESAMPLES):
        units = np.bincount(rng.integers(0, n // 2, n // 2), minlength=n // 2)
        drawn.append(plug_in(units[of_row].astype(float)))
    whole = plug_in(None)
    low, high = 2 * whole - np.quantile(drawn, [0.975, 0.025])
    return Estimate(max(0.0, 2 * whole - float(np.mean(drawn))), max(0.0, low), max(0.0, high), n)


@dataclass(frozen=True)
class Cell:
    """One shape at one size, over many sets."""

    shape: Shape
    truth: float
    n: int
    ours: list[Estimate]
    theirs: list[Estimate]

    @property
    def shown(self) -> list[Estimate]:
        return [one for one in self.ours if one.value is not None]

    @property
    def bounded(self) -> list[Estimate]:
        return [one for one in self.ours if one.value is None]

    def row(self) -> list[str]:
        shown = self.shown
        return [
            self.shape.name, f"{self.truth:.3f}", f"{self.n:,}",
            f"{len(shown) / len(self.ours):.2f}",
            _mean(shown), _share(coverage(shown, self.truth)), _width(shown),
            _share(coverage(self.bounded, self.truth)),
            _mean(self.theirs), _share(coverage(self.theirs, self.truth)),
        ]  # fmt: skip


def coverage(ones: list[Estimate], truth: float) -> float | None:
    """Return the share of intervals, or lower bounds, that contain the truth."""
    ends = [(one.low or 0, np.inf if one.high is None else one.high) for one in ones]
    return float(np.mean([low <= truth <= high for low, high in ends])) if ends else None


def _mean(ones: list[Estimate]) -> str:
    return f"{np.mean([one.value for one in ones]):.3f}" if ones else "–"


def _width(ones: list[Estimate]) -> str:
    return f"{np.median([one.high - one.low for one in ones]):.2f}" if ones else "–"  # type: ignore[operator]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def cells(quick: bool, sets: int) -> Iterator[Cell]:
    for shape in SHAPES[2:4] if quick else SHAPES:
        truth = shape.truth()
        for n in SIZES[quick]:
            samples = [sample(shape, n, np.random.default_rng([n, k])) for k in range(sets)]
            ours = [found(one, k) for k, one in enumerate(samples)]
            theirs = [histogram(one, k) for k, one in enumerate(samples[:FEW])]
            yield Cell(shape, truth, n, ours, theirs)


def reductions(quick: bool, sets: int) -> Iterator[tuple[str, int, float, float, float, float]]:
    """Yield estimates for a set and for random reductions of it.

    Shape, rows, estimate of the whole, mean estimate of the reductions, share of their intervals
    that contain the whole's estimate, and mean of the histogram estimate.
    """
    for shape in (normal(1.5), humps(0.8)) if quick else (normal(2.239), normal(1), humps(0.8)):
        whole = sample(shape, WHOLE[quick], np.random.default_rng(1))
        before = found(whole, 0).value or 0.0
        for n in REDUCED[quick]:
            ones = [whole.reduced(n, np.random.default_rng([n, k])) for k in range(sets)]
            after = [found(one, k) for k, one in enumerate(ones)]
            values = [one.value for one in after if one.value is not None]
            agrees = coverage(after, before) or 0.0
            theirs = float(np.mean([histogram(one, k).value for k, one in enumerate(ones[:FEW])]))
            yield (
                shape.name,
                n,
                before,
                float(np.mean(values)) if values else np.nan,
                agrees,
                theirs,
            )


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "", sets=100)
    sets = 4 if args.quick else args.sets
    measured = list(cells(args.quick, sets))
    heads = ["shape", "KL", "n", "shown", "mean", "coverage", "width", "bound holds"]
    table([*heads, "histogram", "its coverage"], [cell.row() for cell in measured])
    random = list(reductions(args.quick, sets))
    table(
        ["shape", "reduced to n", "whole", "reduced, mean", "agrees", "histogram, reduced"],
        [[name, f"{n:,}", *(f"{x:.3f}" for x in rest)] for name, n, *rest in random],
    )
    usual = [cell for cell in measured if len(cell.shown) >= SEEN * len(cell.ours)]
    covered = [coverage(cell.shown, cell.truth) for cell in usual]
    result(
        cells=len(measured),
        cells_with_interval=len(usual),
        coverage_min=_least(coverage(cell.ours, cell.truth) for cell in measured),
        interval_coverage_min=_least(covered),
        bias_max=max(_bias(cell.shown, cell.truth) for cell in usual),
        bound_coverage_min=_least(coverage(cell.bounded, cell.truth) for cell in measured),
        reduction_agrees_min=min(one[4] for one in random),
        histogram_coverage_min=_least(coverage(cell.theirs, cell.truth) for cell in measured),
        histogram_bias_max=max(_bias(cell.theirs, cell.truth) for cell in measured),
    )


def _least(shares: Iterable[float | None]) -> float:
    return min((share for share in shares if share is not None), default=1.0)


def _bias(ones: list[Estimate], truth: float) -> float:
    return abs(float(np.mean([one.value for one in ones])) - truth)


if __name__ == "__main__":
    main()
