"""Models fine-tuned here: one number for the text with each option."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from corpora.core.items import Item
from evaluation.methods.protocol import Block, Floats, Job, Method, Progress, Scorer, register
from modeling.loaded import LoadedModel
from training.core.drawing import questions

FINE_TUNED = "fine_tuned"


def scores(
    model: LoadedModel, form: str, loss: str, items: Sequence[Item], progress: Progress
) -> list[Floats]:
    """Return the scores of each item's options by a model trained with this form and loss."""
    from modeling.scoring import choice_scores, masked_scores

    options: Any = questions(items, form, loss).options
    if loss == "mc_mlm":
        return masked_scores(model, options, method="span", mean=True, progress=progress)
    return choice_scores(model, options, progress=progress)


def _begin(job: Job) -> Scorer:
    assert job.fine_tuned is not None
    return partial(_scores, job)


def _scores(job: Job, block: Block, progress: Progress) -> list[Floats]:
    assert job.fine_tuned is not None
    return job.fine_tuned(block.items, progress)


register(
    Method(
        name=FINE_TUNED,
        title=_("fine-tuned here"),
        begin=_begin,
        reads="fine_tuning",
        log_probabilities=("",),
    )
)
