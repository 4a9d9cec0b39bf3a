"""Prepares the method of an evaluation: its model, its features and what else it reads."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from evaluation.loading import code_version
from evaluation.methods import METHODS, Job, Scorer
from evaluation.models import Evaluation
from evaluation.runner.inputs import features_of, inputs, load_model
from evaluation.runner.questions import Questions
from filtering.models import Encoding
from winoplatform.runs.attempts import Attempt


def scorer_of(attempt: Attempt[Evaluation], questions: Questions) -> Scorer:
    """Prepare the method; record what determines the scores, or refuse what differs from it."""
    run, method = attempt.run, METHODS[attempt.run.method]
    attempt.note_same(data_sha256=questions.data_sha256, code_version=code_version())
    model = None if method.use is None else load_model(attempt, method.use)
    return method.begin(
        Job(
            items=questions.unanswered,
            variant=run.variant,
            seed=run.seed,
            model=model,
            learned_from=_learned_from(run, questions) if method.is_supervised else (),
            features=partial(_features, run.encoding, questions) if run.encoding else None,
            **inputs(attempt, method, questions),
        )
    )


def _learned_from(run: Evaluation, questions: Questions) -> Sequence[Item]:
    """Return the training split; where a set has none, its own questions, as in the literature."""
    train = questions.labelled.train
    if run.release is None:
        train = train or questions.labelled.items
    if not train:
        raise ValueError("There are no questions in train to learn from.")
    return train


def _features(
    encoding: Encoding, questions: Questions, items: Sequence[Item]
) -> NDArray[np.float32]:
    """Return features of published questions: the encoding's, in the published option order."""
    return features_of(encoding, [questions.labelled.origins[item.id] for item in items])
