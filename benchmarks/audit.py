"""Item response models and audits of keys: time, memory, parameters, planted wrong keys.

The fit is of 5,000 systems and 1,300 questions. girth fits the same answers at 1,000 × 100, and
with ``--data`` those of metabench, in an interpreter that has it (``--girth``):
``python -m venv girth``, ``girth/bin/pip install girth``, ``--girth girth/bin/python``. Time and
parameters are compared.

``--data`` also plants 5 wrong keys among the questions of metabench, in ``--draws`` draws of 10,
20, 50 and 100 systems of spread ability and at random, and compares the audit with the lowest
correlations with the other questions. ``--simulated`` says how often probabilities of wrong keys
are right, without and with twins, and in how many sets without wrong keys one is suspected, for
that many simulated sets of each kind. For sets that were not chosen for discrimination see
`benchmarks.audit_sets`.
"""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from benchmarks.report import median, parse_args, peak_mb, result, table, timed
from evaluation.core.key_audit import audit
from stats.item_response import fit
from tests.data_dir import data_dir
from tests.evaluation.core.test_key_audit import answered, answered_pairs

Answers = NDArray[np.int8]
Floats = NDArray[np.float64]
PLANTED = 5
SIZES = (10, 20, 50, 100)
EDGES = (0.0, 0.05, 0.3, 0.5, 0.7, 0.9, 0.97, 1.01)
ALIKE = (0.95, 0.7, 0.4)
GIRTH = """
import sys, time
import numpy as np
from girth import twopl_mml
answers = np.load(sys.argv[1]).T.astype(int)
start = time.perf_counter()
found = twopl_mml(answers)
seconds = time.perf_counter() - start
np.savez(sys.argv[2], seconds=seconds, slope=found["Discrimination"], hard=found["Difficulty"])
"""


@dataclass(frozen=True, slots=True)
class Draw:
    """One planting: precision among the first five, and what is suspected."""

    ours: float
    plain: float
    n_suspected: int
    n_wrong: int
    can_tell: bool


def drawn(m: int, n: int, seed: int = 0) -> Answers:
    """Return answers (m, n) of the two-parameter model."""
    rng = np.random.default_rng(seed)
    logits = np.outer(rng.normal(size=m), np.exp(rng.normal(0, 0.4, n))) + rng.normal(0.5, 1, n)
    return (rng.random((m, n)) < 1 / (1 + np.exp(-logits))).astype(np.int8)


def of_girth(python: str, answers: Answers) -> dict[str, Floats]:
    """Return the seconds of girth's fit, and its discriminations and difficulties (n,)."""
    with TemporaryDirectory() as folder:
        given, fitted = Path(folder) / "answers.npy", Path(folder) / "fitted.npz"
        np.save(given, answers)
        subprocess.run([python, "-c", GIRTH, str(given), str(fitted)], check=True)
        return dict(np.load(fitted))


def rank_correlations(answers: Answers, girth: dict[str, Floats]) -> tuple[float, float]:
    """Return those of discriminations and of difficulties with girth's.

    Of questions with a positive discrimination: girth has no others.
    """
    ours = fit(answers)
    chosen = ours.slope > 0
    return (
        float(spearmanr(ours.slope[chosen], girth["slope"][chosen]).statistic),
        float(spearmanr(ours.difficulty[chosen], girth["hard"][chosen]).statistic),
    )


def metabench() -> Answers:
    """Return the answers (2738, n) to the questions whose key no plain correlation contradicts."""
    right = all_of_metabench()
    return right[:, item_rest(right) > 0.05]


def all_of_metabench() -> Answers:
    packed = np.load(data_dir() / "metabench" / "winogrande_even_models.npz")
    return np.unpackbits(packed["right"], axis=1)[:, : len(packed["item"])].astype(np.int8)


def item_rest(right: Answers) -> Floats:
    """Return the correlation of each question with the sum of the others (n,); -1 is no answer."""
    rest = (right == 1).sum(axis=1, keepdims=True) - (right == 1)
    return np.array(
        [
            np.corrcoef(one[one >= 0], others[one >= 0])[0, 1] if one[one >= 0].std() else 0.0
            for one, others in zip(right.T, rest.T, strict=True)
        ]
    )


def systems_of(answers: Answers, m: int, *, spread: bool, rng: np.random.Generator) -> Answers:
    """Return the answers of m systems: one from each m-th of the order by ability, or any."""
    if not spread:
        return answers[rng.choice(len(answers), m, replace=False)]
    order = np.argsort(answers.mean(axis=1) + 1e-6 * rng.random(len(answers)))
    return answers[[rng.choice(part) for part in np.array_split(order, m)]]


def planted(answers: Answers, m: int, seed: int, *, spread: bool) -> Draw:
    rng = np.random.default_rng([m, seed])
    right = systems_of(answers, m, spread=spread, rng=rng).copy()
    wrong = rng.choice(right.shape[1], PLANTED, replace=False)
    right[:, wrong] = 1 - right[:, wrong]
    found = audit(right)
    first = (np.argsort(-found.evidence), np.argsort(item_rest(right)))
    ours, plain = (float(np.isin(each[:PLANTED], wrong).mean()) for each in first)
    suspected = np.flatnonzero(found.is_suspected)
    return Draw(ours, plain, len(suspected), int(np.isin(suspected, wrong).sum()), found.can_tell)


