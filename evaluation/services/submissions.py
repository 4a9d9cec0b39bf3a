"""Leaderboards: curators open them, and people submit predictions for a blind test."""

import hashlib
import io
import re
import secrets
from dataclasses import replace
from typing import IO

import numpy as np
from django.db import transaction

from collection.models import Campaign
from corpora.core.bundle.layout import SIZES
from corpora.core.items import Item
from corpora.models import Release
from evaluation import loading, selectors
from evaluation.core import leaderboard as core
from evaluation.core.predictions import Predictions, format_of
from evaluation.models import Leaderboard, Submission
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User

DAY_SECONDS = 24 * 60 * 60


@transaction.atomic
def open_leaderboard(*, campaign: Campaign, per_year: int = Leaderboard.PER_YEAR) -> Leaderboard:
    """Open a campaign's leaderboard, or change how much it accepts.

    Raises
    ------
    ValidationError
        When *per_year* is out of range.
    """
    board = Leaderboard.objects.select_for_update(no_key=True).filter(campaign=campaign).first()
    made = board or Leaderboard(campaign=campaign)
    made.per_year, made.is_open = per_year, True
    made.full_clean()
    made.save()
    return made


def close_leaderboard(*, leaderboard: Leaderboard) -> None:
    """Accept no more submissions; the scores stay."""
    Leaderboard.objects.filter(pk=leaderboard.pk).update(is_open=False)
    leaderboard.is_open = False


@transaction.atomic
def submit(
    *,
    release: Release,
    file: IO[bytes],
    system: str,
    by: User,
    link: str = "",
    format: str = "",
    file_name: str = "",
) -> Submission:
    """Score predictions for a release's blind test; equal predictions get the same scores.

    Parameters
    ----------
    file : binary file
        A prediction for each question: WinoGrande's five columns, one label per line, JSONL or
        CSV; not kept.
    format : str
        As in `evaluation.core.predictions.read_predictions`; empty for the ending of *file_name*.

    Raises
    ------
    DomainError
        ``leaderboard_closed``, ``test_too_small``, ``predictions_unreadable``, ``no_sizes``,
        ``submitted_today`` or ``submissions_used_up``.
    ValidationError
        When the system's name or link is invalid.
    """
    board, _ = _open_board(release)
    items = selectors.blind_items(release)
    predictions = _read_predictions(
        file, [replace(item, answer=None) for item in items], format, file_name
    )
    digest = _digest(release, predictions)
    # One submission at a time, so that no two of them see the same remainder.
    board = Leaderboard.objects.select_for_update(no_key=True).get(pk=board.pk)
    if stored := Submission.objects.filter(release=release, predictions_sha256=digest).first():
        return stored
    _refuse_too_many(board, by)
    made = _score(board, release, items, predictions)
    made.submitter, made.predictions_sha256 = by, digest
    made.system, made.link = " ".join(system.split()), link
    made.full_clean()
    made.save()
    return made


def why_refused(release: Release) -> str:
    """Return why a release takes no predictions from anybody, as a sentence; empty if it does."""
    try:
        board, shape = _open_board(release)
        _noise(board, shape, n_accuracies=1)
    except DomainError as refusal:
        return refusal.message
    return ""


def too_small(release: Release, *, per_year: int = Leaderboard.PER_YEAR) -> str:
    """Return how large a blind test scores need, as a sentence; empty if the release has it."""
    shape = selectors.blind_shape(release)
    if not shape.n_questions:
        return "This release has no blind questions, so it takes no predictions."
    least = core.least_questions(shape, per_year=per_year)
    if shape.n_questions >= least:
        return ""
    return (
        f"A leaderboard that accepts {_a_year(per_year)} needs a blind test of about "
        f"{least:,} questions, so that scores do not tell its labels; this one has "
        f"{shape.n_questions:,}."
    )


def _a_year(n: int) -> str:
    return "one submission a year" if n == 1 else f"{n} submissions a year"


def _open_board(release: Release) -> tuple[Leaderboard, core.Shape]:
    board = Leaderboard.objects.filter(campaign=release.snapshot.campaign, is_open=True).first()
    if board is None or release.status != RunStatus.DONE:
        raise _closed("This release has no leaderboard that is open.")
    if release.retracted_at is not None:
        raise _closed("This release is retracted, so it takes no predictions.")
    shape = selectors.blind_shape(release)
    if not shape.n_questions:
        raise _closed("This release has no blind questions, so it takes no predictions.")
    return board, shape


