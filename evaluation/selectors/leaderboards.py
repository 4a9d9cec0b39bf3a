"""Queries for leaderboards: ranked submissions, and what may still be submitted."""

import json
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum

from corpora.core.bundle.layout import BLIND, MANIFEST, TRAINING, jsonl
from corpora.core.items import Item
from corpora.models import Release
from corpora.selectors import labelled
from evaluation.core.leaderboard import SHARE, Noise, Shape, noise, with_interval
from evaluation.models import Evaluation, Leaderboard, Submission
from stats.intervals import Estimate
from winoplatform.artifacts import store
from workers.models import User


@dataclass(frozen=True, slots=True)
class Ranked:
    """A submission with the intervals of its scores, which include the noise."""

    submission: Submission
    accuracy: Estimate
    pair_accuracy: Estimate | None
    area: Estimate | None


@dataclass(frozen=True, slots=True)
class Remaining:
    """Submissions that are left: of the last 365 days for everyone, and of a person."""

    of_all: int
    of_person: int
    used_today: bool
    share_told: float


def blind_items(release: Release) -> list[Item]:
    """Return the questions of a release's blind test, with answers, in published order."""
    return labelled(Evaluation(release=release, split=BLIND)).items


def blind_shape(release: Release) -> Shape:
    """Return how many blind questions and pairs a release has, by its public manifest."""
    file = release.files.select_related("artifact").filter(name=MANIFEST).first()
    if file is None:
        return Shape(0, 0)
    with store.open_artifact(file.artifact) as content:
        test = json.load(content)["splits"][BLIND]
    return Shape(n_unpaired=test["questions"] - 2 * test["pairs"], n_pairs=test["pairs"])


def training_sizes(release: Release) -> list[int] | None:
    """Return the questions of a release's five training files; None if it lacks one."""
    rows = dict(release.files.values_list("name", "rows"))
    files = [rows.get(jsonl(stem)) for stem in TRAINING]
    return None if None in files else [int(n or 0) for n in files]


def ranked(release: Release) -> list[Ranked]:
    """Return the submissions for a release, the highest accuracy first."""
    shape = blind_shape(release)
    rows = release.submissions.select_related("submitter")
    return [_with_intervals(row, shape) for row in rows]


def _with_intervals(row: Submission, shape: Shape) -> Ranked:
    questions = [1] * shape.n_unpaired + [2] * shape.n_pairs

    def estimate(value: float | None, sd: float, units: list[int]) -> Estimate | None:
        return None if value is None else with_interval(value, sd=sd, units=units)

    return Ranked(
        submission=row,
        accuracy=with_interval(row.accuracy, sd=row.accuracy_noise, units=questions),
        pair_accuracy=estimate(row.pair_accuracy, row.pair_noise or 0, [1] * shape.n_pairs),
        area=estimate(row.area, row.accuracy_noise, questions),
    )


def remaining(leaderboard: Leaderboard, *, user: User | None, now: datetime) -> Remaining:
    """Return how much may be submitted today (in UTC), and of the 365 days up to now."""
    last_year = leaderboard.submissions.in_year_before(now)
    sums = last_year.aggregate(told=Sum("share_told"))["told"] or 0.0
    left = int((SHARE - sums) / SHARE * leaderboard.per_year + 1e-6)
    mine = last_year.filter(submitter=user)
    of_all = max(0, left)
    return Remaining(
        of_all=of_all,
        of_person=max(0, min(of_all, leaderboard.per_person - mine.count())),
        used_today=mine.filter(created_at__date=now.date()).exists(),
        share_told=sums,
    )


def noise_of(leaderboard: Leaderboard, release: Release) -> Noise | None:
    """Return the noise of a submission with one column; None without blind questions."""
    shape = blind_shape(release)
    return noise(shape, per_year=leaderboard.per_year) if shape.n_questions else None
