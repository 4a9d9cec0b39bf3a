"""Accuracy of fresh models on all questions of a run and on those it keeps."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import TwinItem
from filtering.core.probes import Leak, ProbeKind, probe
from filtering.core.report import FORMAT, plain
from filtering.models import FilterRun
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt

Figures = dict[str, Any]
Bools = NDArray[np.bool_]
# One seed for all runs, so that the folds of two runs over an encoding are the same.
SEED = 0
NAMES = {"linear": "linear model", "nonlinear": "non-linear model"}


def probed(
    kind: ProbeKind,
    run: FilterRun,
    questions: Sequence[TwinItem],
    among: Bools | None,
    *,
    seed: int,
    attempt: Attempt[Any],
) -> Figures:
    """Cross-validate a fresh model; return accuracy and leak for each estimate of `probe`."""
    assert run.encoding.matrix is not None
    found = probe(
        kind,
        store.load_array(run.encoding.matrix),
        np.array([question.answer == 1 for question in questions]),
        ids=[question.id for question in questions],
        twins=[question.group for question in questions],
        seed=seed,
        among=among,
        progress=lambda done, n: attempt.pulse(f"fresh {NAMES[kind]}: {done} of {n}"),
    )
    ways = ("grouped", "individual", "paired", "unpaired")
    return {
        way: {"accuracy": accuracy, "leak": Leak.of(accuracy)}
        for way, accuracy in ((way, getattr(found, way)) for way in ways)
    }


def fresh_models(
    attempt: Attempt[FilterRun], questions: Sequence[TwinItem], kept: set[str]
) -> Figures:
    """Measure fresh linear models on all questions and on those kept."""
    run = attempt.run
    among = np.array([question.id in kept for question in questions])

    def measured(rows: Bools | None) -> Figures:
        found = probed("linear", run, questions, rows, seed=SEED, attempt=attempt)
        return cast(Figures, plain(found))

    whole = _known_whole(run) or measured(None)
    return {"format": FORMAT, "all": whole, "kept": whole if among.all() else measured(among)}


def _known_whole(run: FilterRun) -> Figures | None:
    """Reuse the figures for all questions of another run over the same encoding."""
    others = FilterRun.objects.filter(encoding=run.encoding_id, fresh_models__format=FORMAT)
    found: Figures | None = others.values_list("fresh_models__all", flat=True).first()
    return found
