"""Scores of a multiple-choice head."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from modeling.batches import Text, Tokens
from modeling.loaded import LoadedModel
from modeling.scoring.clozes import Floats, Progress, by_question, require


def choice_scores(
    model: LoadedModel,
    questions: Sequence[Sequence[Text]],
    *,
    progress: Progress | None = None,
) -> list[Floats]:
    """Score each question's options with a multiple-choice head.

    Parameters
    ----------
    model : LoadedModel
        For multiple choice.
    questions : sequence of sequence of str, or of pairs of str
        For each question, k options in the form that the head reads.
    progress : callable (done, total), optional
        Called after each batch with the number of options done.

    Returns
    -------
    list of float64 (k,)
        The head's logits.

    Raises
    ------
    ValueError
        When the model was loaded for another use, a text has more tokens than the model's
        positions, or a score is not finite.
    """
    require(model, "choice")
    texts = [text for options in questions for text in options]
    rows = model.tokens(texts, cut=False)

    def logits(batch: list[Tokens]) -> NDArray[np.float32]:
        # Each option is a separate question, so questions may have different numbers of options.
        inputs = {name: tensor.unsqueeze(1) for name, tensor in model.inputs(batch).items()}
        outputs: NDArray[np.float32] = model.model(**inputs).logits.squeeze(1).float().cpu().numpy()
        return outputs

    scores = np.empty(len(rows), dtype=np.float32)
    model.run(logits, rows, into=scores, ties=texts, progress=progress)
    return by_question(scores.astype(np.float64), [len(options) for options in questions])
