"""AFLite on real encodings: time per phase and run, against stock loops over the same parts.

Three ways to train the members of the first phase are timed on the same features and parts:
this platform's engine (all members), scikit-learn with joblib processes of one thread each (all
members), and the plain loop, LogisticRegression() as it comes with default threads, of which a
sample of members is timed and multiplied up. Each is compared with the exact optimum (float64,
tolerance 1e-9) on the sample. Then whole runs are made under each twin policy.
"""

import hashlib
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from benchmarks.report import median, parse_args, peak_mb, result, table, timed
from filtering.core.aflite import AFLite
from filtering.core.encoders import DEFAULT_ENCODER, TINY_ENCODER, load_encoder
from filtering.core.engines import stock_ensemble
from filtering.core.features import option_features
from filtering.core.parts import PhaseKeys, training_masks
from filtering.core.phases import Phase
from filtering.core.questions import FrozenQuestion
from filtering.core.table import Table
from tests.winogrande_data import winogrande_path, winogrande_questions

CACHE = Path(__file__).resolve().parent.parent / "var" / "benchmarks"
POLICIES = [("individual", "individual"), ("grouped", "together"), ("grouped", "individual")]
SAMPLE = 8

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Problem:
    """The first phase: rows in AFLite's own order, centred, with every member's part."""

    X: Floats
    raw: Floats  # not centred, as a plain loop would have it
    y: Bools
    masks: Bools  # (n_rows, n)

    @property
    def sample(self) -> Bools:
        return self.masks[:, :SAMPLE]


def encoded(questions: list[FrozenQuestion], spec: str) -> Floats:
    """Encode once; later runs read the file named by the content's hash."""
    lines = "\n".join([spec, *(question.to_line() for question in questions)])
    path = CACHE / f"{hashlib.sha256(lines.encode()).hexdigest()[:32]}.npy"
    if not path.is_file():
        print(f"encoding {len(questions)} questions with {spec} …", flush=True)
        first, second = zip(*(question.filled for question in questions), strict=True)
        rows = load_encoder(spec).encode(first + second)
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, option_features(rows[: len(first)], rows[len(first) :]))
    return np.load(path)


def first_phase(X: Floats, questions: list[FrozenQuestion], estimator: AFLite) -> Problem:  # noqa: N803
    y = [question.answer for question in questions]
    rows = Table.of(X, y, groups=None, ids=[question.id for question in questions])
    keys = PhaseKeys.of(seed=estimator.seed, phase=1, n=estimator.n)
    masks = training_masks(rows.keys, m=estimator.m, members=keys.members)
    return Problem(X=rows.X, raw=X[rows.position], y=rows.y, masks=masks)


def fit_predict(X: Floats, y: Bools, mask: Bools, model: LogisticRegression) -> Bools:  # noqa: N803
    return np.asarray(model.fit(X[mask], y[mask]).predict(X))


def one_thread(X: Floats, y: Bools, mask: Bools) -> Bools:  # noqa: N803
    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit_predict(X, y, mask, LogisticRegression(max_iter=1000))


def ensemble_ways(problem: Problem) -> dict[str, Callable[[Bools], Bools]]:
    """Return each way to turn parts (n_rows, n) into predictions (n_rows, n)."""

    def engine(masks: Bools) -> Bools:
        found = stock_ensemble(problem.X, problem.y, masks, C=1.0, tol=1e-4, max_iter=1000)
        return found.predictions

    def processes(masks: Bools) -> Bools:
        jobs = (delayed(one_thread)(problem.X, problem.y, mask) for mask in masks.T)
        return np.stack(Parallel(n_jobs=-1)(jobs), axis=1)

    def plain(masks: Bools) -> Bools:
        fitted = [fit_predict(problem.raw, problem.y, m, LogisticRegression()) for m in masks.T]
        return np.stack(fitted, axis=1)

    return {"engine": engine, "joblib processes, lbfgs": processes, "plain loop": plain}


def exact(problem: Problem) -> Bools:
    """Predict with the optimum itself, for the sample of members."""
    wide = problem.X.astype(np.float64)
    best = [
        fit_predict(wide, problem.y, mask, LogisticRegression(solver="newton-cholesky", tol=1e-9))
        for mask in problem.sample.T
    ]
    return np.stack(best, axis=1)


