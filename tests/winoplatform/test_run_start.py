"""A run is asked for only where what it needs is done or may still be."""

from collections.abc import Callable
from typing import Any

import pytest

from evaluation.services import evaluate
from filtering import services
from tests.factories import (
    EncodingFactory,
    FilterRunFactory,
    ReleaseFactory,
    SnapshotFactory,
    TuningFactory,
)
from tests.filtering.stages import release_of
from winoplatform.errors import DomainError
from winoplatform.runs.models import Run, RunStatus

METHOD = "majority"


KINDS: dict[str, tuple[Callable[..., Any], Callable[[Any], Run]]] = {
    "tuning": (SnapshotFactory, lambda run: services.tune(snapshot=run, by=None)),
    "encoding": (SnapshotFactory, lambda run: services.encode(snapshot=run, by=None)),
    "tuned encoding": (
        TuningFactory,
        lambda run: services.encode(snapshot=run.snapshot, tuning=run, by=None),
    ),
    "filter run": (EncodingFactory, lambda run: services.start_filter_run(encoding=run, by=None)),
    "control": (
        FilterRunFactory,
        lambda run: services.start_filter_run(
            encoding=run.encoding, reference=run, method="random", by=None
        ),
    ),
    "assessment": (
        FilterRunFactory,
        lambda run: services.start_assessment(filter_run=run, by=None),
    ),
    "release": (
        FilterRunFactory,
        lambda run: release_of(run, "v1"),
    ),
    "evaluation": (
        ReleaseFactory,
        lambda run: evaluate(release=run, method=METHOD, split="dev", by=None),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_over_what_ended_without_a_result_nothing_is_started(kind: str) -> None:
    needed, ask = KINDS[kind]
    for status, result in (
        (RunStatus.CANCELLED, "was cancelled"),
        (RunStatus.FAILED, "has failed"),
    ):
        with pytest.raises(DomainError, match=f"{result}. Resume that one first.") as caught:
            ask(needed(status=status))
        assert (caught.value.code, caught.value.status) == ("run_without_input", 409)
    assert ask(needed(status=RunStatus.QUEUED)).status == RunStatus.QUEUED
