"""Artifact detectors on real sets under each preset of AFLite.

The questions are encoded, filtered under each preset, and what is kept is searched for artifacts by
models trained on words and on the encoding. ``--data`` names the set: ``knowref`` (1,267 questions,
most unpaired), ``dpr`` (1,322) or a part of WinoGrande such as ``train_m`` (2,558, debiased when it
was published). ``--seed`` draws the filters' partitions and the detectors' folds and relabellings.
Figures are accuracies over questions with their intervals over twins, in percent.
"""

from collections.abc import Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import parse_args, peak_mb, result, table
from corpora.core.items import Item
from corpora.core.readers.dpr import read_dpr
from corpora.core.readers.knowref import read_knowref
from evaluation.core.artifacts.detection import detect_artifacts
from evaluation.core.artifacts.results import Artifacts, Detected
from filtering.core.aflite import AFLite
from filtering.core.leaks import option_features
from filtering.core.parameters import SHARES, settings
from modeling.encoders import load_encoder
from modeling.specs import DEFAULT_ENCODER
from tests.data_dir import data_dir
from tests.winogrande_data import winogrande_questions

ENCODING = "encoding"
SHOWN = ("full_sentence", "local_context", "candidates_only", ENCODING)
HEAD = ("preset", "kept", "pairs", *SHOWN, "least p", "verdict")
QUICK = 400


def read(name: str) -> list[Item]:
    """Return the questions of a set with two options and an answer."""
    files = {"knowref": "knowref/knowref_test.json", "dpr": "dpr/train.c.txt"}
    if name not in files:
        return list(winogrande_questions(name))
    reader = read_knowref if name == "knowref" else read_dpr
    with (data_dir() / files[name]).open(encoding="utf-8") as lines:
        found = [item for item in reader(lines) if isinstance(item, Item)]
    return [item for item in found if len(item.options) == 2 and item.answer is not None]


def encoded(questions: Sequence[Item]) -> NDArray[np.float32]:
    """Return the encodings of each question's two filled sentences: (n, 2, d)."""
    texts = [text for question in questions for text in question.filled]
    vectors = load_encoder(DEFAULT_ENCODER).encode(texts)
    return np.asarray(vectors, dtype=np.float32).reshape(len(questions), 2, -1)


def kept_by(
    preset: str, questions: Sequence[Item], vectors: NDArray[np.float32], seed: int
) -> NDArray[np.bool_]:
    """Return which questions a preset keeps; all of them for “unfiltered”."""
    if preset == "unfiltered":
        return np.ones(len(questions), dtype=bool)
    aflite = AFLite(**settings(preset, len(questions)), seed=seed)  # type: ignore[arg-type]
    aflite.fit(
        option_features(vectors[:, 0], vectors[:, 1]),
        np.array([question.answer for question in questions]),
        groups=[question.group for question in questions],
        ids=[question.id for question in questions],
    )
    return np.asarray(aflite.support_, dtype=bool)


def row_of(preset: str, n: int, found: Artifacts) -> list[str]:
    """Return the figures of a search as cells."""
    by_name = {one.name: one for one in found.detected}
    measures = [m for one in found.detected for m in (one.single, one.group) if m is not None]
    pairs = max((one.group.estimate.n for one in found.detected if one.group), default=0)
    cells = [_cell(by_name[name]) if name in by_name else "–" for name in SHOWN]
    leaks = ", ".join(one.name for one in found.leaks)
    least = min((m.p_corrected for m in measures), default=1.0)
    return [preset, f"{n:,}", f"{pairs:,}", *cells, f"{least:.3f}", leaks or "none found"]


def _cell(one: Detected) -> str:
    found = one.single.estimate
    shares = [100 * (share or 0.0) for share in (found.value, found.low, found.high)]
    return "{:.1f} ({:.1f} – {:.1f})".format(*shares)


def main() -> None:
    args = parse_args(__doc__ or "", data="knowref", seed=0)
    questions = read(args.data)[: QUICK if args.quick else None]
    start, vectors = perf_counter(), encoded(questions)
    rows, sizes, searched = [], {}, {}
    for preset in ("unfiltered", *SHARES):
        kept = np.flatnonzero(kept_by(preset, questions, vectors, args.seed))
        items, key = [questions[row] for row in kept], tuple(kept)
        if key not in searched:  # two presets may keep the same questions
            encodings = {ENCODING: list(vectors[kept])}
            searched[key] = detect_artifacts(items, seed=args.seed, encodings=encodings)
        rows.append(row_of(preset, len(items), searched[key]))
        sizes[preset] = len(items)
    table(HEAD, rows)
    result(questions=len(questions), **sizes, seconds=perf_counter() - start, peak_mb=peak_mb())


if __name__ == "__main__":
    main()
