"""AFLite at the paper's scale and beyond, and on real encodings.

First whole runs over 47,000 synthetic rows of 1,024 features with the paper's settings, beside the
loop that one writes first: scikit-learn's LogisticRegression() as it comes, one part after the
other. Both synthetic sets are as `Synthetic` says; the second's spectrum is steeper. Then mapped
files of 100,000 and 1,000,000 rows. Then whole runs over real encodings under each policy for
twins.
"""

import time
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.aflite_data import PUBLISHED, Bools, Floats, Synthetic, encoded
from benchmarks.aflite_sizes import large
from benchmarks.report import median, parse_args, peak_mb, result, table, timed
from corpora.core.items import TwinItem
from filtering.core.aflite import AFLite
from filtering.core.phases import Phase
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER
from tests.winogrande_data import winogrande_path, winogrande_questions

POLICIES = [("individual", "individual"), ("grouped", "together"), ("grouped", "individual")]
SETS = {"S1": {"decay": 0.5, "gain": 2.0}, "S2": {"decay": 1.0, "gain": 3.3}}
HEADERS = ["partition", "removal", "phases", "kept", "stopped", "first acc.", "s/phase", "s"]
HEADERS += ["tied (median)", "fallbacks"]


def run(estimator: AFLite, X: Floats, y: object, **named: object) -> tuple[list[Phase], float]:  # noqa: N803
    start = time.perf_counter()
    return list(estimator.steps(X, y, **named)), time.perf_counter() - start


def paper_scale(settings: dict[str, int], n_rows: int, d: int) -> dict[str, object]:
    """Run both synthetic sets to the end; return the first set's figures."""
    figures, rows = [], []
    for name, shape in SETS.items():
        X = np.empty((n_rows, d), dtype=np.float32)  # noqa: N806
        y = Synthetic(d, **shape).fill(X)
        phases, took = run(AFLite(**PUBLISHED | settings), X, y)
        phase, plain = took / len(phases), plain_loop(X, y, n=settings["n"], m=settings["m"])
        rows.append([name, *_row(phases, took), f"{plain / phase:.0f}"])
        of_run = {"phase_s": phase, "run_s": took, "ratio_plain": plain / phase}
        figures.append({**of_run, "peak_mb": peak_mb()})
    print(f"X: {X.nbytes / 2**20:.0f} MB; memory at most {figures[0]['peak_mb']:.0f} MB")
    table(["set", *HEADERS[2:], "plain loop takes so many times that"], rows)
    print()
    return figures[0]


def plain_loop(X: Floats, y: Bools, *, n: int, m: int) -> float:  # noqa: N803
    """Return the seconds of a first phase of scikit-learn's defaults, from two of its members."""
    rng = np.random.default_rng(0)

    def member() -> None:
        part = rng.permutation(len(X))[:m]
        LogisticRegression().fit(X[part], y[part]).predict(X)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it stops at 100 steps
        return n * median(timed(member, repeats=2))


def real_runs(
    questions: list[TwinItem],
    X: Floats,  # noqa: N803
    settings: dict[str, int],
) -> None:
    """Run over real encodings under each twin policy."""
    named = {
        "groups": [question.group for question in questions],
        "ids": [question.id for question in questions],
    }
    y = [question.answer for question in questions]
    print(f"real encodings, {X.shape[0]} x {X.shape[1]}, {settings}")
    rows = []
    for partition, removal in POLICIES:
        estimator = AFLite(**settings, stop="published", partition=partition, removal=removal)
        rows.append([partition, removal, *_row(*run(estimator, X, y, **named))])
    table(HEADERS, rows)


def _row(phases: list[Phase], took: float) -> list[object]:
    last = phases[-1]
    tied = int(median(phase.tied_at_cutoff for phase in phases))
    first = f"{phases[0].accuracy:.4f}"
    fallbacks = sum(phase.fallbacks for phase in phases)
    per_phase = f"{took / len(phases):.3f}"
    times = [per_phase, f"{took:.1f}"]
    return [len(phases), last.n_after, last.stop_reason, first, *times, tied, fallbacks]


def main() -> None:
    args = parse_args(__doc__ or "", sizes="100000,1000000")
    n_rows, d = (4000, 128) if args.quick else (47_000, 1024)
    settings = {"n": 16, "m": 1000, "k": 100} if args.quick else {"n": 64, "m": 10_000, "k": 500}
    print(f"synthetic, {n_rows} x {d}, {settings}, tau=0.75, tol={AFLite().tol:g}")
    figures = paper_scale(settings, n_rows, d)
    sizes = [6000] if args.quick else [int(size) for size in args.sizes.split(",") if size]
    large(sizes, d, settings, phases=3)
    if winogrande_path("train_l").is_file():
        questions = winogrande_questions("train_l", limit=1000 if args.quick else None)
        X = encoded(questions, TINY_ENCODER if args.quick else DEFAULT_ENCODER)  # noqa: N806
        scaled = {"n": 64, "m": 250, "k": 25} if args.quick else {"n": 64, "m": 2000, "k": 200}
        real_runs(questions, X, scaled)
    result(**figures)


if __name__ == "__main__":
    main()
