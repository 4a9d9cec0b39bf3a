"""Predictions made elsewhere.

Where their file has no scores, the option predicted has 1 and the others 0. An item whose answer is
missing or not understood counts as wrong.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext_lazy as _

from corpora.core.items import Item
from evaluation.methods.protocol import Answer, Block, Job, Method, Progress, Scorer, register

if TYPE_CHECKING:
    from evaluation.core.predictions import Predictions

PREDICTIONS = "predictions"
NO_ANSWER = "missing or not understood"


def _begin(job: Job) -> Scorer:
    assert job.predictions is not None
    return partial(_answers, job.predictions)


def _answers(read: Predictions, block: Block, progress: Progress) -> list[Answer]:
    return [_answer(read, item) for item in block.items]


def _answer(read: Predictions, item: Item) -> Answer:
    predicted = read.predictions[item.id]
    if predicted is None:
        return Answer(unanswered=NO_ANSWER)
    scores = np.asarray(read.scores.get(item.id, ()), dtype=np.float64)
    if len(scores) and (scores == scores.max()).sum() == 1:
        return Answer(scores=scores)
    # Of tied scores, the file's own prediction decides.
    return Answer(scores=np.eye(len(item.options))[predicted - 1])


register(
    Method(
        name=PREDICTIONS,
        title=_("predictions made elsewhere"),
        begin=_begin,
        reads="predictions",
    )
)
