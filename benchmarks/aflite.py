"""AFLite at the paper's scale and beyond, against scikit-learn, and on real encodings.

1. A whole run over 47,000 synthetic rows of 1,024 features with the paper's settings.
2. Its first phase with this platform's engine, with the fastest use of scikit-learn found (joblib,
   two processes of one thread each, centred features, lbfgs or newton-cg) and with a plain loop of
   LogisticRegression(); all are compared with the exact optimum (float64, Newton's method,
   tolerance 1e-9).
3. At a smaller size, the phases of the plain engine and of the batched one from the same rows.
4. Mapped files of 100,000 and 1,000,000 rows.
5. Real encodings: both engines phase by phase, and whole runs with each policy for twins.

`Synthetic` describes the synthetic sets; the second has a steeper spectrum.
"""

import time
from typing import Any

import numpy as np

from benchmarks.aflite_data import PUBLISHED, Floats, Synthetic, encoded
from benchmarks.aflite_gemm import share
from benchmarks.aflite_sizes import large
from benchmarks.aflite_ways import Problem, compare, show
from benchmarks.report import median, parse_args, peak_mb, result, table
from corpora.core.items import TwinItem
from filtering.core.aflite import AFLite
from filtering.core.phases import Phase
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER
from tests.winogrande_data import winogrande_path, winogrande_questions

POLICIES = [("individual", "individual"), ("grouped", "together"), ("grouped", "individual")]
SETS = {"S1": {"decay": 0.5, "gain": 2.0}, "S2": {"decay": 1.0, "gain": 3.3}}
HEADERS = ["partition", "removal", "phases", "kept", "stopped", "first acc.", "s/phase", "s"]


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
        rows.append([name, *_row(phases, took)])
        figures.append({"phase_s": took / len(phases), "run_s": took, "peak_mb": peak_mb()})
    print(f"X: {X.nbytes / 2**20:.0f} MB; memory at most {figures[0]['peak_mb']:.0f} MB")
    table(["set", *HEADERS[2:], "tied (median)", "fallbacks"], rows)
    print()
    return figures[0]


def first_phases(
    settings: dict[str, int], n_rows: int, d: int, *, sample: int
) -> dict[str, object]:
    """Compare implementations of the first phase on both sets; return the first set's figures."""
    figures = []
    for name, shape in SETS.items():
        X = np.empty((n_rows, d), dtype=np.float32)  # noqa: N806
        problem = Problem.of(AFLite(**PUBLISHED | settings), X, Synthetic(d, **shape).fill(X))
        print(f"{name}:", end=" ")
        gemm = share(problem)
        shown = show(compare(problem, sample=sample), n=settings["n"], sample=sample)
        figures.append({**shown, "gemm_share": gemm})
    return figures[0]


def engines_agree(
    X: Floats,  # noqa: N803
    y: object,
    settings: dict[str, Any],
    *,
    phases: int,
    **named: object,
) -> dict[str, object]:
    """Run both engines phase by phase, each time from the rows left by the batched one."""
    settings = PUBLISHED | settings
    plain, done, rows, same = AFLite(**settings, engine="plain"), [], [], []
    for phase, _ in zip(AFLite(**settings).steps(X, y, **named), range(phases), strict=False):
        other = next(plain.steps(X, y, **named, done=done))
        done.append(phase)
        apart = np.nanmax(np.abs(phase.scores - other.scores))
        # Two predictions for a row that differ in opposite directions cancel out.
        votes = np.abs(phase.correct - other.correct).sum() / phase.held_out.sum()
        both = len(np.intersect1d(phase.removed, other.removed))
        either = len(np.union1d(phase.removed, other.removed))
        share = both / either if either else 1.0
        same.append((votes, share))
        shown = [f"{votes:.6f}", f"{apart:.4f}", f"{share:.4f}", phase.tied_at_cutoff]
        rows.append([phase.number, phase.n_before, phase.n_removed, *shown])
    print(f"both engines, {X.shape[0]} x {X.shape[1]}, {settings}, each phase from the same rows:")
    headers = ["phase", "rows", "removed", "differing", "score difference", "by both", "tied"]
    table(headers, rows)
    print()
    apart, both = (float(share) for share in np.mean(same, axis=0))
    return {"real_votes_apart": apart, "real_removed_by_both": both}


def real_runs(
    questions: list[TwinItem],
    X: Floats,  # noqa: N803
    settings: dict[str, int],
) -> dict[str, object]:
    """Run over real encodings with each policy for twins; return the engines' agreement."""
    named = {
        "groups": [question.group for question in questions],
        "ids": [question.id for question in questions],
    }
    y = [question.answer for question in questions]
    # The policy that removes the most rows of these three.
    agreement = engines_agree(X, y, {**settings, "partition": "grouped"}, phases=5, **named)
    print(f"real encodings, {X.shape[0]} x {X.shape[1]}, {settings}")
    rows = []
    for partition, removal in POLICIES:
        estimator = AFLite(**settings, stop="published", partition=partition, removal=removal)
        rows.append([partition, removal, *_row(*run(estimator, X, y, **named))])
    table([*HEADERS, "tied (median)", "fallbacks"], rows)
    return agreement


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
    whole = paper_scale(settings, n_rows, d)
    first = first_phases(settings, n_rows, d, sample=4 if args.quick else 8)
    X = np.empty((n_rows // 4, d // 4), dtype=np.float32)  # noqa: N806
    y = Synthetic(d // 4, **SETS["S1"]).fill(X)
    engines_agree(X, y, {**settings, "m": settings["m"] // 4}, phases=5)
    sizes = [6000] if args.quick else [int(size) for size in args.sizes.split(",") if size]
    large(sizes, d, settings, phases=3)
    real: dict[str, object] = {}
    if winogrande_path("train_l").is_file():
        questions = winogrande_questions("train_l", limit=1000 if args.quick else None)
        X = encoded(questions, TINY_ENCODER if args.quick else DEFAULT_ENCODER)  # noqa: N806
        scaled = {"n": 64, "m": 250, "k": 25} if args.quick else {"n": 64, "m": 2000, "k": 200}
        real = real_runs(questions, X, scaled)
    keys = ("phase_s", "run_s", "ratio_plain", "ratio_best_stock", "gemm_share", "agreement")
    found = {**whole, **first}
    result(**{key: found[key] for key in keys}, peak_mb=found["peak_mb"], **real)


if __name__ == "__main__":
    main()
