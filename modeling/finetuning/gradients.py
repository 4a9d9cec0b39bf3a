"""Gradients of a batch, computed in parallel parts on a CPU."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from modeling.batches import on_threads
from modeling.finetuning.dropout import drawing_from
from modeling.finetuning.heads import Head

if TYPE_CHECKING:
    import torch

FEWEST_TOKENS = 128  # of a part; smaller matrices do not keep a core busy


@dataclass(frozen=True, slots=True)
class Batch:
    """Questions whose gradients are computed together.

    Parameters
    ----------
    questions : sequence of sequence of rows
        The tokens of each option of each question.
    answers : sequence of int
        The position of the right option of each question.
    """

    questions: Sequence[Sequence[Any]]
    answers: Sequence[int]

    def __len__(self) -> int:
        return len(self.questions)

    def parts(self, number: int) -> list[Batch]:
        """Cut into parts of nearly as many questions each."""
        ends = [len(self) * part // number for part in range(number + 1)]
        spans = [slice(a, b) for a, b in pairwise(ends) if a < b]
        return [Batch(self.questions[span], self.answers[span]) for span in spans]

    @property
    def n_tokens(self) -> int:
        return sum(len(row) for options in self.questions for row in options)


@dataclass(frozen=True, slots=True)
class Result:
    """The loss of some questions, from before their update, and its gradients.

    Parameters
    ----------
    loss : float
        Sum of the cross-entropy over the questions, in nats.
    probabilities : float32 (n_questions,)
        Of the right options.
    gradients : list of tensor or None, one per weight
    """

    loss: float
    probabilities: NDArray[np.float32]
    gradients: list[torch.Tensor | None]


class Gradients:
    """Computes gradients of the mean loss of an update.

    Parameters
    ----------
    head : Head
    weights : sequence of parameters
    dtype : {'float32', 'bfloat16', 'float16'}
        The format of the computation.
    """

    def __init__(self, head: Head, weights: Sequence[Any], *, dtype: str) -> None:
        self.head, self.weights, self.dtype = head, weights, dtype
        self.device = head.model.device

    def of(self, batch: Batch, *, factor: float, seed: Sequence[int]) -> list[Result]:
        """Return the loss of each part of a batch, and *factor* times its gradients.

        Raises
        ------
        ValueError
            When the loss is not finite.
        """
        parts = batch.parts(self._n_parts(batch))

        def one(number: int) -> Result:
            with drawing_from(self.device, *seed, number):
                return self._of_part(parts[number], factor)

        if len(parts) == 1:
            return [one(0)]
        threads = _threads() // len(parts)
        with closing(on_threads(one, range(len(parts)), each=threads)) as results:
            return list(results)

    def _n_parts(self, batch: Batch) -> int:
        if self.device.type == "cuda":
            return 1
        return max(1, min(_threads(), len(batch), batch.n_tokens // FEWEST_TOKENS))

    def _of_part(self, part: Batch, factor: float) -> Result:
        import torch

        right = torch.tensor(part.answers, device=self.device)
        with self._autocast():
            scores = self._scores(part.questions)  # (n_questions, k)
            loss = torch.nn.functional.cross_entropy(scores, right, reduction="sum")
        total = loss.item()
        if not np.isfinite(total):
            raise ValueError("The training loss is not finite; use a smaller learning_rate.")
        gradients = torch.autograd.grad(loss * factor, self.weights, allow_unused=True)
        said = scores.detach().softmax(dim=1).gather(1, right.unsqueeze(1)).squeeze(1)
        return Result(total, said.cpu().numpy(), list(gradients))

    def _scores(self, questions: Sequence[Sequence[Any]]) -> torch.Tensor:
        """Return (n_questions, k) scores, padded with -inf for questions with fewer options."""
        import torch

        scores = self.head.scores([row for options in questions for row in options])  # (n_rows,)
        by_question = torch.split(scores, [len(options) for options in questions])
        return torch.nn.utils.rnn.pad_sequence(
            list(by_question), batch_first=True, padding_value=-torch.inf
        )

    def _autocast(self) -> AbstractContextManager[Any]:
        import torch

        kind = getattr(torch, self.dtype)
        return torch.autocast(self.device.type, kind, enabled=self.dtype != "float32")


def _threads() -> int:
    import torch

    return torch.get_num_threads()
