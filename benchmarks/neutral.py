"""The neutral cut and the published rule on sets with a known bias.

A cell of the grid is a share of biased rows, the strength and form of their cue, and the share of
paired rows; each is drawn with several seeds. Both rules filter the same set. Then fresh models are
cross-validated on the rows left, on folds that the filter did not use: AFLite's linear model, a
small perceptron, and a support vector machine with a Gaussian kernel. Figures are means over seeds
(``--seeds``; only the first ``--nonlinear`` of them for the slow non-linear models). A distance is
that of the mean from one half, the largest of all rows, pairs and unpaired rows.

``--scale`` instead runs both rules once at the paper's size, 47,000 rows of 1,024 features, and
prints their times.
"""

import time
import warnings
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.aflite_data import Synthetic
from benchmarks.planted_bias import Form, Planted, plant
from benchmarks.report import parse_args, peak_mb, result, table
from filtering.core.aflite import AFLite
from filtering.core.fresh import FOLDS, balanced_accuracy, deal_folds
from filtering.core.parameters import Preset, settings
from filtering.core.probes import probe
from stats.keys import identity_keys

ROWS, D = 4000, 128
# Share of the rows with a cue, and its strength in standard deviations.
BIASES = ((0.0, 0.0), (0.1, 2.0), (0.25, 2.0), (0.25, 6.0), (0.5, 1.0), (1.0, 0.3))
FORMS: tuple[Form, ...] = ("one", "several", "xor")
PAIRED = (0.0, 0.5, 1.0)
PRESETS: tuple[Preset, ...] = ("neutral", "published")
MODELS = ("linear", "nonlinear", "rbf")
# Accuracy of a fresh linear model before filtering from which removing nothing is a failure.
CLEARLY_BIASED = 0.58
FEW = 100  # rows: accuracies over fewer pairs or unpaired rows are ignored
FOLDS_OF_PROBES = 10_000  # first seed of the probes; filters do not use these seeds


class Left(NamedTuple):
    """The result of one rule on one set.

    accuracies : float (3, 3)
        Of each model over all rows, pairs and unpaired rows; nan where not measured.
    """

    accuracies: NDArray[np.float64]
    biased_removed: int
    clean_lost: int
    scorings: int
    seconds: float


class Cell(NamedTuple):
    share: float
    strength: float
    form: Form
    paired: float


def cells(quick: bool) -> Iterator[Cell]:
    for (share, strength), form, paired in product(BIASES, FORMS, PAIRED):
        if share or form == "one":
            cell = Cell(share, strength, form, paired)
            if not quick or (cell.share, cell.strength) in ((0.0, 0.0), (0.25, 6.0)):
                yield cell


def measure(cell: Cell, seed: int, n: int, d: int, *, all_models: bool) -> list[Left]:
    """Filter one set with each rule; the first entry is the whole set, with the linear model."""
    made = plant(n, d, **cell._asdict(), seed=seed)
    found = [_left(made, np.ones(n, dtype=bool), seed, MODELS[:1], 0, 0.0)]
    models = MODELS if all_models else MODELS[:1]
    for preset in PRESETS:
        start = time.perf_counter()
        run = AFLite(**settings(preset, n), seed=seed).fit(made.X, made.y, groups=made.groups)
        took = time.perf_counter() - start
        found.append(_left(made, run.support_, seed, models, len(run.phases_), took))
    return found


def _left(
    made: Planted,
    kept: NDArray[np.bool_],
    seed: int,
    models: Sequence[str],
    scorings: int,
    seconds: float,
) -> Left:
    accuracies = np.full((len(MODELS), 3), np.nan)
    for row, model in enumerate(models):
        accuracies[row] = _accuracies(model, made, kept, FOLDS_OF_PROBES + seed)
    gone = ~kept
    counts = int(gone[made.biased].sum()), int(gone[~made.biased].sum())
    return Left(accuracies, *counts, scorings, seconds)


def _accuracies(kind: Any, made: Planted, kept: NDArray[np.bool_], seed: int) -> list[float]:
    """Cross-validate a model on the rows kept: on all, pairs and unpaired rows."""
    if kind == "rbf":
        return _kernel_machine(made, kept, seed)
    ids = range(len(made.y))
    found = probe(kind, made.X, made.y, ids=ids, twins=made.groups, seed=seed, among=kept)
    return [
        np.nan if one.accuracy.value is None else one.accuracy.value
        for one in (found.grouped, found.paired, found.unpaired)
    ]


def _kernel_machine(made: Planted, kept: NDArray[np.bool_], seed: int) -> list[float]:
    X, y, groups = made.X[kept], made.y[kept], made.groups[kept]  # noqa: N806
    keys = identity_keys(groups, name="groups")
    fold = deal_folds(keys, y, seed=seed, purpose="kernel machine")
    hits = np.empty(len(y))
    for number in range(FOLDS):
        test = fold == number
        model = make_pipeline(StandardScaler(), SVC(class_weight="balanced"))
        hits[test] = model.fit(X[~test], y[~test]).predict(X[test]) == y[test]
    _, of_row, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    paired = sizes[of_row] > 1
    return [
        balanced_accuracy(hits[rows], y[rows], groups[rows])[0] if rows.sum() >= FEW else np.nan
        for rows in (np.ones(len(y), dtype=bool), paired, ~paired)
    ]


