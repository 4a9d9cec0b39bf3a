"""A tuning on its page: the sizes of its parts, its epochs and its encodings."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from django.utils.translation import gettext as _
from scipy.special import ndtri

from filtering.models import Encoding, Tuning, TuningEpoch
from filtering.selectors.questions import Parts
from frontend.epochs import EpochRow
from frontend.runs.reads import RunRow, run_row
from modeling.finetuning import kept_epoch
from stats.intervals import Estimate, wilson_ends
from winoplatform.runs.models import RunStatus


def epoch_rows(epochs: Sequence[TuningEpoch], parts: Parts) -> list[EpochRow]:
    """Return the epochs of a tuning.

    The interval is Wilson's over pairs, as if twins were right or wrong together: only the share of
    an epoch is recorded, and only this interval is valid for any correlation within twins.
    """
    n = parts.n_validation
    shares = np.array([epoch.accuracy for epoch in epochs])
    best = kept_epoch(shares.tolist()) if epochs else None
    ends = zip(*wilson_ends(shares * n / 2, np.full(len(shares), n / 2)), strict=True)
    return [
        EpochRow(
            number=epoch.number,
            loss=epoch.loss,
            accuracy=Estimate(epoch.accuracy, float(low), float(high), n),
            seconds=epoch.seconds,
            is_best=epoch.number == best,
        )
        for epoch, (low, high) in zip(epochs, ends, strict=True)
    ]


def finding(best: Estimate) -> str:
    """Interpret an accuracy on a small number of questions."""
    assert best.low is not None
    assert best.high is not None
    if best.low > 0.5:
        return _("Above chance: the encoder has learned something about the task.")
    if best.high < 0.5:
        return _(
            "Below chance: what the encoder learned from the training questions is wrong for "
            "other questions."
        )
    error = (best.high - best.low) / (2 * ndtri(0.975))
    points = error * (ndtri(0.975) + ndtri(0.8))
    return _(
        "The interval contains one half, which is chance: there is no evidence that the encoder "
        "has learned the task. An accuracy of about %(share)s would have been found with a "
        "probability of 80%%. More questions, more epochs, a higher rate or a larger encoder "
        "may help. You can still use its encodings for filtering."
    ) % {"share": f"{min(1, 0.5 + points):.0%}"}


def seconds_left(tuning: Tuning, epochs: Sequence[TuningEpoch]) -> float | None:
    """Estimate the time left from the epochs' own seconds, without pauses or crashed workers."""
    if tuning.status != RunStatus.RUNNING or not epochs:
        return None
    spent = sum(epoch.seconds for epoch in epochs)
    return spent / len(epochs) * (tuning.epochs - len(epochs))


def encodings_of(tuning: Tuning, now: datetime) -> list[RunRow]:
    """Return the encodings made with a tuning, newest first."""
    rows = Encoding.objects.filter(tuning=tuning).select_related("snapshot", "tuning")
    return [run_row(encoding, now) for encoding in rows.order_by("-pk")]
