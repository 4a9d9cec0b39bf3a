"""Runs in a worker's hands, for the tests of long jobs."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from corpora.models import Snapshot
from filtering.models import FilterRun, Phase
from tests.factories import (
    ArtifactFactory,
    FilterRunFactory,
)
from winoplatform.runs import frame
from winoplatform.runs.frame import Carrier
from winoplatform.runs.models import Run


def claimed(run: Run | None = None) -> Carrier[Any]:
    run = run or FilterRunFactory()
    carrier = frame.claim(type(run), run.pk)
    assert carrier is not None
    return carrier


def lease_ends(run: Run) -> None:
    type(run)._default_manager.filter(pk=run.pk).update(leased_until=timezone.now())


def finish(carrier: Carrier[Snapshot]) -> None:
    carrier.finish(questions=ArtifactFactory(), n_questions=0, n_pairs=0)


def phase(carrier: Carrier[FilterRun], number: int = 1) -> Phase:
    return Phase(
        run=carrier.run,
        number=number,
        seconds=0.1,
        n_before=4,
        n_removed=2,
        never_held_out=0,
        eligible=2,
        tied_at_cutoff=0,
        unconverged=0,
        histogram=[],
        arrays=ArtifactFactory(),
    )


def raising(error: Exception) -> Callable[[Carrier[Any]], None]:
    def work(carrier: Carrier[Any]) -> None:
        raise error

    return work
