"""Methods without a model under test: they show what the answers alone are worth.

A score is 1 for the option that a baseline answers and 0 for the others.
"""

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

from corpora.core.items import Item
from evaluation.methods.protocol import Block, Floats, Job, Method, Progress, Scorer, register

LINEAR = "linear"


def _majority(job: Job) -> Scorer:
    from evaluation.core.baselines import majority_predict

    answers = _answers(job.learned_from)
    return lambda block, _: _one_hot(block.items, majority_predict(answers, _sizes(block.items)))


def _random(job: Job) -> Scorer:
    return partial(_at_random, job.seed)


def _at_random(seed: int, block: Block, progress: Progress) -> list[Floats]:
    rng = np.random.default_rng([seed, block.number])
    return _one_hot(block.items, rng.integers(1, _sizes(block.items), endpoint=True))


def _linear(job: Job) -> Scorer:
    from evaluation.core.baselines import linear_predict

    assert job.features is not None
    x_train, x = job.features(job.learned_from), job.features(job.items)
    # Of all items at once: the classifier is fitted once per worker.
    predicted = linear_predict(x_train, _answers(job.learned_from), x)
    by_id = {item.id: int(answer) for item, answer in zip(job.items, predicted, strict=True)}
    return lambda block, _: _one_hot(block.items, [by_id[item.id] for item in block.items])


def _answers(items: Sequence[Item]) -> NDArray[np.int64]:
    return np.array([item.answer for item in items], dtype=np.int64)


def _sizes(items: Sequence[Item]) -> list[int]:
    return [len(item.options) for item in items]


def _one_hot(items: Sequence[Item], answers: Iterable[int]) -> list[Floats]:
    """Return 1 for each item's answer, from 1 to k, and 0 for its other options."""
    return [
        (np.arange(1, len(item.options) + 1) == answer).astype(np.float64)
        for item, answer in zip(items, answers, strict=True)
    ]


register(
    Method(name="majority", title=_("most frequent answer"), begin=_majority, is_supervised=True)
)
register(Method(name="random", title=_("random answers"), begin=_random))
register(
    Method(name=LINEAR, title=_("linear model on the encoding"), begin=_linear, is_supervised=True)
)
