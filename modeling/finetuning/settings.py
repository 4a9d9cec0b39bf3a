"""Settings of fine-tuning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from modeling.finetuning.forms import FORMS

LOSSES = ("multiple_choice", "mc_mlm")
COMPUTE_DTYPES = ("float32", "bfloat16", "float16")
KEEPS = ("best", "final")


@dataclass(frozen=True, slots=True)
class FineTuneSettings:
    """Settings of fine-tuning.

    Parameters
    ----------
    epochs : int
        Passes over the training set, at least 1.
    batch_size : int
        Questions in one pass through the model, at least 1.
    learning_rate : float
        The maximum, above 0; reached at the end of the warm-up.
    seed : int, at least 0
    form : {'authors', 'printed', 'square_one'}
        As in `texts_of`; recorded here, the texts themselves are given.
    loss : {'multiple_choice', 'mc_mlm'}
        ``multiple_choice``: a new head scores each option's text. ``mc_mlm``: an option's score is
        the mean log-probability that the model's own masked-language-model head gives its tokens,
        all masked. Both are trained by cross-entropy over a question's options.
    accumulation : int
        Batches whose gradients are added before one update of the weights, at least 1; the result
        is that of one batch of ``batch_size * accumulation`` questions.
    warm_up : float
        Share of all updates over which the learning rate rises linearly, from 0 to 1; then it falls
        linearly to 0.
    weight_decay : float
        Of AdamW, for matrices only, not biases and norms.
    largest_gradient : float
        Gradients of an update are clipped to this norm.
    dtype : {'float32', 'bfloat16', 'float16'}
        The format of the computation; weights are in float32. The other two need CUDA.
    keep : {'best', 'final'}
        Which epoch's weights are kept: the best on the dev set, or the last.
    patience : int, optional
        Stop after so many epochs without a better accuracy on the dev set, at least 1.
    checkpoint_every : int, optional
        Updates between the checkpoints within an epoch, at least 1; by default only at its end.

    Raises
    ------
    ValueError
        When a value is outside of its range.

    Notes
    -----
    *Source*: WinoGrande §4.1 (learning rates, epochs, batch sizes); its program (AdamW, linear
    warm-up over a tenth, weight decay for matrices, clipping to norm 1). ``mc_mlm``: Back to Square
    One, appendix G, after Liu et al., Precise task formalization matters in Winograd schema
    evaluations (EMNLP 2020), who average over the tokens.
    """

    epochs: int
    batch_size: int
    learning_rate: float
    seed: int
    form: str = "authors"
    loss: str = "multiple_choice"
    accumulation: int = 1
    warm_up: float = 0.1
    weight_decay: float = 0.01
    largest_gradient: float = 1.0
    dtype: str = "float32"
    keep: str = "best"
    patience: int | None = None
    checkpoint_every: int | None = None

    def __post_init__(self) -> None:
        for name, choices in (
            ("form", FORMS),
            ("loss", LOSSES),
            ("dtype", COMPUTE_DTYPES),
            ("keep", KEEPS),
        ):
            if getattr(self, name) not in choices:
                raise ValueError(
                    f"{name} must be one of {', '.join(choices)}, got {getattr(self, name)!r}"
                )
        for name in ("epochs", "batch_size", "accumulation", "patience", "checkpoint_every"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, got {value}")
        if self.seed < 0:
            raise ValueError(f"seed must be at least 0, got {self.seed}")
        for name in ("learning_rate", "largest_gradient"):
            if not 0 < getattr(self, name) < np.inf:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")
        if not 0 <= self.warm_up <= 1:
            raise ValueError(f"warm_up must be from 0 to 1, got {self.warm_up}")
        if not 0 <= self.weight_decay < np.inf:
            raise ValueError(f"weight_decay must be at least 0, got {self.weight_decay}")

    @property
    def questions_per_update(self) -> int:
        return self.batch_size * self.accumulation


def kept_epoch(accuracies: Sequence[float], keep: str = "best") -> int:
    """Return the number of the epoch whose weights are kept, from 1; the first of equal ones.

    >>> kept_epoch([0.5, 0.75, 0.75]), kept_epoch([0.5, 0.75, 0.75], "final")
    (2, 3)
    """
    return len(accuracies) if keep == "final" else int(np.argmax(accuracies)) + 1
