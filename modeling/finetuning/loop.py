"""Fine-tune a model on questions, from checkpoint to checkpoint."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from modeling.finetuning.heads import head_of
from modeling.finetuning.order import batches
from modeling.finetuning.questions import Questions, accuracy, table_of
from modeling.finetuning.settings import FineTuneSettings, kept_epoch
from modeling.finetuning.updates import Batch, Updater, under
from modeling.loaded import LoadedModel

if TYPE_CHECKING:
    import torch

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A point from which training can continue.

    Parameters
    ----------
    number : int
        From 1, over all epochs.
    epoch, batch : int
        From 1: the epoch, and how many of its updates are done.
    is_epoch_end : bool
    loss : float
        Mean cross-entropy in nats of the questions of this epoch so far, each before its update.
    dev_accuracy : float, optional
        Share of the dev set in which the right option has the highest score; ties are wrong. None
        within an epoch, like the next two.
    dev_scores : float64 (n_dev, k), optional
        Padded with -inf for questions with fewer options.
    train_probabilities : float32 (n_train,), optional
        The probability of each training question's right option in this epoch, from the forward
        pass that its update was computed from: with dropout, and with the weights of that moment.
        (Swayamdipta et al., Dataset Cartography, EMNLP 2020, record the same.)
    state : dict of str to tensor
        ``model.…`` (see `weights_of`), other trained parts, ``trace.…`` and, unless training is
        over, ``optimizer.…`` and ``scaler.…``.
    """

    number: int
    epoch: int
    batch: int
    is_epoch_end: bool
    loss: float
    dev_accuracy: float | None
    dev_scores: NDArray[np.float64] | None
    train_probabilities: NDArray[np.float32] | None
    state: dict[str, torch.Tensor]


@dataclass(slots=True)
class Trace:
    """Where a training is, and what it has seen in its epoch."""

    probabilities: NDArray[np.float32]
    number: int = 0
    epoch: int = 1
    batch: int = 0
    loss: float = 0.0  # sum over the questions seen
    accuracies: list[float] = field(default_factory=list)  # of the epochs done

    def state(self) -> dict[str, torch.Tensor]:
        import torch

        return {
            "trace.place": torch.tensor([self.number, self.epoch, self.batch]),
            "trace.loss": torch.tensor([self.loss], dtype=torch.float64),
            "trace.accuracies": torch.tensor(self.accuracies, dtype=torch.float64),
            "trace.probabilities": torch.from_numpy(self.probabilities.copy()),
        }

    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        trace = under(state, "trace")
        self.number, self.epoch, self.batch = trace["place"].tolist()
        [self.loss] = trace["loss"].tolist()
        self.accuracies = trace["accuracies"].tolist()
        self.probabilities = trace["probabilities"].numpy().copy()

    def begin_epoch(self) -> None:
        self.epoch, self.batch, self.loss = self.epoch + 1, 0, 0.0
        self.probabilities = np.full_like(self.probabilities, np.nan)

    def is_over(self, settings: FineTuneSettings) -> bool:
        done = len(self.accuracies)
        if settings.patience is not None and done:
            return done - kept_epoch(self.accuracies) >= settings.patience or (
                done == settings.epochs
            )
        return done == settings.epochs