def lower_bound(gains: Floats) -> float:
    """Return the lower end of the 95 % interval of the mean gain."""
    return float(gains.mean() - 1.96 * gains.std(ddof=1) / np.sqrt(len(gains)))


def planting_rows(draws: int) -> Iterator[tuple[list[object], float, float]]:
    """Yield a row for the table, the lower bound of the gain, and the share of right suspects."""
    answers = metabench()
    for spread in (True, False):
        for m in SIZES:
            each = [planted(answers, m, seed, spread=spread) for seed in range(draws)]
            ours, plain = (np.array([getattr(x, name) for x in each]) for name in ("ours", "plain"))
            low = lower_bound(ours - plain)
            suspected, wrong = (
                sum(getattr(x, n) for x in each) for n in ("n_suspected", "n_wrong")
            )
            false = 1 - wrong / max(suspected, 1)
            kind = "spread" if spread else "at random"
            figures = (ours.mean(), plain.mean(), (ours - plain).mean(), low, false)
            mean = (suspected / draws, wrong / draws, np.mean([x.can_tell for x in each]))
            row = [kind, m, *(f"{x:.3f}" for x in figures), *(f"{x:.2f}" for x in mean)]
            yield row, low, false


def simulated(seed: int, *, pairs: bool, wrong: int) -> tuple[Floats, Floats, bool]:
    """Return probabilities of wrong keys, which are wrong, and whether a key is suspected."""
    twins = None
    if pairs:
        alike = ALIKE[seed % len(ALIKE)]
        right, twins, planted = answered_pairs(24, 60, seed, wrong=wrong, alike=alike)
    else:
        right, planted = answered(10 if wrong else 15, 120, seed, wrong=wrong)
    found = audit(right, twins=twins)
    is_wrong = np.isin(np.arange(right.shape[1]), planted)
    return found.probability, is_wrong.astype(np.float64), bool(found.is_suspected.any())


def reliability(sets: int, *, pairs: bool) -> Iterator[list[object]]:
    """Yield ranges of probabilities: their mean, the share of wrong keys, and their number."""
    each = [simulated(seed, pairs=pairs, wrong=6) for seed in range(sets)]
    said, wrong = (np.concatenate([one[place] for one in each]) for place in (0, 1))
    for low, high in pairwise(EDGES):
        chosen = (said >= low) & (said < high)
        kind = "twins" if pairs else "single questions"
        figures = said[chosen].mean(), wrong[chosen].mean()
        yield [kind, f"{low:.2f}", *(f"{x:.3f}" for x in figures), int(chosen.sum())]


def flags(sets: int, *, pairs: bool) -> float:
    """Return the share of sets without wrong keys in which a key is suspected."""
    each = [simulated(10_000 + seed, pairs=pairs, wrong=0)[2] for seed in range(sets)]
    return float(np.mean(each))


def main() -> None:
    args = parse_args(__doc__ or "", girth="", data=False, draws=200, simulated=0)
    m, n = (500, 130) if args.quick else (5000, 1300)
    seconds = timed(lambda: fit(drawn(m, n)), repeats=1)[0]
    peak = peak_mb()
    small = drawn(1000, 100)
    own = median(timed(lambda: fit(small), repeats=3))
    ratio, ranks = None, []
    if args.girth:
        theirs = of_girth(args.girth, small)
        ratio = float(theirs["seconds"]) / own
        ranks.append(("drawn", *rank_correlations(small, theirs)))
        if args.data:
            right = all_of_metabench()
            ranks.append(("metabench", *rank_correlations(right, of_girth(args.girth, right))))
        table(["answers", "rank correlation of discrimination", "of difficulty"], ranks)
    plantings = list(planting_rows(args.draws)) if args.data else []
    if plantings:
        headers = ("systems", "number", "audit", "item-rest", "difference", "lower 95 %")
        more = ("right of the suspected", "suspected", "wrong", "can tell")
        table([*headers, *more], [row for row, _, _ in plantings])
    flagged = None
    if args.simulated:
        kinds = (False, True)
        rows = [row for pairs in kinds for row in reliability(args.simulated, pairs=pairs)]
        table(["questions", "from", "said", "wrong", "number"], rows)
        flagged = [flags(args.simulated, pairs=pairs) for pairs in kinds]
        print(f"Without wrong keys, a key is suspected in {flagged} of the sets.")
    result(
        fit_s=seconds,
        peak_mb=peak,
        ratio_girth=ratio,
        rank_min=min((min(row[1:]) for row in ranks), default=None),
        gain_low_min=min((low for _, low, _ in plantings), default=None),
        flagged_max=max(flagged) if flagged else None,
        right_suspected_max=max((false for _, _, false in plantings), default=None),
    )


if __name__ == "__main__":
    main()
