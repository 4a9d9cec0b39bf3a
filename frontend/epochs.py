"""The epochs of a training, in a table and in pictures."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from frontend.charts import Chart, bar_chart, share_chart, value_chart
from frontend.pictures import Mark
from stats.intervals import Estimate


@dataclass(frozen=True, slots=True)
class EpochRow:
    """One epoch.

    ``accuracy`` is on the questions by which an epoch is chosen, None without any. ``is_best``: its
    weights are kept, or would be if training ended now.
    """

    number: int
    loss: float
    accuracy: Estimate | None
    seconds: float
    is_best: bool


def charts_of(rows: Sequence[EpochRow], *, of_two: bool) -> dict[str, Chart]:
    """Return the pictures of epochs, by their names in the template.

    *of_two*: all questions have two options, so that the pictures show what guessing gives.
    """
    if not rows:
        return {}
    numbers = [str(row.number) for row in rows]
    loss, share = (Mark(place, _("guessing")) if of_two else None for place in (math.log(2), 0.5))
    charts = {
        "loss_chart": value_chart([row.loss for row in rows], numbers, level=loss),
        "seconds_chart": bar_chart(
            [row.seconds for row in rows], numbers, noun=_("seconds"), digits=1
        ),
    }
    shares = [row.accuracy.value if row.accuracy else None for row in rows]
    if any(value is not None for value in shares):
        charts["accuracy_chart"] = share_chart(shares, numbers, level=share)
    return charts
