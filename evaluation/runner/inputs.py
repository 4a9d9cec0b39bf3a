"""What some methods read: a corpus, features, a server, a file, or a model and its head."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, cast

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from corpora.selectors import Origin
from evaluation import loading
from evaluation.methods.fine_tuned import scores
from evaluation.methods.protocol import Floats
from evaluation.models import Evaluation
from evaluation.runner.questions import Questions
from evaluation.selectors import loaded_by, n_learned
from filtering.models import Encoding
from filtering.selectors import encoded_questions
from modeling.identity import stored_dtype
from modeling.loaded import Dtype, LoadedModel, Use
from modeling.scoring import head_quality
from modeling.specs import ModelSpec, revision
from training.runner import load_trained
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt


def features_of(encoding: Encoding, origins: Sequence[Origin]) -> NDArray[np.float32]:
    """Return the features (n, d) of questions, in the order of their options.

    With swapped options, a difference of vectors has the other sign, and two vectors in a row
    change places.
    """
    assert encoding.matrix is not None
    matrix = cast(NDArray[np.float32], store.load_array(encoding.matrix))
    place = {question.id: row for row, question in enumerate(encoded_questions(encoding))}
    features = matrix[[place[origin.id] for origin in origins]]  # (n, d)
    swapped = np.array([origin.swapped for origin in origins], dtype=bool)
    if encoding.features == Encoding.Features.DIFFERENCE:
        features[swapped] *= -1
    else:
        features[swapped] = np.roll(features[swapped], features.shape[1] // 2, axis=1)
    return features


def load_model(attempt: Attempt[Evaluation], use: Use) -> LoadedModel:
    """Load the model; record its identity, or refuse one that differs from the recorded."""
    attempt.pulse("loading the model")
    model = loading.load(attempt.run, use)
    attempt.note_same(
        weights_sha256=model.weights_sha256,
        config_sha256=model.config_sha256,
        revision=revision(ModelSpec.parse(attempt.run.model)),
    )
    if use in ("masked", "causal") and attempt.run.head_check is None:
        attempt.pulse("checking the model’s head on plain text")
        attempt.note(head_check=_known_check(attempt.run) or head_check(model))
    return model


def _known_check(run: Evaluation) -> dict[str, Any] | None:
    """Return what an earlier evaluation found of the same weights by the same program."""
    same = ("method", "dtype", "weights_sha256", "config_sha256", "code_version")
    same_evaluations = Evaluation.objects.filter(**{name: getattr(run, name) for name in same})
    earlier = same_evaluations.exclude(head_check=None).first()
    return cast(dict[str, Any], earlier.head_check) if earlier else None


def head_check(model: LoadedModel) -> dict[str, Any]:
    """Return whether the scores of the model's head mean anything, in numbers and in words.

    Beside it: what the model reads before each text, and the number format of its stored weights.
    """
    check = head_quality(model)
    return asdict(check) | {
        "at_chance": check.at_chance,
        "verdict": check.verdict,
        "weights": stored_dtype(model.spec.folder()),
    }


Given = dict[str, Any]


def _corpus(attempt: Attempt[Evaluation], questions: Questions) -> Given:
    attempt.pulse("reading the corpus")
    texts = loading.corpus(attempt.run.campaign)
    attempt.note_same(corpus_sha256=loading.corpus_sha256(texts))
    return {"corpus": texts}


def _fine_tuning(attempt: Attempt[Evaluation], questions: Questions) -> Given:
    model = attempt.run.fine_tuning
    assert model is not None
    attempt.pulse("loading the fine-tuned model")
    loaded = load_trained(**loaded_by(model), dtype=cast(Dtype, attempt.run.dtype))
    attempt.note_same(
        weights_sha256=loaded.weights_sha256,
        config_sha256=loaded.config_sha256,
        revision=model.revision,
    )
    attempt.note(n_learned=n_learned(questions.labelled.items, model))
    return {"fine_tuned": partial(scores, loaded, model.form, model.loss)}


def _server(attempt: Attempt[Evaluation], questions: Questions) -> Given:
    server = loading.server(attempt.run.model)
    attempt.note_same(
        config_sha256=loading.server_sha256(), revision=settings.REMOTE_MODEL_REVISION
    )
    return {"server": server}


def _members(attempt: Attempt[Evaluation], questions: Questions) -> Given:
    sizes = {item.id: len(item.options) for item in questions.items}
    members = []
    for member in attempt.run.members.order_by("pk"):
        if member.data_sha256 != attempt.run.data_sha256:
            raise ValueError(f"The member {member} has scored other questions.")
        members.append(_scores(member, sizes))
    return {"members": members}


def _scores(member: Evaluation, sizes: Mapping[str, int]) -> dict[str, Floats]:
    """Return an evaluation's scores by item; without an answer, all options are equal."""
    assert member.predictions is not None
    with store.open_artifact(member.predictions) as lines:
        rows = [json.loads(line) for line in lines]
    return {
        row["qID"]: np.zeros(sizes[row["qID"]]) if row["scores"] is None
        else np.array(row["scores"], dtype=np.float64)
        for row in rows
    }  # fmt: skip


def _predictions(attempt: Attempt[Evaluation], questions: Questions) -> Given:
    return {"predictions": loading.uploaded(attempt.run, questions.unanswered)}


READ: dict[str, Callable[[Attempt[Evaluation], Questions], Given]] = {
    "corpus": _corpus,
    "fine_tuning": _fine_tuning,
    "server": _server,
    "members": _members,
    "predictions": _predictions,
}
"""The parts of a job that a method reads besides the items, by what it reads."""
