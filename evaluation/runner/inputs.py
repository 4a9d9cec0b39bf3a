"""What only some methods read: a corpus, a server, the members of an ensemble, or a file."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np
from django.conf import settings

from evaluation import loading
from evaluation.methods import Method
from evaluation.methods.fine_tuned import scores
from evaluation.methods.protocol import Floats
from evaluation.models import Evaluation
from evaluation.runner.questions import Questions
from evaluation.selectors import loaded_by, n_learned
from modeling.loaded import Dtype
from training.loading import load_trained
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt

Given = dict[str, Any]


def inputs(attempt: Attempt[Evaluation], method: Method, questions: Questions) -> Given:
    """Return the parts of a job that the method reads besides the items."""
    return {} if method.reads is None else _READ[method.reads](attempt, questions)


def _corpus(attempt: Attempt[Evaluation], questions: Questions) -> Given:
    attempt.pulse("reading the corpus")
    found = loading.corpus(attempt.run.campaign)
    attempt.note_same(corpus_sha256=loading.corpus_sha256(found))
    return {"corpus": found}


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
    found = loading.server(attempt.run.model)
    attempt.note_same(
        config_sha256=loading.server_sha256(), revision=settings.REMOTE_MODEL_REVISION
    )
    return {"server": found}


def _members(attempt: Attempt[Evaluation], questions: Questions) -> Given:
    sizes = {item.id: len(item.options) for item in questions.items}
    found = []
    for member in attempt.run.members.order_by("pk"):
        if member.data_sha256 != attempt.run.data_sha256:
            raise ValueError(f"The member {member} has scored other questions.")
        found.append(_scores(member, sizes))
    return {"members": found}


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


_READ: dict[str, Callable[[Attempt[Evaluation], Questions], Given]] = {
    "corpus": _corpus,
    "fine_tuning": _fine_tuning,
    "server": _server,
    "members": _members,
    "predictions": _predictions,
}
