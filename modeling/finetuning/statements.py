"""Statements called true or false by a linear layer on an encoder, which is frozen or trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from modeling.encoders import Encoder
from modeling.finetuning.loop import fine_tune
from modeling.finetuning.order import batches
from modeling.finetuning.questions import Questions
from modeling.finetuning.settings import FineTuneSettings
from modeling.scoring.clozes import Floats, Progress

NEUTRAL = "."
"""The text whose score is the threshold of a trained encoder."""


@dataclass(frozen=True, slots=True)
class StatementSettings:
    """Settings of a classifier of statements.

    Parameters
    ----------
    rate : float, above 0
        Learning rate.
    batch_size : int, at least 1
        Statements of an update.
    epochs : int, at least 1
    seed : int, at least 0
        Draws the first weights and the order.
    """

    rate: float
    batch_size: int
    epochs: int
    seed: int


def frozen_logits(
    train: NDArray[np.float32],
    labels: Sequence[bool],
    asked: NDArray[np.float32],
    settings: StatementSettings,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Train a linear layer on fixed vectors; return the logits of "true" of other vectors.

    Parameters
    ----------
    train : float32 (n, d)
    labels : sequence of bool, length n
    asked : float32 (m, d)
    settings : StatementSettings
    progress : callable (done, total), optional
        Called after each epoch; may raise to stop.

    Returns
    -------
    float64 (m,)
        Above 0 for "true".

    Raises
    ------
    ValueError
        When a logit is not finite.

    Notes
    -----
    Adam at a constant rate on the mean cross-entropy of each batch. Weights begin normal with
    deviation 0.02, the bias at 0. WinoLogic (EMNLP 2021), §5.3 and Table 6, gives rates, epochs
    and batch sizes, and neither the optimizer nor the start.
    """
    import torch

    drawn = np.random.default_rng([settings.seed, 0]).normal(0, 0.02, train.shape[1])
    weights = torch.tensor(drawn, dtype=torch.float32, requires_grad=True)
    bias = torch.zeros((), requires_grad=True)
    optimizer = torch.optim.Adam([weights, bias], lr=settings.rate)
    vectors, truth = torch.from_numpy(train), torch.tensor(labels, dtype=torch.float32)
    for epoch in range(1, settings.epochs + 1):
        of_epoch = batches(
            [1] * len(train), size=settings.batch_size, seed=settings.seed, epoch=epoch
        )
        for rows in map(torch.from_numpy, of_epoch):
            optimizer.zero_grad()
            batch_logits = vectors[rows] @ weights + bias
            loss = torch.nn.functional.binary_cross_entropy_with_logits(batch_logits, truth[rows])
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        if progress is not None:
            progress(epoch, settings.epochs)
    values = asked.astype(np.float64) @ weights.detach().double().numpy() + float(bias.detach())
    return _finite(values)


def trained_logits(
    encoder: Encoder,
    train: Sequence[str],
    labels: Sequence[bool],
    asked: Sequence[str],
    settings: StatementSettings,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Train an encoder in place with a linear layer; return the logits of "true" of other texts.

    Parameters
    ----------
    encoder : Encoder
        Its weights are changed.
    train : sequence of str, length n
    labels : sequence of bool, length n
    asked : sequence of str, length m
    settings, progress
        As in `frozen_logits`; progress is called after each update.

    Returns
    -------
    float64 (m,)
        The score of a text less that of `NEUTRAL`, which takes the place of a bias.

    Raises
    ------
    ValueError
        As `fine_tune`.

    Notes
    -----
    A statement is a question with two options, itself and `NEUTRAL`, so that `fine_tune` trains
    it, with its warm-up and decay. Source: as `frozen_logits`.
    """
    learned = Questions([(text, NEUTRAL) for text in train], [int(not label) for label in labels])
    unanswered = Questions([(text, NEUTRAL) for text in asked], [0] * len(asked))
    how = FineTuneSettings(
        epochs=settings.epochs,
        batch_size=settings.batch_size,
        learning_rate=settings.rate,
        seed=settings.seed,
        keep="final",
    )
    scores = None
    for checkpoint in fine_tune(encoder, learned, unanswered, how, progress=progress):
        scores = checkpoint.dev_scores
    assert scores is not None
    return _finite(scores[:, 0] - scores[:, 1])


def _finite(logits: Floats) -> Floats:
    if not np.isfinite(logits).all():
        raise ValueError("a logit is not finite; use a smaller learning rate")
    return logits
