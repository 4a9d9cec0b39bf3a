"""Audits of keys on sets that were not chosen for discrimination, with wrong keys planted.

Of WSC273, DPR's test and WinoGrande's dev questions, ``--draws`` times 5 % of the keys are made
wrong, single ones or both of a twin, among the answers of the systems of `benchmarks.audit_systems`
(kept in ``--answers``; about half an hour of one processor without them). Precision and recall are
of the suspected keys, and of the first as many as are wrong, with and without twins.

``--simulated`` says for each set, in that many draws, what the systems would find that the audit
asks for: questions are drawn from the distribution that is fitted to the set, and the systems have
accuracies spread evenly.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import django
import numpy as np
from scipy.special import expit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "winoplatform.settings")
django.setup()

from benchmarks.audit import Answers, Floats, item_rest  # noqa: E402
from benchmarks.audit_systems import answers  # noqa: E402
from benchmarks.report import parse_args, result, table  # noqa: E402
from corpora.core.items import Item  # noqa: E402
from evaluation.core.key_audit import KeyFigures, audit  # noqa: E402
from evaluation.core.key_model import INTERCEPTS, LOG_SLOPES, Fit, fit  # noqa: E402
from evaluation.core.key_model import Answers as Rows  # noqa: E402
from evaluation.core.key_power import FARTHEST, SystemsNeeded  # noqa: E402
from evaluation.selectors.key_audits import twins_of  # noqa: E402

SHARE = 0.05
LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class Planting:
    """What an audit says of a set with k wrong keys; the numbers are of keys."""

    k: int
    n_suspected: int
    n_hit: int
    hit_of_first: float
    hit_of_plain: float
    power: float
    can_tell: bool
    log_loss: float
    log_loss_alone: float


def wrong_keys(items: Sequence[Item], *, of_pairs: bool, rng: np.random.Generator) -> np.ndarray:
    """Return the rows whose keys are made wrong: any, or both of some twins."""
    k = round(SHARE * len(items))
    if not of_pairs:
        return rng.choice(len(items), k, replace=False)
    twins = twins_of(items)
    first = np.flatnonzero(twins > np.arange(len(items)))
    chosen = rng.choice(first, k // 2, replace=False)
    return np.concatenate([chosen, twins[chosen]])


def planting(items: Sequence[Item], right: Answers, seed: int, *, of_pairs: bool) -> Planting:
    rng = np.random.default_rng([seed, of_pairs])
    wrong = wrong_keys(items, of_pairs=of_pairs, rng=rng)
    flipped = right.copy()
    flipped[:, wrong] = np.where(right[:, wrong] < 0, -1, 1 - right[:, wrong])
    changed = list(items)
    for row in wrong:
        changed[row] = replace(items[row], answer=3 - (items[row].answer or 0))
    alone = audit(flipped)
    found = audit(flipped, twins=twins_of(changed))
    suspected = found.is_suspected
    first = np.argsort(-found.probability, kind="stable")[: len(wrong)]
    plain = np.argsort(item_rest(flipped), kind="stable")[: len(wrong)]
    return Planting(
        k=len(wrong),
        n_suspected=int(suspected.sum()),
        n_hit=int(suspected[wrong].sum()),
        hit_of_first=float(np.isin(first, wrong).mean()),
        hit_of_plain=float(np.isin(plain, wrong).mean()),
        power=found.power,
        can_tell=found.can_tell,
        log_loss=log_loss(found, wrong),
        log_loss_alone=log_loss(alone, wrong),
    )


def log_loss(found: KeyFigures, wrong: np.ndarray) -> float:
    is_wrong = np.isin(np.arange(len(found.probability)), wrong)
    p = np.where(is_wrong, found.probability, 1 - found.probability)
    return float(-np.log(np.maximum(p, LEAST)).mean())


def row_of(title: str, kind: str, m: int, each: Sequence[Planting]) -> list[object]:
    suspected, hit, k = (sum(getattr(x, n) for x in each) for n in ("n_suspected", "n_hit", "k"))
    precision = f"{hit / suspected:.2f}" if suspected else "-"
    first, plain, power, tells = (
        np.mean([getattr(x, name) for x in each])
        for name in ("hit_of_first", "hit_of_plain", "power", "can_tell")
    )
    gains: Floats = np.array([x.log_loss_alone - x.log_loss for x in each])
    error = gains.std(ddof=1) / np.sqrt(len(gains))
    losses = f"{np.mean([x.log_loss_alone for x in each]):.4f}", f"{gains.mean():.4f} ({error:.4f})"
    shares = [f"{x:.2f}" for x in (first, plain, power, tells)]
    return [title, kind, m, each[0].k, suspected / len(each), precision, f"{hit / k:.2f}", *shares,
            *losses]  # fmt: skip


def rows(folder: Path, draws: int) -> Iterator[list[object]]:
    for title, (items, names, right) in answers(folder).items():
        for of_pairs in (False, True):
            each = [planting(items, right, seed, of_pairs=of_pairs) for seed in range(draws)]
            kind = "both of a twin" if of_pairs else "single"
            yield row_of(title, kind, len(names), each)


def found_by(fitted: Fit, n: int, way: SystemsNeeded, seed: int) -> tuple[int, int, int, float]:
    """Return how many keys are wrong, suspected, and both, of n simulated questions; the power."""
    rng = np.random.default_rng(seed)
    prior, m = np.exp(fitted.prior), way.n_systems or 0
    slopes, abilities = np.exp(LOG_SLOPES), np.linspace(-FARTHEST, FARTHEST, 161)
    accuracies = expit(np.outer(abilities, slopes) + INTERCEPTS) @ prior
    theta = np.interp(np.linspace(way.low, way.high, m), accuracies, abilities)
    drawn = rng.choice(len(prior), n, p=prior / prior.sum())
    chances = expit(np.outer(theta, slopes[drawn]) + INTERCEPTS[drawn])
    right = (rng.random((m, n)) < chances).astype(int)
    wrong = rng.choice(n, round(SHARE * n), replace=False)
    right[:, wrong] = 1 - right[:, wrong]
    found = audit(right)
    suspected = found.is_suspected
    return len(wrong), int(suspected.sum()), int(suspected[wrong].sum()), found.power


def needs(folder: Path, draws: int) -> Iterator[list[object]]:
    """Yield what the systems would find that the audit of each set asks for."""
    for title, (items, _names, right) in answers(folder).items():
        fitted = fit(Rows.of(right, 2))
        for way in audit(right).needed:
            if way.n_systems:
                each = [found_by(fitted, len(items), way, seed) for seed in range(draws)]
                k, suspected, hit, power = np.array(each).sum(axis=0)
                shares = hit / k, 1 - hit / max(suspected, 1), power / draws
                spread = f"{way.low:.2f} to {way.high:.2f}"
                yield [title, way.n_systems, spread, *(f"{x:.2f}" for x in shares)]


HEADERS = (
    "set", "wrong keys", "systems", "number", "suspected", "precision", "recall", "of the first",
    "item-rest", "power", "can tell", "log loss without twins", "gain (SE)",
)  # fmt: skip


def main() -> None:
    args = parse_args(__doc__ or "", answers="", draws=100, simulated=0)
    found = list(rows(Path(args.answers), 2 if args.quick else args.draws))
    table(HEADERS, found)
    if args.simulated:
        headers = ("set", "systems", "accuracies", "recall", "right of the suspected", "power")
        table(headers, needs(Path(args.answers), args.simulated))
    result(sets=len(found) // 2)


if __name__ == "__main__":
    main()
