"""The questions used to fine-tune an encoder (WinoGrande §3).

The paper fine-tunes RoBERTa on 6,000 of its 53,000 questions, 5,000 to train on and 1,000 to
validate, and leaves these out of the data set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.core.items import TwinItem
from corpora.core.splits import split_twins
from modeling.finetuning import Questions

# Numbers of the paper, and the fewest questions that are useful to train on and to validate on.
IN_ALL, TRAIN, VALIDATION = 53_000, 5_000, 1_000
FEWEST_TRAIN, FEWEST_VALIDATION = 32, 16


def sizes(
    n_questions: int, *, n_train: int | None = None, n_validation: int | None = None
) -> tuple[int, int]:
    """Return the numbers of questions to train on and to validate on.

    Parameters
    ----------
    n_questions : int
        Size of the whole set.
    n_train, n_validation : int, optional
        Default: 5,000 and 1,000 of 53,000 in proportion, no more than these, and no fewer than
        32 and 16.

    Returns
    -------
    n_train, n_validation : int

    Raises
    ------
    ValueError
        When both together are more than half of the set, from which they would be removed.

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
class TuningSample:
    """The questions that fine-tune an encoder, in the order of the set."""

    train: tuple[TwinItem, ...]
    validation: tuple[TwinItem, ...]


def choose(
    questions: Sequence[TwinItem], *, n_train: int, n_validation: int, seed: int
) -> TuningSample:
    """Choose questions at random, whole twins at a time.

    *questions* are those of the training split: an encoder must not be trained on the blind test.

    The random order is keyed by (seed, twin) as in `split_twins`: the order of *questions* does not
    matter. A pair that would overfill a part is skipped there, so a part is one question short of
    its size only if no unpaired question is left to fill it.

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
    tuning_sample = TuningSample(
        train=tuple(q for q, part in zip(questions, parts, strict=True) if part == "test"),
        validation=tuple(q for q, part in zip(questions, parts, strict=True) if part == "dev"),
    )
    if not tuning_sample.train or not tuning_sample.validation:
        raise ValueError(
            f"n_train and n_validation must hold a twin, got {n_train}, {n_validation}"
        )
    return tuning_sample


def choices(questions: Sequence[TwinItem]) -> Questions:
    """Return training examples for the encoder: the sentence filled with each option."""
    return Questions([q.filled for q in questions], [q.answer - 1 for q in questions])
