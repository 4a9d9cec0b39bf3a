"""Items as the questions that a model is trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpora.core.clozes import clozes
from corpora.core.items import BLANK, Item

if TYPE_CHECKING:
    from modeling.finetuning import Questions


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
