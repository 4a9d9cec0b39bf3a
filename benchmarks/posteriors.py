"""The review list's posterior against the majority: real votes, and crowds of known truth."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import parse_args, result, table
from stats.tables import codes, label_counts
from tests.crowd_data import NAMES, CrowdVotes, crowd_votes
from validation.core.posteriors import Model, aggregate
from validation.core.votes import majority_shares

Floats = NDArray[np.float64]
BINS = 10  # of the calibration error


@dataclass(frozen=True)
class Crowd:
    """Validators, and what they vote on.

    Parameters
    ----------
    right : float
        Share of items whose label is 1; of authors who are right.
    skill : float pair
        Of the Beta distribution of the validators' skills.
    habit : float
        Standard deviation of a validator's preference for a label, in logits.
    spam : float
        Share of validators who vote at random.
    hard : float
        Share of items on which all validators are nearly at chance.
    """

    n: int = 300
    validators: int = 14
    votes: int = 3
    right: float = 0.5
    skill: tuple[float, float] = (8, 2)
    habit: float = 0.0
    spam: float = 0.0
    hard: float = 0.0


WEAK, ALIKE, ALIKE_WEAK = (6, 4), (4000, 1000), (3250, 1750)
CROWDS = {
    "no authors, 100": Crowd(n=100),
    "no authors, 300": Crowd(),
    "no authors, 1,000": Crowd(n=1000),
    "no authors, 4 validators": Crowd(validators=4),
    "no authors, 100 validators": Crowd(n=600, validators=100),
    "no authors, weak": Crowd(skill=WEAK),
    "no authors, weak, 100 validators": Crowd(n=600, validators=100, skill=WEAK),
    "no authors, alike": Crowd(skill=ALIKE),
    "no authors, alike and weak": Crowd(skill=ALIKE_WEAK),
    "no authors, habits": Crowd(habit=1),
    "no authors, weak with habits": Crowd(skill=WEAK, habit=1),
    "no authors, a third at random": Crowd(spam=0.35),
    "no authors, a fifth hard": Crowd(hard=0.2),
    "no authors, ten votes, a fifth hard": Crowd(votes=10, hard=0.2),
    "a label of 12 %, habits": Crowd(right=0.12, habit=0.7),
    "authors right in 92 %": Crowd(right=0.92),
    "authors right in 97 %, 100": Crowd(n=100, right=0.97),
    "authors right in 92 %, habits": Crowd(right=0.92, habit=1),
    "authors right in 80 %, weak": Crowd(right=0.8, skill=WEAK),
}


def drawn(crowd: Crowd, seed: int) -> CrowdVotes:
    """Draw the votes of a crowd; some validators vote more than others."""
    rng = np.random.default_rng(seed)
    truths = (rng.random(crowd.n) < crowd.right).astype(np.int64)
    skills = rng.beta(*crowd.skill, crowd.validators)
    skills[rng.random(crowd.validators) < crowd.spam] = 0.5
    habits = rng.normal(0, crowd.habit, crowd.validators)
    activity = rng.dirichlet(np.full(crowd.validators, 2.0))
    items = np.repeat(np.arange(crowd.n), crowd.votes)
    workers = np.concatenate([
        rng.choice(crowd.validators, crowd.votes, replace=False, p=activity)
        for _ in range(crowd.n)
    ])  # fmt: skip
    power = np.where(rng.random(crowd.n) < crowd.hard, 0.1, 1.0)
    logits = (2 * truths - 1)[items] * power[items] * np.log(skills / (1 - skills))[workers]
    said = rng.random(len(items)) < 1 / (1 + np.exp(-logits - habits[workers]))
    return CrowdVotes(items, codes(workers)[0], said.astype(np.int64), truths)


def first_votes(votes: CrowdVotes, n: int, seed: int = 0) -> CrowdVotes:
    """Return *n* random votes of each item."""
    order = np.random.default_rng(seed).permutation(len(votes.items))
    order = order[np.argsort(votes.items[order], kind="stable")]
    counts = np.bincount(votes.items)
    place = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = order[place < n]
    return CrowdVotes(
        votes.items[kept], codes(votes.workers[kept])[0], votes.labels[kept], votes.truths
    )


@dataclass(frozen=True)
class Scores:
    """Accuracy, log loss in nats, and calibration error, of probabilities of the label 1."""

    accuracy: float
    log_loss: float
    calibration_error: float

    @classmethod
    def of(cls, chances: Floats, truths: NDArray[np.int64]) -> "Scores":
        surer, is_tie = np.maximum(chances, 1 - chances), np.abs(chances - 0.5) < 1e-9
        right = np.where(is_tie, 0.5, (chances > 0.5) == truths)
        of_truth = np.clip(np.where(truths == 1, chances, 1 - chances), 1e-6, 1)
        bins = np.minimum((surer * BINS).astype(int), BINS - 1)
        gaps = np.bincount(bins, weights=right - surer)
        return cls(
            float(right.mean()), float(-np.log(of_truth).mean()), float(np.abs(gaps).sum())
            / len(truths),
        )  # fmt: skip


@dataclass(frozen=True)
class Compared:
    """The posterior of the chosen model, the equal model's, the majority's shares of the votes."""

    posterior: Scores
    equal: Scores
    votes: Scores
    majority: float
    chosen: Model


def compared(votes: CrowdVotes) -> Compared:
    found = aggregate(votes.items, votes.workers, votes.labels)
    counts = label_counts(votes.items, votes.labels, n_labels=2)
    return Compared(
        Scores.of(found.best.posteriors[:, 1], votes.truths),
        Scores.of(found.fits[Model.EQUAL].posteriors[:, 1], votes.truths),
        Scores.of(counts[:, 1] / counts.sum(axis=1), votes.truths),
        Scores.of(majority_shares(counts)[:, 1], votes.truths).accuracy,
        found.chosen,
    )


def real(seeds: int) -> Iterator[tuple[str, list[Compared]]]:
    for name in NAMES:
        votes = crowd_votes(name)
        most = int(np.bincount(votes.items).max())
        for n in sorted({3, 5, most} if most > 3 else {3}):
            draws = seeds if n < most else 1
            yield f"{name}, {n} votes", [compared(first_votes(votes, n, s)) for s in range(draws)]


def main() -> None:
    args = parse_args(__doc__, sets=40)
    sets = 4 if args.quick else args.sets
    found = dict(real(2 if args.quick else 5)) | {
        name: [compared(drawn(crowd, seed)) for seed in range(sets)]
        for name, crowd in CROWDS.items()
    }
    rows, gains = [], []
    for name, every in found.items():
        gain = [one.posterior.accuracy - one.majority for one in every]
        gains.append(float(np.mean(gain)))
        means = [
            np.mean([value(one) for one in every])
            for value in (
                lambda one: one.majority,
                lambda one: one.posterior.accuracy,
                lambda one: one.votes.log_loss,
                lambda one: one.equal.log_loss,
                lambda one: one.posterior.log_loss,
                lambda one: one.votes.calibration_error,
                lambda one: one.equal.calibration_error,
                lambda one: one.posterior.calibration_error,
            )
        ]
        chosen = " ".join(f"{sum(one.chosen == model for one in every)}" for model in Model)
        rows.append([name, *(f"{mean:.3f}" for mean in means), f"{min(gain):+.3f}", chosen])
    table(
        ["votes", "majority", "posterior", "log loss: votes", "equal", "posterior",
         "calibration error: votes", "equal", "posterior", "worst gain", "equal, coin, table"],
        rows,
    )  # fmt: skip
    result(gain_min=min(gains), gain_mean=float(np.mean(gains)))


if __name__ == "__main__":
    main()