def compare(problem: Problem) -> tuple[dict[str, float], dict[str, float]]:
    """Return seconds per phase, and agreement with the optimum on held-out rows, of each way."""
    seconds, agreement = {}, {}
    optimum, held_out = exact(problem), ~problem.sample
    for name, way in ensemble_ways(problem).items():
        parts = problem.sample if name == "plain loop" else problem.masks
        way(problem.sample)  # threads and processes started, pages touched
        times = timed(lambda way=way, parts=parts: way(parts), repeats=3)
        seconds[name] = median(times) * problem.masks.shape[1] / parts.shape[1]
        agreement[name] = float((way(problem.sample) == optimum)[held_out].mean())
    return seconds, agreement


def run(
    X: Floats,  # noqa: N803
    questions: list[FrozenQuestion],
    estimator: AFLite,
) -> tuple[list[Phase], float]:
    start = time.perf_counter()
    steps = estimator.steps(
        X,
        [question.answer for question in questions],
        groups=[question.twin for question in questions],
        ids=[question.id for question in questions],
    )
    return list(steps), time.perf_counter() - start


def compare_first_phase(problem: Problem) -> dict[str, object]:
    """Time every way through the first phase, print the table, return the figures."""
    seconds, agreement = compare(problem)
    plain, engine = seconds["plain loop"], seconds["engine"]
    table(
        ["first phase", "seconds", "plain / this", "equal to the optimum"],
        [
            [name, f"{s:.2f}", f"{plain / s:.1f}", f"{agreement[name]:.5f}"]
            for name, s in seconds.items()
        ],
    )
    print(f"(plain loop: {SAMPLE} of {problem.masks.shape[1]} members timed and multiplied up)\n")
    return {
        "ratio_plain": plain / engine,
        "ratio_stock": seconds["joblib processes, lbfgs"] / engine,
        "agreement": f"{agreement['engine']:.5f}",
        "agreement_plain": f"{agreement['plain loop']:.5f}",
    }


def whole_runs(
    X: Floats,  # noqa: N803
    questions: list[FrozenQuestion],
    settings: dict[str, int],
) -> dict[str, object]:
    """Run under each twin policy, print the table, return the figures of the published one."""
    runs = {
        policy: run(X, questions, AFLite(**settings, partition=policy[0], removal=policy[1]))
        for policy in POLICIES
    }
    headers = ["partition", "removal", "phases", "kept", "stopped", "first acc.", "s/phase", "s"]
    table(
        [*headers, "tied (median)"],
        [_row(*policy, phases, took) for policy, (phases, took) in runs.items()],
    )
    phases, took = runs[POLICIES[0]]
    return {
        "phase_s": took / len(phases),
        "run_s": took,
        "phases": len(phases),
        "kept": phases[-1].n_after,
        "stop": phases[-1].stop_reason,
    }


def main() -> None:
    args = parse_args(__doc__ or "")
    if not winogrande_path("train_l").is_file():
        raise SystemExit(
            "Needs WinoGrande's train_l; set WINO_DATA_DIR to the folder of real data."
        )
    questions = winogrande_questions("train_l", limit=2000 if args.quick else None)
    X = encoded(questions, TINY_ENCODER if args.quick else DEFAULT_ENCODER)  # noqa: N806
    settings = {"n": 64, "m": 500, "k": 50} if args.quick else {"n": 64, "m": 2000, "k": 200}
    print(f"{X.shape[0]} x {X.shape[1]}, {settings}, tau=0.75, tol=1e-4")
    first = compare_first_phase(first_phase(X, questions, AFLite(**settings)))
    result(**whole_runs(X, questions, settings), **first, peak_mb=peak_mb())


def _row(partition: str, removal: str, phases: list[Phase], took: float) -> list[object]:
    last = phases[-1]
    tied = int(median(phase.tied_at_cutoff for phase in phases))
    first = f"{phases[0].accuracy:.4f}"
    per_phase = f"{took / len(phases):.2f}"
    kept, why = last.n_after, last.stop_reason
    return [partition, removal, len(phases), kept, why, first, per_phase, f"{took:.1f}", tied]


if __name__ == "__main__":
    main()
