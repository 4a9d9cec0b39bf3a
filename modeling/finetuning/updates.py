"""The updates of the weights: accumulated gradients, the learning rate, states."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from modeling.finetuning.gradients import Batch, Gradients, Result
from modeling.finetuning.heads import Head
from modeling.finetuning.optimizer import Optimizer, under
from modeling.finetuning.settings import FineTuneSettings
from modeling.finetuning.words import SeenWords, fits

if TYPE_CHECKING:
    import torch


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
        self.head, self.settings, self.n_updates = head, settings, n_updates
        device, model = head.model.device, head.model.model
        self.words = SeenWords(model, [*tokens, head.model.pad_id]) if fits(model) else None
        self.weights = {
            f"{part}.{name}": self._trained(weight)
            for part, module in head.modules.items()
            for name, weight in module.named_parameters()
        }
        weights = list(self.weights.values())
        self.optimizer = Optimizer(weights, settings, device=device)
        self.gradients = Gradients(head, weights, dtype=settings.dtype)

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
        self.optimizer.begin()
        factor = self.optimizer.scale() / len(batch)
        found: list[Result] = []
        for place, part in enumerate(self._batches(batch)):
            results = self.gradients.of(part, factor=factor, seed=(*seed, place))
            self.optimizer.add([result.gradients for result in results])
            found += [replace(result, gradients=[]) for result in results]  # frees them
        self.optimizer.step(rate=self.rate(number))
        return Update(
            loss=sum(result.loss for result in found),
            probabilities=np.concatenate([result.probabilities for result in found]),
        )

    def _batches(self, batch: Batch) -> list[Batch]:
        return batch.parts(math.ceil(len(batch) / self.settings.batch_size))

    def rate(self, number: int) -> float:
        """Return the learning rate: up linearly during the warm-up, then down linearly to 0."""
        rising = max(1, round(self.settings.warm_up * self.n_updates))
        left = (self.n_updates - number) / (self.n_updates - rising + 1)
        return self.settings.learning_rate * min((number + 1) / rising, left)

    def state(self, *, with_optimizer: bool) -> dict[str, torch.Tensor]:
        """Return a copy of the weights, and of what the next update needs."""
        found = {
            f"{part}.{name}": tensor
            for part, module in self.head.modules.items()
            for name, tensor in module.state_dict().items()
        }
        if with_optimizer:
            found |= self.optimizer.state(self.weights)
        return {name: tensor.detach().cpu().clone() for name, tensor in found.items()}

    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        """Restore a state returned by `state`."""
        for part, module in self.head.modules.items():
            module.load_state_dict(under(state, part))
        if self.words:
            self.words.read_back()
        self.optimizer.load(self.weights, state)


def weights_of(state: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the model's weights in a checkpoint's state, as `LoadedModel.with_weights` wants."""
    return under(state, "model")
