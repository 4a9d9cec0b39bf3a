"""Item response models and audits of keys: time, memory, and precision on planted wrong keys.

The fit is of 5,000 systems and 1,300 questions, and at 1,000 × 100 it is compared with girth, which
is run by another interpreter that has it (``--girth PYTHON``). ``--data`` plants 5 wrong keys among
the questions of metabench, in ``--draws`` draws of 10, 20, 50 and 100 systems of spread ability,
and compares the audit with the lowest correlations with the other questions.
"""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import median, parse_args, peak_mb, result, table, timed
from evaluation.core.key_audit import audit
from stats.item_response import fit
from tests.data_dir import data_dir

Answers = NDArray[np.int8]
PLANTED = 5
GIRTH = """
import sys, time
import numpy as np
from girth import twopl_mml
answers = np.load(sys.argv[1]).T.astype(int)
start = time.perf_counter()
twopl_mml(answers)
print(time.perf_counter() - start)
"""


def drawn(m: int, n: int, seed: int = 0) -> Answers:
    """Return answers (m, n) of the two-parameter model."""
    rng = np.random.default_rng(seed)
    logits = np.outer(rng.normal(size=m), np.exp(rng.normal(0, 0.4, n))) + rng.normal(0.5, 1, n)
    return (rng.random((m, n)) < 1 / (1 + np.exp(-logits))).astype(np.int8)


def girth_seconds(python: str, answers: Answers) -> float:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "answers.npy"
        np.save(file, answers)
        done = subprocess.run(
            [python, "-c", GIRTH, str(file)], capture_output=True, text=True, check=True
        )
    return float(done.stdout)


def metabench() -> Answers:
    """Return the answers (2738, n) to the questions whose key no plain correlation contradicts."""
    packed = np.load(data_dir() / "metabench" / "winogrande_even_models.npz")
    right = np.unpackbits(packed["right"], axis=1)[:, : len(packed["item"])].astype(np.int8)
    return right[:, item_rest(right) > 0.05]


def item_rest(right: Answers) -> NDArray[np.float64]:
    """Return the correlation of each question with the sum of the others (n,)."""
    rest = right.sum(axis=1, keepdims=True) - right
    return np.array(
        [
            np.corrcoef(one, others)[0, 1] if one.std() and others.std() else 0.0
            for one, others in zip(right.T, rest.T, strict=True)
        ]
    )


def planted(answers: Answers, m: int, seed: int) -> tuple[float, float]:
    """Return the precision among the first five of the audit and of the plain correlation."""
    rng = np.random.default_rng([m, seed])
    order = np.argsort(answers.mean(axis=1) + 1e-6 * rng.random(len(answers)))
    right = answers[[rng.choice(part) for part in np.array_split(order, m)]].copy()
    wrong = rng.choice(right.shape[1], PLANTED, replace=False)
    right[:, wrong] = 1 - right[:, wrong]
    first = (np.argsort(-audit(right).evidence), np.argsort(item_rest(right)))
    ours, plain = (float(np.isin(each[:PLANTED], wrong).mean()) for each in first)
    return ours, plain


def main() -> None:
    args = parse_args(__doc__ or "", girth="", data=False, draws=200)
    m, n = (500, 130) if args.quick else (5000, 1300)
    seconds = timed(lambda: fit(drawn(m, n)), repeats=1)[0]
    rows, low_min = [], None
    if args.data:
        answers = metabench()
        for size in (10, 20, 50, 100):
            pairs = np.array([planted(answers, size, seed) for seed in range(args.draws)])
            gain = pairs[:, 0] - pairs[:, 1]
            low = float(gain.mean() - 1.96 * gain.std(ddof=1) / np.sqrt(len(gain)))
            low_min = low if low_min is None else min(low, low_min)
            rows.append([size, *(f"{x:.3f}" for x in (*pairs.mean(axis=0), gain.mean(), low))])
        table(["systems", "audit", "item-rest", "difference", "lower 95 %"], rows)
    small = drawn(1000, 100)
    own = median(timed(lambda: fit(small), repeats=3))
    ratio = girth_seconds(args.girth, small) / own if args.girth else None
    result(fit_s=seconds, peak_mb=peak_mb(), ratio_girth=ratio, gain_low_min=low_min)


if __name__ == "__main__":
    main()
