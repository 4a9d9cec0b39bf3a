"""Each preset and random reduction on real twins, encoded by a sentence encoder.

WinoGrande's train_l is filtered whole, and with one question of every second pair left out. Fresh
models are cross-validated before and after, on all questions, pairs and unpaired ones. Random
reduction keeps as many questions as the neutral preset, in whole twins. Needs the data set.
"""

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.aflite_data import encoded
from benchmarks.report import parse_args, peak_mb, result, table
from corpora.core.items import TwinItem
from filtering.core.aflite import AFLite
from filtering.core.controls import reduce_to
from filtering.core.presets import SHARES, settings
from filtering.core.probes import probe
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER
from tests.winogrande_data import winogrande_questions

SEED = 1  # of the probes; the filter's is 0
Bools = NDArray[np.bool_]


def unpaired_in_half(questions: list[TwinItem]) -> Bools:
    """Leave out one question of every second pair, with alternating answers."""
    kept = np.ones(len(questions), dtype=bool)
    places: dict[str, list[int]] = {}
    for place, question in enumerate(questions):
        places.setdefault(question.group, []).append(place)
    for number, pair in enumerate(places.values()):
        if number % 2 and len(pair) == 2:
            kept[pair[number // 2 % 2]] = False
    return kept


def compare(name: str, questions: list[TwinItem], X: NDArray[np.float32]) -> dict[str, float]:  # noqa: N803
    """Print a row for each reduction of a set; return the distances from one half."""
    ids = [question.id for question in questions]
    twins = [question.group for question in questions]
    y = np.array([question.answer for question in questions])

    def filtered(preset: str) -> Bools:
        estimator = AFLite(**settings(preset, len(y)))
        return estimator.fit(X, y, groups=twins, ids=ids).support_

    def reduced() -> Bools:
        size = int(kept["neutral"].sum())
        gone = reduce_to(size, ids=ids, twins=twins, seed=0, removal="together").removed
        return ~gone

    kept: dict[str, Bools] = {}
    ways: dict[str, Callable[[], Bools]] = {"whole": lambda: np.ones(len(y), dtype=bool)}
    ways |= {preset: (lambda preset=preset: filtered(preset)) for preset in SHARES}
    ways["random"] = reduced
    rows, apart = [], {}
    for way, reduce in ways.items():
        start = time.perf_counter()
        kept[way] = reduce()
        seconds = time.perf_counter() - start
        row, distance = _row(X, y, ids, twins, kept[way])
        rows.append([way, *row, f"{seconds:.1f}"])
        apart[f"{name}_{way}"] = distance
    print(f"{name}: {len(y)} questions, {len(y) - len(set(twins))} pairs, {X.shape[1]} features")
    headers = ["way", "kept", "pairs", "linear", "(95 %)", "pairs", "unpaired", "perceptron", "s"]
    table(headers, rows)
    print()
    return apart


def _row(X, y, ids, twins, kept):  # type: ignore[no-untyped-def]  # noqa: N803
    named = {"ids": ids, "twins": twins, "seed": SEED, "among": kept}
    linear, perceptron = (probe(kind, X, y, **named) for kind in ("linear", "nonlinear"))
    its = np.array(twins)[kept]
    whole = linear.grouped
    shown = [linear.paired, linear.unpaired, perceptron.grouped]
    values = ["–" if one.value is None else f"{one.value:.3f}" for one in shown]
    pairs = len(its) - len(np.unique(its))
    ends = f"{whole.low:.3f} – {whole.high:.3f}"
    return [int(kept.sum()), pairs, f"{whole.value:.3f}", ends, *values], abs(whole.value - 0.5)


def main() -> None:
    args = parse_args(__doc__ or "", encoder="")
    questions = winogrande_questions("train_l", limit=1600 if args.quick else None)
    encoder = args.encoder or (TINY_ENCODER if args.quick else DEFAULT_ENCODER)
    X = encoded(questions, encoder)  # noqa: N806
    found = compare("whole", questions, X)
    kept = unpaired_in_half(questions)
    half = [question for question, stays in zip(questions, kept, strict=True) if stays]
    found |= compare("half_paired", half, X[kept])
    result(**found, peak_mb=peak_mb())


if __name__ == "__main__":
    main()
