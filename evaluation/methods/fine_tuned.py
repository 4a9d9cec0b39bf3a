"""Models fine-tuned here: one number for the text with each option."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from corpora.core.items import BLANK, Item
from evaluation.methods.clozes import clozes
from evaluation.methods.protocol import Block, Floats, Job, Method, Progress, Scorer, register
from modeling.loaded import LoadedModel

if TYPE_CHECKING:
    from modeling.finetuning import Questions

FINE_TUNED = "fine_tuned"


def questions(items: Sequence[Item], form: str, loss: str) -> Questions:
    """Return items as a model is trained on them; without answers, the first option is taken.

    A pronoun is a blank, and a premise has its options after ``because`` or ``so``. A true/false
    item is a choice between its candidate and its pronoun as it stands (`to_reading`).

    Parameters
    ----------
    items : sequence of Item, at least 1
    form, loss : str
        As in `modeling.finetuning`.

    Raises
    ------
    ValueError
        When there is no item, or a sentence contains another underscore.
    """
    from modeling.finetuning import Questions, texts_of

    asked = clozes(items, readings=True)
    answers = [(item.answer or 1) - 1 for item in items]
    if loss == "mc_mlm":
        return Questions(asked, answers)
    return Questions(
        [texts_of(one.before + BLANK + one.after, one.options, form) for one in asked], answers
    )


def scores(
    model: LoadedModel, form: str, loss: str, items: Sequence[Item], progress: Progress
) -> list[Floats]:
    """Return the scores of each item's options by a model trained with this form and loss."""
    from modeling.scoring import choice_scores, masked_scores

    asked: Any = questions(items, form, loss).options
    if loss == "mc_mlm":
        return masked_scores(model, asked, method="span", mean=True, progress=progress)
    return choice_scores(model, asked, progress=progress)


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
