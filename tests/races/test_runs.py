"""Many workers get the same message, many curators press the same button: one wins."""

from functools import partial

import pytest
from django.utils import timezone

from corpora.models import Snapshot
from filtering.models import FilterRun
from tests.factories import FilterRunFactory, SnapshotFactory
from tests.races.threads import at_once
from winoplatform.runs import attempts
from winoplatform.runs.models import Run, RunStatus
from winoplatform.runs.start import resume

CLAIMANTS = 8


def claim_by_check_then_save(pk: int) -> bool:
    """The control: what one would write first."""
    run = Snapshot.objects.get(pk=pk)
    if run.status != RunStatus.QUEUED:
        return False
    run.status, run.attempt = RunStatus.RUNNING, run.attempt + 1
    run.save()
    return True


def test_of_many_attempts_one_claims_a_run() -> None:
    for _ in range(10):
        run = SnapshotFactory()
        claims = at_once(*[partial(attempts.claim, Snapshot, run.pk)] * CLAIMANTS)
        (won,) = [attempt for attempt in claims if attempt is not None]
        assert won.attempt == 1


def test_check_then_save_lets_several_claim_a_run() -> None:
    claims = [
        sum(at_once(*[partial(claim_by_check_then_save, run.pk)] * CLAIMANTS))
        for run in SnapshotFactory.create_batch(10)
    ]
    assert max(claims) > 1


@pytest.mark.parametrize("attempt", range(3))
def test_of_many_attempts_one_takes_over_from_a_dead_one(attempt: int) -> None:
    run = FilterRunFactory(
        status=RunStatus.RUNNING, attempt=1, leased_until=timezone.now(), started_at=timezone.now()
    )
    claims = at_once(*[partial(attempts.claim, FilterRun, run.pk)] * CLAIMANTS)
    (won,) = [attempt for attempt in claims if attempt is not None]
    assert won.attempt == 2


def resume_by_check_then_save(pk: int) -> bool:
    """The control: what one would write first."""
    run = Snapshot.objects.get(pk=pk)
    if run.status not in Run.RESUMABLE:
        return False
    run.status, run.ended_at = RunStatus.QUEUED, None
    run.save()
    return True


def cancelled_snapshot() -> Snapshot:
    run: Snapshot = SnapshotFactory(status=RunStatus.CANCELLED, ended_at=timezone.now())
    return run


def test_of_many_who_resume_a_run_one_does() -> None:
    for _ in range(10):
        run = cancelled_snapshot()
        rows = [Snapshot.objects.get(pk=run.pk) for _ in range(CLAIMANTS)]
        answers = at_once(*[partial(resume, row) for row in rows])
        refused = [answer for answer in answers if answer is not None]
        assert [error.code for error in refused] == ["run_open"] * (CLAIMANTS - 1)


def test_check_then_save_lets_several_resume_a_run() -> None:
    resumed = [
        sum(at_once(*[partial(resume_by_check_then_save, cancelled_snapshot().pk)] * CLAIMANTS))
        for _ in range(10)
    ]
    assert max(resumed) > 1


def test_of_two_equal_runs_resumed_at_once_one_waits() -> None:
    for _ in range(5):
        first = FilterRunFactory(status=RunStatus.CANCELLED)
        second = FilterRunFactory(encoding=first.encoding, status=RunStatus.CANCELLED)
        answers = at_once(partial(resume, first), partial(resume, second))
        (error,) = [answer for answer in answers if answer is not None]
        assert error.code == "run_held"
        assert FilterRun.objects.filter(encoding=first.encoding).open().count() == 1
