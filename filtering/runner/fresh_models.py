"""Accuracy of fresh models on all questions of a run and on those it keeps."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import TwinItem
from filtering.core.one_half import Direction
from filtering.core.probes import SEED, ProbeKind, probe
from filtering.core.report import FORMAT, plain
from filtering.models import FilterRun
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt

Figures = dict[str, Any]
Bools = NDArray[np.bool_]
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
    """Cross-validate a fresh model; return accuracy and leak for each comparison of `probe`."""
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
    figures: Figures = {
        way: {
            "accuracy": one.accuracy,
            "leak": {"direction": one.direction, "detectable": one.detectable},
        }
        for way in ("grouped", "paired", "unpaired")
        for one in (getattr(found, way),)
    }
    return figures | {"individual": {"accuracy": found.individual}}


@dataclass(frozen=True)
class FreshFigures:
    """Fresh linear models on all questions of a run, and on those that it keeps.

    The models on all questions decide whether AFLite removes any, so that this decision and the
    figure are one.
    """

    attempt: Attempt[FilterRun]
    questions: Sequence[TwinItem]

    @cached_property
    def whole(self) -> Figures:
        """The figures for all questions, of another run over the same encoding if it has any."""
        run = self.attempt.run
        others = FilterRun.objects.filter(encoding=run.encoding_id, fresh_models__format=FORMAT)
        known: Figures | None = others.values_list("fresh_models__all", flat=True).first()
        return known or self._measured(None)

    def side(self) -> Direction | None:
        """Return the side of one half that models on all questions are on."""
        return cast(Direction | None, self.whole["grouped"]["leak"]["direction"])

    def before_and_after(self, kept: set[str]) -> Figures:
        among = np.array([question.id in kept for question in self.questions])
        after = self.whole if among.all() else self._measured(among)
        return {"format": FORMAT, "all": self.whole, "kept": after}

    def _measured(self, among: Bools | None) -> Figures:
        found = probed(
            "linear", self.attempt.run, self.questions, among, seed=SEED, attempt=self.attempt
        )
        return cast(Figures, plain(found))
