"""Scores of a classifier that knows whether one text follows from another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modeling.batches import Tokens
from modeling.loaded import LoadedModel
from modeling.scoring.clozes import Floats, Progress, by_question, require

ENTAILMENT = "entailment"


def entailment_scores(
    model: LoadedModel,
    questions: Sequence[Sequence[tuple[str, str]]],
    *,
    progress: Progress | None = None,
) -> list[Floats]:
    """Score each question's options by the log-probability that a hypothesis follows.

    Parameters
    ----------
    model : LoadedModel
        For entailment; its configuration names one label ``entailment``, in any case.
    questions : sequence of sequence of (premise, hypothesis)
        For each question, k pairs.
    progress : callable (done, total), optional
        Called after each batch with the number of pairs done; may raise to stop.

    Returns
    -------
    list of float64 (k,)
        In nats, at most 0, from the probabilities of the classifier's labels for each pair.

    Raises
    ------
    ValueError
        When the model was loaded for another use or has no label ``entailment``, a pair has more
        tokens than the model's positions, or a score is not finite.

    Source: the form of WNLI in Wang et al., GLUE (ICLR 2019).
    """
    pairs = [pair for options in questions for pair in options]
    said, label = _probabilities(model, pairs, progress)
    return by_question(said[:, label], [len(options) for options in questions])


def entailment_margins(
    model: LoadedModel,
    pairs: Sequence[tuple[str, str]],
    *,
    progress: Progress | None = None,
) -> Floats:
    """Return how much likelier entailment is than the classifier's likeliest other label.

    Parameters, errors and source are those of `entailment_scores`, for n pairs.

    Returns
    -------
    float64 (n,)
        A difference of log-probabilities in nats; above 0 where the classifier says entailment.
    """
    said, label = _probabilities(model, pairs, progress)
    margins: Floats = said[:, label] - np.delete(said, label, axis=1).max(axis=1)
    by_question(margins, [1] * len(margins))  # refuses one that is not finite
    return margins


def _probabilities(
    model: LoadedModel, pairs: Sequence[tuple[str, str]], progress: Progress | None
) -> tuple[Floats, int]:
    """Return the log-probability of each label for each pair, and the number of entailment."""
    require(model, "entailment")
    config = model.model.config
    label = entailment_label(config)
    rows = model.tokens(pairs, cut=False)

    def probabilities(batch: list[Tokens]) -> NDArray[np.float32]:
        logits = model.model(**model.inputs(batch)).logits.float()  # (n_batch, n_labels)
        of_batch: NDArray[np.float32] = logits.log_softmax(dim=-1).cpu().numpy()
        return of_batch

    log_probabilities = np.empty((len(rows), len(config.id2label)), dtype=np.float32)
    model.run(probabilities, rows, into=log_probabilities, ties=pairs, progress=progress)
    return log_probabilities.astype(np.float64), label


def entailment_label(config: Any) -> int:
    """Return the number of the label ``entailment`` of a classifier's configuration.

    Raises
    ------
    ValueError
        When there is no such label, or several.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> entailment_label(SimpleNamespace(id2label={0: "CONTRADICTION", 1: "ENTAILMENT"}))
    1
    """
    names = {int(number): str(name) for number, name in config.id2label.items()}
    numbers = [number for number, name in names.items() if name.strip().casefold() == ENTAILMENT]
    if len(numbers) != 1:
        raise ValueError(
            f"the model's labels must have one {ENTAILMENT!r}, got "
            f"{', '.join(map(repr, names.values()))}; name a model trained for entailment"
        )
    return numbers[0]
