"""The updates of the weights: accumulated gradients, AdamW, the learning rate, states."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from modeling.finetuning.heads import Head
from modeling.finetuning.settings import FineTuneSettings
from modeling.finetuning.words import SeenWords, fits

if TYPE_CHECKING:
    import torch


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


@dataclass(frozen=True, slots=True)
class Update:
    """What an update was computed from.

    Parameters
    ----------
    loss : float
        Sum of the cross-entropy over its questions, in nats.
    probabilities : float32 (n_questions,)
        Of the right options.
    """

    loss: float
    probabilities: NDArray[np.float32]


class Updater:
    """The trained weights of a head and their optimizer.

    Parameters
    ----------
    head : Head
    settings : FineTuneSettings
    n_updates : int
        In all epochs together.
    tokens : iterable of int
        All tokens of the training set; the embeddings of others are not trained.
    """

    def __init__(
        self, head: Head, settings: FineTuneSettings, *, n_updates: int, tokens: Iterable[int]
    ) -> None:
        import torch

        self.head, self.settings, self.n_updates = head, settings, n_updates
        self.device, model = head.model.device, head.model.model
        self.words = SeenWords(model, [*tokens, head.model.pad_id]) if fits(model) else None
        self.weights = {
            f"{part}.{name}": self._trained(weight)
            for part, module in head.modules.items()
            for name, weight in module.named_parameters()
        }
        self.optimizer = torch.optim.AdamW(_groups(self.weights, settings), fused=True)
        self.scaler = torch.amp.GradScaler(  # type: ignore[attr-defined]
            self.device.type, enabled=settings.dtype == "float16"
        )

    def _trained(self, weight: Any) -> Any:
        """Return the reduced embeddings for the whole ones, every other weight as it is."""
        return self.words.weight if self.words and weight is self.words.whole.weight else weight

    @contextmanager
    def in_training(self) -> Iterator[None]:
        """Switch the model to training (dropout, reduced embeddings), and back."""
        model = self.head.model.model
        for module in self.head.modules.values():
            module.train()
        if self.words:
            model.set_input_embeddings(self.words.reduced)
        try:
            yield
        finally:
            for module in self.head.modules.values():
                module.eval()
            if self.words:
                self.words.write_back()
                model.set_input_embeddings(self.words.whole)

    def update(self, batch: Batch, *, number: int, seed: Sequence[int]) -> Update:
        """Update the weights once.

        Parameters
        ----------
        batch : Batch
            All questions of the update.
        number : int
            Of the update, from 0 over all epochs.
        seed : sequence of int
            From which dropout draws.

        Raises
        ------
        ValueError
            When the loss is not finite.
        """
        self.optimizer.zero_grad()
        with _seeded(self.device, seed):
            parts = batch.parts(math.ceil(len(batch) / self.settings.batch_size))
            losses = [self._accumulated(part, factor=1 / len(batch)) for part in parts]
        self.step(rate=self.rate(number))
        return Update(
            loss=sum(each.loss for each in losses),
            probabilities=np.concatenate([each.probabilities for each in losses]),
        )

    def _accumulated(self, part: Batch, *, factor: float) -> Update:
        """Add *factor* times the gradients of a part's loss to those of the weights."""
        import torch

        right = torch.tensor(part.answers, device=self.device)
        kind = getattr(torch, self.settings.dtype)
        with torch.autocast(self.device.type, kind, enabled=kind != torch.float32):
            scores = self._scores(part.questions)  # (n_questions, k)
            loss = torch.nn.functional.cross_entropy(scores, right, reduction="sum")
        total = loss.item()
        if not np.isfinite(total):
            raise ValueError("The training loss is not finite; use a smaller learning_rate.")
        self.scaler.scale(loss * factor).backward()  # type: ignore[no-untyped-call]
        probabilities = scores.detach().softmax(dim=1).gather(1, right.unsqueeze(1)).squeeze(1)
        return Update(total, probabilities.cpu().numpy())

    def _scores(self, questions: Sequence[Sequence[Any]]) -> torch.Tensor:
        """Return (n_questions, k) scores, padded with -inf for questions with fewer options."""
        import torch

        scores = self.head.scores([row for options in questions for row in options])  # (n_rows,)
        by_question = torch.split(scores, [len(options) for options in questions])
        return torch.nn.utils.rnn.pad_sequence(
            list(by_question), batch_first=True, padding_value=-torch.inf
        )

    def step(self, *, rate: float) -> None:
        """Clip the gradients and update the weights by them."""
        import torch

        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.weights.values(), self.settings.largest_gradient)
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def rate(self, number: int) -> float:
        """Return the learning rate: up linearly during the warm-up, then down linearly to 0."""
        rising = max(1, round(self.settings.warm_up * self.n_updates))
        left = (self.n_updates - number) / (self.n_updates - rising + 1)
        return self.settings.learning_rate * min((number + 1) / rising, left)

    def state(self, *, with_optimizer: bool) -> dict[str, torch.Tensor]:
        """Return a copy of the weights, and of what the next update needs."""
        state = {
            f"{part}.{name}": tensor
            for part, module in self.head.modules.items()
            for name, tensor in module.state_dict().items()
        }
        if with_optimizer:
            state |= self._optimizer_state()
        return {name: tensor.detach().cpu().clone() for name, tensor in state.items()}

    def _optimizer_state(self) -> dict[str, torch.Tensor]:
        import torch

        state = {
            f"optimizer.{name}.{moment}": tensor
            for name, weight in self.weights.items()
            for moment, tensor in self.optimizer.state.get(weight, {}).items()
        }
        for name, value in self.scaler.state_dict().items():
            state[f"scaler.{name}"] = torch.tensor(value, dtype=torch.float64)
        return state

    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        """Restore a state returned by `state`."""
        for part, module in self.head.modules.items():
            module.load_state_dict(under(state, part))
        if self.words:
            self.words.read_back()
        for name, weight in self.weights.items():
            moments = under(state, f"optimizer.{name}")
            if moments:  # a weight without gradients has none
                self.optimizer.state[weight] = {
                    moment: tensor.to(weight.device, copy=True)
                    for moment, tensor in moments.items()
                }
        scaler = under(state, "scaler")
        if scaler:
            kinds = {name: type(value) for name, value in self.scaler.state_dict().items()}
            self.scaler.load_state_dict({n: kinds[n](v.item()) for n, v in scaler.items()})


def under(state: Mapping[str, torch.Tensor], part: str) -> dict[str, torch.Tensor]:
    """Return the tensors of one part of a state, without the part's prefix."""
    start = f"{part}."
    return {name[len(start) :]: tensor for name, tensor in state.items() if name.startswith(start)}


def weights_of(state: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the model's weights in a checkpoint's state, as `LoadedModel.with_weights` wants."""
    return under(state, "model")


@contextmanager
def _seeded(device: torch.device, numbers: Sequence[int]) -> Iterator[None]:
    """Seed torch's generators from *numbers*, and restore them afterwards."""
    import torch

    seed = int(np.random.SeedSequence(numbers).generate_state(1)[0])
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield


def _groups(weights: Mapping[str, Any], settings: FineTuneSettings) -> list[dict[str, Any]]:
    matrices = [weight for weight in weights.values() if weight.dim() > 1]
    vectors = [weight for weight in weights.values() if weight.dim() <= 1]
    return [
        {"params": matrices, "weight_decay": settings.weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