class Training:
    """A training at some point."""

    def __init__(
        self, model: LoadedModel, train: Questions, dev: Questions, settings: FineTuneSettings
    ) -> None:
        self.train, self.dev, self.settings = train, dev, settings
        _refuse_slow(model, settings)
        self.n_batches = math.ceil(len(train) / settings.questions_per_update)  # in an epoch
        self.head = head_of(model, loss=settings.loss, seed=settings.seed)
        self.rows = self.head.rows(train)
        self.updater = Updater(
            self.head,
            settings,
            n_updates=settings.epochs * self.n_batches,
            tokens=(id for options in self.rows for row in options for id in row.ids),
        )
        self.trace = Trace(np.full(len(train), np.nan, dtype=np.float32))

    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        self.updater.load(state)
        self.trace.load(state)

    def checkpoint(self, progress: Progress) -> Checkpoint:
        """Train up to the next checkpoint."""
        trace, every = self.trace, self.settings.checkpoint_every or self.n_batches
        if trace.batch == self.n_batches:
            trace.begin_epoch()
        self._train(min(trace.batch + every, self.n_batches), progress)
        trace.number += 1
        return self._epoch_end(progress) if trace.batch == self.n_batches else self._within()

    def _train(self, until: int, progress: Progress) -> None:
        trace, settings = self.trace, self.settings
        order = batches(
            [max(map(len, options)) for options in self.rows],
            size=settings.questions_per_update,
            seed=settings.seed,
            epoch=trace.epoch,
        )
        with self.updater.in_training():
            for batch in order[trace.batch : until]:
                self._update(batch)
                trace.batch += 1
                progress(trace.batch, self.n_batches)

    def _update(self, batch: NDArray[np.int64]) -> None:
        trace = self.trace
        losses = self.updater.update(
            Batch([self.rows[i] for i in batch], [self.train.answers[i] for i in batch]),
            number=(trace.epoch - 1) * self.n_batches + trace.batch,
            seed=(self.settings.seed, trace.epoch, trace.batch),
        )
        trace.loss += losses.loss
        trace.probabilities[batch] = losses.probabilities

    def _within(self) -> Checkpoint:
        seen = int(np.isfinite(self.trace.probabilities).sum())
        return self._checkpoint(self.trace.loss / seen, None, None)

    def _epoch_end(self, progress: Progress) -> Checkpoint:
        def alive(*_: int) -> None:
            progress(self.n_batches, self.n_batches)

        scores = table_of(self.head.scores_of(self.dev, progress=alive))
        self.trace.accuracies.append(accuracy(scores, self.dev.answers))
        return self._checkpoint(
            self.trace.loss / len(self.train), scores, self.trace.probabilities.copy()
        )

    def _checkpoint(
        self,
        loss: float,
        dev_scores: NDArray[np.float64] | None,
        train_probabilities: NDArray[np.float32] | None,
    ) -> Checkpoint:
        trace = self.trace
        goes_on = not trace.is_over(self.settings)
        return Checkpoint(
            number=trace.number,
            epoch=trace.epoch,
            batch=trace.batch,
            is_epoch_end=dev_scores is not None,
            loss=loss,
            dev_accuracy=None if dev_scores is None else trace.accuracies[-1],
            dev_scores=dev_scores,
            train_probabilities=train_probabilities,
            state=self.updater.state(with_optimizer=goes_on) | trace.state(),
        )


def _refuse_slow(model: LoadedModel, settings: FineTuneSettings) -> None:
    """Refuse a format in which a CPU computes far more slowly than in float32."""
    if settings.dtype != "float32" and model.device.type != "cuda":
        raise ValueError(f"dtype must be 'float32' without CUDA, got {settings.dtype!r}")


def fine_tune(
    model: LoadedModel,
    train: Questions,
    dev: Questions,
    settings: FineTuneSettings,
    *,
    state: Mapping[str, torch.Tensor] | None = None,
    progress: Progress | None = None,
) -> Iterator[Checkpoint]:
    """Fine-tune a model in place, one checkpoint at a time.

    Batches hold questions of similar length, drawn from (seed, epoch); dropout comes from (seed,
    epoch, batch). At the end of each epoch the dev set is scored.

    Parameters
    ----------
    model : LoadedModel
        In float32. For the loss ``multiple_choice`` loaded for ``choice`` (with a ``head_seed``, if
        it has no head), or an `Encoder`, whose pooled rows are scored by a new linear layer; for
        ``mc_mlm`` loaded for ``masked``. Its weights are changed.
    train, dev : Questions
    settings : FineTuneSettings
    state : mapping, optional
        The ``state`` of the last checkpoint of the same training. An uninterrupted and a resumed
        one give the same bits on the same kind of CPU with the same number of torch threads; on
        CUDA, where the order of some sums varies, they differ by rounding.
    progress : callable (done, total), optional
        Called after each update with those of the epoch, and during the scoring of the dev set;
        may raise to stop.

    Yields
    ------
    Checkpoint
        At each epoch's end, and within epochs as the settings say. A state from which training is
        over yields none.

    Raises
    ------
    ValueError
        When the model was loaded for another use or data type, the questions do not fit the loss, a
        text is too long for a head of multiple choice, or the loss is not finite.

    Notes
    -----
    *Source*: WinoGrande §3 (RoBERTa_embed) and §4.1; Back to Square One, appendices B and G.
    Difference for an `Encoder`: the scorer is applied directly to the pooled row, so that it is
    linear in AFLite's rows.
    """
    work = Training(model, train, dev, settings)
    if state is not None:
        work.load(state)
    while not work.trace.is_over(settings):
        yield work.checkpoint(progress or _silent)


def _silent(done: int, total: int) -> None:
    """Report to nobody."""
