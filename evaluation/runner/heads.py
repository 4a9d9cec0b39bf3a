"""Loads the model under test, and records what it is and whether its head is any good."""

from dataclasses import asdict
from typing import Any, cast

from evaluation import loading
from evaluation.models import Evaluation
from modeling.identity import stored_dtype
from modeling.loaded import LoadedModel, Use
from modeling.scoring import head_quality
from modeling.specs import ModelSpec, revision
from winoplatform.runs.attempts import Attempt


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
    known = Evaluation.objects.filter(**{name: getattr(run, name) for name in same})
    earlier = known.exclude(head_check=None).first()
    return cast(dict[str, Any], earlier.head_check) if earlier else None


def head_check(model: LoadedModel) -> dict[str, Any]:
    """Return whether the scores of the model's head mean anything, in numbers and in words.

    Beside it: what the model reads before each text, and the number format of its stored weights.
    """
    found = head_quality(model)
    return asdict(found) | {
        "at_chance": found.at_chance,
        "verdict": found.verdict,
        "weights": stored_dtype(model.spec.folder()),
    }
