"""The members' training sets as row weights: find those with one label, balance labels."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from filtering.core.engines.thread_pool import ThreadPool

# The least weight of a row in a training set: of the frequent label, where the other is rare.
LEAST_WEIGHT = 0.5


def of_one_class(labels: list[Tensor], parts: list[Tensor], each: ThreadPool) -> NDArray[np.int64]:
    """Empty the training sets of one class; return 1 or -1 for these, 0 for others: (n,).

    ``labels`` are float32 (B, 1) of each block; ``parts`` (B, n), 1 for a member's rows, else 0.
    """
    positive, negative = _counts(labels, parts, each)
    classes = torch.eq(negative, 0).int() - torch.eq(positive, 0).int()
    if classes.any():
        for part in parts:
            part[:, classes != 0] = 0
    return classes.cpu().numpy().astype(np.int64)


def weigh_alike(labels: list[Tensor], parts: list[Tensor], each: ThreadPool) -> None:
    """Weigh the rows of each training set, in place, so that each label has half of its weight.

    Source: scikit-learn's ``class_weight="balanced"``: size of the training set / (2 x rows
    of the label).
    """
    positive, negative = _counts(labels, parts, each)
    halves = (positive + negative) / 2
    heavy, light = (halves / count.clamp(min=1) for count in (positive, negative))

    def weigh(i: int) -> None:
        parts[i].mul_(torch.where(labels[i] > 0, heavy, light))

    list(each(weigh, range(len(parts))))


def _counts(labels: list[Tensor], parts: list[Tensor], each: ThreadPool) -> tuple[Tensor, Tensor]:
    """Count the positive and the negative rows of each training set, (n,) each, exactly."""

    def count(i: int) -> Tensor:
        return torch.cat([labels[i].T @ parts[i], parts[i].sum(0)[None]])

    positive, size = torch.stack(list(each(count, range(len(parts))))).sum(0)
    return positive, size - positive
