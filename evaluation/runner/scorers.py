"""Prepares the method of an evaluation: its model, its features and what else it reads."""

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from evaluation import loading
from evaluation.loading import code_version
from evaluation.methods import METHODS, Job, Method, Scorer
from evaluation.models import Evaluation
from evaluation.runner.features import features_of
from evaluation.runner.heads import head_check
from evaluation.runner.inputs import inputs
from evaluation.runner.questions import Questions
from filtering.models import Encoding
from modeling.loaded import LoadedModel
from modeling.specs import ModelSpec, revision
from winoplatform.runs.attempts import Attempt


def scorer_of(attempt: Attempt[Evaluation], questions: Questions) -> Scorer:
    """Prepare the method; record what determines the scores, or refuse what differs from it."""
    run, method = attempt.run, METHODS[attempt.run.method]
    attempt.note_same(data_sha256=questions.data_sha256, code_version=code_version())
    model = _model(attempt, method)
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


def _model(attempt: Attempt[Evaluation], method: Method) -> LoadedModel | None:
    if method.use is None:
        return None
    attempt.pulse("loading the model")
    model = loading.load(attempt.run, method.use)
    attempt.note_same(
        weights_sha256=model.weights_sha256,
        config_sha256=model.config_sha256,
        revision=revision(ModelSpec.parse(attempt.run.model)),
    )
    if method.use in ("masked", "causal") and attempt.run.head_check is None:
        attempt.pulse("checking the model’s head on plain text")
        attempt.note(head_check=_head_check(attempt.run, model))
    return model


def _head_check(run: Evaluation, model: LoadedModel) -> dict[str, Any]:
    """Return whether the scores of the model's head mean anything, in numbers and in words.

    It is the same for all evaluations of the same weights by the same program.
    """
    same = ("method", "dtype", "weights_sha256", "config_sha256", "code_version")
    known = Evaluation.objects.filter(**{name: getattr(run, name) for name in same})
    if earlier := known.exclude(head_check=None).first():
        return cast(dict[str, Any], earlier.head_check)
    return head_check(model)


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
