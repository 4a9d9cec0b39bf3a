"""Fine-tune an encoder on multiple-choice questions, epoch by epoch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from modeling.batches import Text, Tokens
from modeling.encoders import Encoder

if TYPE_CHECKING:
    import torch

Progress = Callable[[int, int], None]
WARM_UP = 0.1  # of all batches
WEIGHT_DECAY = 0.01  # for matrices only, not biases and norms
LARGEST_GRADIENT = 1.0
VALIDATED_AT_ONCE = 64  # questions


@dataclass(frozen=True, slots=True)
class TuneSettings:
    """Settings of fine-tuning.

    Parameters
    ----------
    epochs : int
        Passes over the training part, at least 1.
    batch_size : int
        Questions in a batch, at least 1.
    learning_rate : float
        The maximum, reached after a tenth of all batches.
    seed : int, at least 0
    """

    epochs: int
    batch_size: int
    learning_rate: float
    seed: int


@dataclass(frozen=True, slots=True)
class Choices:
    """Questions with options and answers.

    Parameters
    ----------
    options : sequence of sequence of str, or of pairs of str
        For each question at least two texts, one per option.
    answers : sequence of int
        The position of the right option of each question, from 0.
    """

    options: Sequence[Sequence[Text]]
    answers: Sequence[int]


@dataclass(frozen=True, slots=True)
class Examples:
    """Tokenized questions."""

    options: list[list[Tokens]]
    answers: torch.Tensor  # int64 (n,)


@dataclass(frozen=True, slots=True)
class Epoch:
    """The result of one epoch.

    Parameters
    ----------
    number : int
        From 1.
    loss : float
        Mean cross-entropy over the training part, each batch before its update.
    accuracy : float
        Share of the validation part in which the right option has the highest score; ties are
        wrong.
    state : dict of str to tensor
        ``encoder.…`` and ``scorer.…`` (weights) and, unless it is the last epoch,
        ``optimizer.…``: the starting point of the next epoch.
    """

    number: int
    loss: float
    accuracy: float
    state: dict[str, torch.Tensor]


class Tuner:
    """An encoder with a scorer, and the optimizer of both."""

    def __init__(self, encoder: Encoder, settings: TuneSettings, *, n_train: int) -> None:
        import torch

        self.encoder, self.settings = encoder, settings
        self.n_batches = math.ceil(n_train / settings.batch_size)
        with _seeded(settings.seed, 0):
            self.scorer = torch.nn.Linear(encoder.dimension, 1, bias=False)
            torch.nn.init.normal_(self.scorer.weight, std=0.02)
        self.scorer.to(encoder.device)
        self.modules = {"encoder": encoder.model, "scorer": self.scorer}
        self.weights = {
            f"{part}.{name}": weight
            for part, module in self.modules.items()
            for name, weight in module.named_parameters()
        }
        matrices = [weight for weight in self.weights.values() if weight.dim() > 1]
        vectors = [weight for weight in self.weights.values() if weight.dim() <= 1]
        self.optimizer = torch.optim.AdamW(
            [
                {"params": matrices, "weight_decay": WEIGHT_DECAY},
                {"params": vectors, "weight_decay": 0.0},
            ]
        )

    def examples(self, choices: Choices) -> Examples:
        import torch

        rows = iter(self.encoder.tokens([text for texts in choices.options for text in texts]))
        return Examples(
            options=[[next(rows) for _ in texts] for texts in choices.options],
            answers=torch.tensor(choices.answers),
        )

    def one_pass(self, train: Examples, epoch: int, progress: Progress | None) -> float:
        """Train once on every question; return the mean loss."""
        order = np.random.default_rng([self.settings.seed, epoch]).permutation(len(train.answers))
        batches = _cut(order, self.settings.batch_size)
        total = 0.0
        with _seeded(self.settings.seed, epoch):
            for number, batch in enumerate(batches):
                self.set_rate(batch_number=(epoch - 1) * self.n_batches + number)
                total += self._step(train, batch) * len(batch)
                if progress is not None:
                    progress(number + 1, len(batches))
        return total / len(order)

    def set_rate(self, *, batch_number: int) -> None:
        total = self.settings.epochs * self.n_batches
        rising = max(1, round(WARM_UP * total))
        share = min((batch_number + 1) / rising, (total - batch_number) / (total - rising + 1))
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * share

    def _step(self, train: Examples, batch: NDArray[np.int64]) -> float:
        import torch

        self.encoder.model.train()
        try:
            scores = self._scores([train.options[i] for i in batch])  # (n_batch, k)
        finally:
            self.encoder.model.eval()
        answers = train.answers[batch].to(scores.device)
        loss = torch.nn.functional.cross_entropy(scores, answers)
        if not torch.isfinite(loss):
            raise ValueError("The training loss is not finite; use a smaller learning_rate.")
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.weights.values(), LARGEST_GRADIENT)
        self.optimizer.step()
        return loss.item()

    def _scores(self, questions: list[list[Tokens]]) -> torch.Tensor:
        """Return (n_batch, k) scores, padded with -inf for questions with fewer options."""
        import torch

        rows = [row for options in questions for row in options]
        scores: torch.Tensor = self.scorer(self.encoder.pooled(rows)).squeeze(1)  # (n_rows,)
        by_question = torch.split(scores, [len(options) for options in questions])
        return torch.nn.utils.rnn.pad_sequence(
            list(by_question), batch_first=True, padding_value=-torch.inf
        )

    def accuracy(self, validation: Examples) -> float:
        """Return the share of questions whose right option scores higher than all others."""
        import torch

        right = 0
        for batch in _cut(np.arange(len(validation.answers)), VALIDATED_AT_ONCE):
            with torch.inference_mode():
                scores = self._scores([validation.options[i] for i in batch]).cpu()  # (n_batch, k)
            answers = validation.answers[batch].unsqueeze(1)
            others = scores.scatter(1, answers, -torch.inf).amax(dim=1)
            right += int((scores.gather(1, answers).squeeze(1) > others).sum())
        return right / len(validation.answers)

    def state(self, *, with_optimizer: bool) -> dict[str, torch.Tensor]:
        """Return a copy of everything from which the next epoch starts."""
        found = {
            f"{part}.{name}": tensor
            for part, module in self.modules.items()
            for name, tensor in module.state_dict().items()
        }
        if with_optimizer:
            for name, weight in self.weights.items():
                for moment, tensor in self.optimizer.state[weight].items():
                    found[f"optimizer.{name}.{moment}"] = tensor
        return {name: tensor.detach().cpu().clone() for name, tensor in found.items()}

    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        """Restore a state returned by `state`."""
        for part, module in self.modules.items():
            module.load_state_dict(under(state, part))
        for name, weight in self.weights.items():
            moments = under(state, f"optimizer.{name}")
            if moments:  # a weight without gradients has none
                self.optimizer.state[weight] = {
                    moment: tensor.clone() if moment == "step" else tensor.to(weight.device)
                    for moment, tensor in moments.items()
                }


def tune(
    encoder: Encoder,
    train: Choices,
    validation: Choices,
    settings: TuneSettings,
    *,
    done: int = 0,
    state: Mapping[str, torch.Tensor] | None = None,
    progress: Progress | None = None,
) -> Iterator[Epoch]:
    """Fine-tune an encoder in place, one epoch at a time.

    Each option's text is encoded and pooled, a linear layer scores it, and the softmax over a
    question's scores is trained by cross-entropy with AdamW. Gradients are clipped to norm 1; the
    learning rate rises linearly over the first tenth of all batches and falls linearly to 0. The
    order and dropout of an epoch come from (seed, epoch).

    Parameters
    ----------
    encoder : Encoder
        In float32; its weights are changed.
    train, validation : Choices
    settings : TuneSettings
    done : int
        Number of epochs already done.
    state : mapping, optional
        The ``state`` of epoch *done*. An uninterrupted and a resumed run give the same bits on the
        same kind of CPU with the same number of torch threads; on CUDA, where the order of some
        sums varies, they differ by rounding.
    progress : callable (done, total), optional
        Called after each batch of an epoch; may raise to stop.

    Yields
    ------
    Epoch

    Raises
    ------
    ValueError
        When the encoder is not in float32, or the loss is not finite.

    Notes
    -----
    *Source*: WinoGrande §3 (RoBERTa_embed), which gives no settings; the learning rates, batch
    sizes and epochs offered are those of its §4. Difference: the scorer is applied directly to
    the encoder's pooled row, without a layer in between, so that it is linear in AFLite's rows.
    """
    if encoder.dtype != "float32":
        raise ValueError(f"encoder must compute in float32 to be fine-tuned, got {encoder.dtype!r}")
    work = Tuner(encoder, settings, n_train=len(train.answers))
    if state is not None:
        work.load(state)
    learned, held_out = work.examples(train), work.examples(validation)
    for number in range(done + 1, settings.epochs + 1):
        loss = work.one_pass(learned, number, progress)
        yield Epoch(
            number=number,
            loss=loss,
            accuracy=work.accuracy(held_out),
            state=work.state(with_optimizer=number < settings.epochs),
        )


def _cut(order: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [order[start : start + size] for start in range(0, len(order), size)]


def under(state: Mapping[str, torch.Tensor], part: str) -> dict[str, torch.Tensor]:
    """Return the tensors of one part of an epoch's state, without the part's prefix."""
    start = f"{part}."
    return {name[len(start) :]: tensor for name, tensor in state.items() if name.startswith(start)}


@contextmanager
def _seeded(seed: int, epoch: int) -> Iterator[None]:
    """Draw (dropout, initial weights) from (seed, epoch), and restore torch's state afterwards."""
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(int(np.random.SeedSequence([seed, epoch]).generate_state(1)[0]))
        yield
