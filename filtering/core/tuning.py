"""Fine-tuning an encoder as multiple choice, epoch by epoch (WinoGrande §3).

The paper fine-tunes RoBERTa on 6,000 of its 53,000 questions, 5,000 to train on and 1,000 to
validate, and leaves these out of the data set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpora.core.items import TwinItem
from filtering.core.encoder_rows import Encoder
from filtering.core.splits import split_twins
from filtering.core.tuner import Progress, Tuner, TuneSettings, under

if TYPE_CHECKING:
    import torch

__all__ = ["Chosen", "Epoch", "TuneSettings", "choose", "sizes", "tune", "under"]

# Of the paper's 53,000 questions, and the fewest that teach or tell anything.
IN_ALL, TRAIN, VALIDATION = 53_000, 5_000, 1_000
FEWEST_TRAIN, FEWEST_VALIDATION = 32, 16


def sizes(
    n_questions: int, *, n_train: int | None = None, n_validation: int | None = None
) -> tuple[int, int]:
    """Say how many questions fine-tune the encoder.

    Parameters
    ----------
    n_questions : int
        In the whole set.
    n_train, n_validation : int, optional
        Default: 5,000 and 1,000 of 53,000 in proportion, no more than these, and no fewer than
        32 and 16.

    Returns
    -------
    n_train, n_validation : int

    Raises
    ------
    ValueError
        When both together are more than half of the set, which they would take away.

    Examples
    --------
    >>> sizes(47_000), sizes(12_083), sizes(200)
    ((4434, 887), (1140, 228), (32, 16))
    """
    share = min(1.0, n_questions / IN_ALL)
    train = n_train or max(FEWEST_TRAIN, round(TRAIN * share))
    validation = n_validation or max(FEWEST_VALIDATION, round(VALIDATION * share))
    if train + validation > n_questions / 2:
        raise ValueError(
            f"Fine-tuning on {train:,} and validating on {validation:,} questions would use up "
            f"more than half of {n_questions:,}; take fewer, or encode without fine-tuning."
        )
    return train, validation


@dataclass(frozen=True, slots=True)
class Chosen:
    """The questions that fine-tune an encoder, in the order of the set."""

    train: tuple[TwinItem, ...]
    validation: tuple[TwinItem, ...]


def choose(questions: Sequence[TwinItem], *, n_train: int, n_validation: int, seed: int) -> Chosen:
    """Choose questions at random, whole twins at a time.

    *questions* are those of the training split: what an encoder has learned must not be blind.

    The random order is keyed by (seed, twin), as that of `split_twins`: the order of *questions*
    plays no part. A pair that would overfill a part is passed over there, so a part is smaller
    than asked for, by one, only where no lone question is left to fill it.

    Raises
    ------
    ValueError
        When a part would be empty, or *questions* are too few for both.
    """
    n = len(questions)
    if n_train + n_validation >= n:
        raise ValueError(
            f"Fine-tuning wants more than {n_train + n_validation:,} questions of the training "
            f"split, and there are {n:,}; take fewer, or encode without fine-tuning."
        )
    parts = split_twins(
        [question.group for question in questions],
        dev=n_validation / n,
        test=n_train / n,
        seed=seed,
    )
    found = Chosen(
        train=tuple(q for q, part in zip(questions, parts, strict=True) if part == "test"),
        validation=tuple(q for q, part in zip(questions, parts, strict=True) if part == "dev"),
    )
    if not found.train or not found.validation:
        raise ValueError(
            f"n_train and n_validation must hold a twin, got {n_train}, {n_validation}"
        )
    return found


@dataclass(frozen=True, slots=True)
class Epoch:
    """What one pass came to.

    Parameters
    ----------
    number : int
        From 1.
    loss : float
        Mean cross-entropy over the training part, each batch before its own update.
    accuracy : float
        Share of the validation part whose right option scores higher; an equal score is wrong.
    state : dict of str to tensor
        ``encoder.…`` and ``scorer.…`` (weights) and, unless it is the last epoch,
        ``optimizer.…``: all that the next epoch starts from.
    """

    number: int
    loss: float
    accuracy: float
    state: dict[str, torch.Tensor]


def tune(
    encoder: Encoder,
    chosen: Chosen,
    settings: TuneSettings,
    *,
    done: int = 0,
    state: Mapping[str, torch.Tensor] | None = None,
    progress: Progress | None = None,
) -> Iterator[Epoch]:
    """Fine-tune an encoder in place, a pass at a time.

    Each sentence filled with either option is encoded and pooled, a linear layer scores it, and a
    softmax over the two scores is trained on the answer by cross-entropy: AdamW, gradients
    clipped to norm 1, the rate rising linearly over the first tenth of all batches and falling
    linearly to 0. An epoch's order and dropout come from (seed, epoch).

    Parameters
    ----------
    encoder : Encoder
        In float32; its weights change.
    chosen : Chosen
    settings : TuneSettings
    done : int
        Epochs already done; the first one yielded is the next.
    state : mapping, optional
        The ``state`` of epoch *done*. An unbroken run and a resumed one give the same bits on
        the same kind of processor with as many of torch's threads; on CUDA, where some sums have
        no order, all but the same.
    progress : callable (done, total), optional
        Told after each batch of an epoch; what it raises ends the work.

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
    sizes and epochs to choose from are those of its §4. Departures: the scorer stands on the
    encoder's pooled row itself, without a layer between, so that AFLite's rows are what the
    scorer is linear in.
    """
    if encoder.dtype != "float32":
        raise ValueError(f"encoder must compute in float32 to be fine-tuned, got {encoder.dtype!r}")
    work = Tuner(encoder, settings, n_train=len(chosen.train))
    if state is not None:
        work.load(state)
    train, validation = work.examples(chosen.train), work.examples(chosen.validation)
    for number in range(done + 1, settings.epochs + 1):
        loss = work.one_pass(train, number, progress)
        yield Epoch(
            number=number,
            loss=loss,
            accuracy=work.accuracy(validation),
            state=work.state(with_optimizer=number < settings.epochs),
        )