def grid(n_seeds: int, n_nonlinear: int, n: int, d: int, *, quick: bool) -> None:
    wanted = list(cells(quick))
    jobs = [
        joblib.delayed(measure)(cell, seed, n, d, all_models=seed < n_nonlinear)
        for cell in wanted
        for seed in range(n_seeds)
    ]
    lefts = joblib.Parallel(n_jobs=-1, verbose=0)(jobs)
    rows, worst, removed, lost = [], {}, [], dict.fromkeys(PRESETS, 0)
    for i, cell in enumerate(wanted):
        of_seeds = lefts[i * n_seeds : (i + 1) * n_seeds]
        before, *after = ([found[j] for found in of_seeds] for j in range(1 + len(PRESETS)))
        was = _mean(before)
        for preset, left in zip(PRESETS, after, strict=True):
            mean = _mean(left)
            for model, distance in zip(MODELS, _distances(mean), strict=True):
                # Linear models cannot use a product of two features.
                key = (preset, model, cell.form == "xor" and model != "linear")
                worst[key] = max(worst.get(key, 0.0), distance)
            lost[preset] += sum(one.clean_lost for one in left)
            rows.append(_row(cell, preset, was, mean, left))
        gone = [sum(one.biased_removed for one in left) for left in after]
        if was[0, 0] >= CLEARLY_BIASED and gone[1]:
            removed.append(gone[0] / gone[1])
    headers = ["share", "strength", "form", "paired", "rule", "before", "linear", "pairs"]
    headers += ["unpaired", "non-linear", "kernel", "biased gone", "clean lost", "scorings", "s"]
    table(headers, rows)
    for (preset, model, is_xor), distance in sorted(worst.items()):
        said = " (only products of features are biased)" if is_xor else ""
        print(f"{preset}, {model}{said}: at most {distance:.3f} from one half")
    result(
        worst_distance_neutral=worst["neutral", "linear", False],
        worst_distance_published=worst["published", "linear", False],
        worst_nonlinear_neutral=max(worst["neutral", model, False] for model in MODELS[1:]),
        biased_removed_share=min(removed, default=float("nan")),
        clean_lost=lost["neutral"],
        clean_lost_published=lost["published"],
        peak_mb=peak_mb(),
    )


def _mean(lefts: list[Left]) -> NDArray[np.float64]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # for values that were not measured
        return np.nanmean([one.accuracies for one in lefts], axis=0)


def _distances(mean: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each model's largest distance from one half over all, paired and unpaired rows."""
    return np.nanmax(np.abs(mean - 0.5), axis=1)


def _row(
    cell: Cell,
    preset: str,
    was: NDArray[np.float64],
    mean: NDArray[np.float64],
    left: list[Left],
) -> list[object]:
    averages = [np.mean([getattr(one, name) for one in left]) for name in Left._fields[1:]]
    shown = [*mean[0], mean[1, 0], mean[2, 0]]
    accuracies = ["–" if np.isnan(value) else f"{value:.3f}" for value in (was[0, 0], *shown)]
    gone, lost, scorings, seconds = averages
    counts = [f"{gone:.0f}", f"{lost:.0f}", f"{scorings:.1f}", f"{seconds:.1f}"]
    return [*cell, preset, *accuracies, *counts]


def scale(n: int, d: int) -> None:
    """Run both rules once on two large sets: synthetic encodings, and a planted cue."""
    X = np.empty((n, d), dtype=np.float32)  # noqa: N806
    encodings = Synthetic(d, decay=0.5, gain=2.0)
    labels = encodings.fill(X)
    planted = plant(n, d, share=0.25, strength=2.0, paired=0.5)
    sets = {"encodings": (X, labels, None), "planted": (planted.X, planted.y, planted.groups)}
    rows, figures = [], {}
    for (name, (x, y, groups)), preset in product(sets.items(), PRESETS):
        start = time.perf_counter()
        run = AFLite(**settings(preset, n)).fit(x, y, groups=groups)
        took = time.perf_counter() - start
        twins = np.arange(n) if groups is None else groups
        found = probe("linear", x, y, ids=range(n), twins=twins, seed=1, among=run.support_)
        after = [one.accuracy.value for one in (found.grouped, found.paired, found.unpaired)]
        shown = ["–" if value is None else f"{value:.3f}" for value in after]
        kept = int(run.support_.sum())
        rows.append([name, preset, kept, run.stop_reason_, len(run.phases_), *shown, f"{took:.1f}"])
        figures[f"{name}_{preset}_s"] = took
    headers = ["set", "rule", "kept", "stopped", "phases", "linear", "pairs", "unpaired", "s"]
    table(headers, rows)
    result(**figures, peak_mb=peak_mb())


def main() -> None:
    args = parse_args(__doc__ or "", seeds=5, nonlinear=2, scale=False)
    if args.scale:
        scale(*((4700, 128) if args.quick else (47_000, 1024)))
    else:
        n, d = (1000, 32) if args.quick else (ROWS, D)
        seeds = (2, 1) if args.quick else (args.seeds, args.nonlinear)
        grid(*seeds, n, d, quick=args.quick)


if __name__ == "__main__":
    main()