def _closed(sentence: str) -> DomainError:
    return Conflict("leaderboard_closed", sentence)


def _score(
    board: Leaderboard, release: Release, items: list[Item], predictions: dict[str, core.Ints]
) -> Submission:
    """Return a submission with its scores; its noise comes from a seed that is not kept."""
    groups = [item.group for item in items]
    n_accuracies = min(len(predictions), 2)
    sizes = _sizes(release) if n_accuracies == 2 else None
    noise = _noise(board, core.shape_of(groups), n_accuracies)
    scores = core.score(
        predictions,
        np.array([item.answer for item in items]),
        groups=groups,
        sizes=sizes,
        noise=noise,
        # Who can repeat the noise can remove it.
        rng=np.random.default_rng(secrets.randbits(128)),
    )
    return Submission(
        leaderboard=board,
        release=release,
        accuracy=scores.accuracy,
        pair_accuracy=scores.pair_accuracy,
        area=scores.area,
        accuracy_noise=noise.accuracy,
        pair_noise=noise.pair_accuracy,
        share_told=core.SHARE / board.per_year,
    )


def _noise(board: Leaderboard, shape: core.Shape, n_accuracies: int) -> core.Noise:
    noise = core.noise(shape, per_year=board.per_year, n_accuracies=n_accuracies)
    if noise.accuracy > core.MOST_NOISE:
        raise Conflict(
            "test_too_small",
            f"The blind test has {shape.n_questions:,} questions. With {_a_year(board.per_year)}, "
            f"scores need noise of {100 * noise.accuracy:.0f} points, so that "
            "they do not tell its labels. A curator can allow fewer submissions; with as many, a "
            f"test of about {core.least_questions(shape, per_year=board.per_year):,} is needed.",
        )
    return noise


def _refuse_too_many(board: Leaderboard, by: User) -> None:
    now = clock.now()
    left = selectors.remaining(board, user=by, now=now)
    if left.used_today:
        text = "You have submitted today. A day begins at midnight UTC."
        wait = DAY_SECONDS - int(now.timestamp()) % DAY_SECONDS
        raise DomainError("submitted_today", text, status=429, details={"retry_after": wait})
    if not left.of_person or not left.of_all:
        whose = "You have used your" if left.of_all else "All people together have used the"
        text = f"{whose} submissions of the last 365 days, so that scores do not tell the labels."
        raise DomainError("submissions_used_up", text, status=429)


def _sizes(release: Release) -> list[int]:
    sizes = selectors.training_sizes(release)
    if sizes is None:
        raise DomainError(
            "no_sizes",
            "This release does not have the five training files xs to xl, so there is no curve. "
            "Submit one prediction per line.",
        )
    return sizes


def _read_predictions(
    file: IO[bytes], items: list[Item], format: str, file_name: str
) -> dict[str, core.Ints]:
    """Return the complete predictions of a file: one column, or five by training size."""
    content = file.read()
    how = format or format_of(file_name) or "lines"
    first = re.split(rb"[\r\n]", content, maxsplit=1)[0]
    if how in ("winogrande", "lines"):
        n_more = len(re.findall(rb"[,;\t]", first))
        how = "winogrande" if n_more == len(SIZES) - 1 else "lines"
    try:
        return {
            size: _complete(loading.predictions(io.BytesIO(content), items, format=how, size=size))
            for size in (SIZES if how == "winogrande" else ("",))
        }
    except ValueError as error:
        raise DomainError(
            "predictions_unreadable", f"The file cannot be used: {str(error).rstrip('.')}."
        ) from error


def _complete(read: Predictions) -> core.Ints:
    missing = read.report.n_items - read.report.n_understood
    if missing:
        raise ValueError(f"{missing:,} questions have no prediction 1 or 2")
    return np.array(list(read.predictions.values()), dtype=np.int64)


def _digest(release: Release, predictions: dict[str, core.Ints]) -> str:
    digest = hashlib.sha256(str(release.public_id).encode())
    for size, column in predictions.items():
        digest.update(size.encode() + column.tobytes())
    return digest.hexdigest()
