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
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.models import Run


def claimed(run: Run | None = None) -> Attempt[Any]:
    run = run or FilterRunFactory()
    attempt = attempts.claim(type(run), run.pk)
    assert attempt is not None
    return attempt


def lease_ends(run: Run) -> None:
    type(run)._default_manager.filter(pk=run.pk).update(leased_until=timezone.now())


def finish(attempt: Attempt[Snapshot]) -> None:
    attempt.finish(questions=ArtifactFactory(), n_questions=0, n_pairs=0)


def phase(attempt: Attempt[FilterRun], number: int = 1) -> Phase:
    return Phase(
        run=attempt.run,
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


def raising(error: Exception) -> Callable[[Attempt[Any]], None]:
    def work(attempt: Attempt[Any]) -> None:
        raise error

    return work
