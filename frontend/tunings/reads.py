"""A tuning on its page: the sizes of its parts, its epochs and its encodings."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.utils.translation import gettext as _
from scipy.stats import norm

from filtering.models import Encoding, Tuning, TuningEpoch
from filtering.selectors.sizes import Parts
from frontend.charts import Chart, Tick, bar_chart, share_chart, value_chart
from frontend.runs.reads import RunRow, run_row
from stats.intervals import Estimate, wilson_ends
from winoplatform.runs.models import RunStatus


@dataclass(frozen=True, slots=True)
class EpochRow:
    """One epoch; ``accuracy`` is on the validation part, ``is_best`` among the epochs so far.

    The interval is Wilson's over pairs, as if twins were right or wrong together: only the share of
    an epoch is recorded, and only this interval is valid for any correlation within twins.
    """

    epoch: TuningEpoch
    accuracy: Estimate
    is_best: bool


def epoch_rows(epochs: Sequence[TuningEpoch], parts: Parts) -> list[EpochRow]:
    # As the tuning selects: highest validation accuracy; of equal epochs, the first.
    best = max(epochs, key=lambda epoch: (epoch.accuracy, -epoch.number), default=None)
    n = parts.n_validation
    shares = np.array([epoch.accuracy for epoch in epochs])
    ends = zip(*wilson_ends(shares * n / 2, np.full(len(shares), n / 2)), strict=True)
    return [
        EpochRow(epoch, Estimate(epoch.accuracy, float(low), float(high), n), epoch is best)
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
    error = (best.high - best.low) / (2 * norm.isf(0.025))
    points = error * (norm.isf(0.025) + norm.isf(0.2))
    return _(
        "The interval contains one half, which is chance: there is no evidence that the encoder "
        "has learned the task. An accuracy of about %(share)s would have been found with a "
        "probability of 80%%. More questions, more epochs, a higher rate or a larger encoder "
        "may help. You can still use its encodings for filtering."
    ) % {"share": f"{min(1, 0.5 + points):.0%}"}


def charts_of(rows: Sequence[EpochRow]) -> dict[str, Chart]:
    if not rows:
        return {}
    numbers = [str(row.epoch.number) for row in rows]
    return {
        "loss_chart": value_chart(
            [row.epoch.loss for row in rows], numbers, level=Tick(math.log(2), _("guessing"))
        ),
        "accuracy_chart": share_chart(
            [row.epoch.accuracy for row in rows], numbers, level=Tick(0.5, _("guessing"))
        ),
        "seconds_chart": bar_chart(
            [row.epoch.seconds for row in rows], numbers, noun=_("seconds"), digits=1
        ),
    }


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
