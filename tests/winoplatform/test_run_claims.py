"""How a worker takes a run up: one at a time, and not before its input is there."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from corpora.models import Snapshot
from filtering.models import Encoding, FilterRun
from tests.factories import (
    EncodingFactory,
    FilterRunFactory,
    SnapshotFactory,
)
from tests.winoplatform.attempts import claimed, finish, lease_ends, raising
from winoplatform.runs import attempts
from winoplatform.runs.models import Run, RunStatus


def test_a_claim_starts_the_run_under_a_lease(settings: Any) -> None:
    settings.RUN_LEASE_SECONDS = 30
    run = claimed().run
    assert (run.status, run.attempt) == (RunStatus.RUNNING, 1)
    left = run.leased_until - timezone.now()
    assert timedelta(seconds=28) < left <= timedelta(seconds=30)
    assert run.started_at is not None


def test_a_run_in_other_hands_is_left_alone() -> None:
    run = claimed().run
    assert attempts.claim(FilterRun, run.pk) is None


def test_a_run_whose_attempt_fell_silent_is_claimed_again() -> None:
    first = claimed()
    lease_ends(first.run)
    second = claimed(first.run)
    assert second.attempt == 2
    assert second.run.started_at == first.run.started_at


@pytest.mark.parametrize("status", Run.ENDED)
def test_a_run_that_has_ended_is_never_claimed(status: str) -> None:
    run = SnapshotFactory(finished=True, status=status)
    assert attempts.claim(Snapshot, run.pk) is None


def test_a_run_that_does_not_exist_is_not_claimed() -> None:
    assert attempts.claim(Snapshot, 0) is None


# -- inputs ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("status", Run.OPEN)
def test_a_run_waits_for_its_input(status: str) -> None:
    encoding = EncodingFactory(snapshot=SnapshotFactory(status=status))
    assert attempts.claim(Encoding, encoding.pk) is None
    encoding.refresh_from_db()
    assert encoding.status == RunStatus.QUEUED


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.CANCELLED])
def test_a_run_whose_input_will_never_be_done_fails_and_says_so(status: str) -> None:
    encoding = EncodingFactory(snapshot=SnapshotFactory(status=status))
    assert attempts.claim(Encoding, encoding.pk) is None
    encoding.refresh_from_db()
    assert encoding.status == RunStatus.FAILED
    assert str(encoding.snapshot.public_id) in encoding.failure
    assert encoding.ended_at is not None


def test_the_end_of_a_run_dispatches_what_builds_upon_it(
    dispatched: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    snapshot = SnapshotFactory()
    waiting = EncodingFactory(snapshot=snapshot)
    EncodingFactory(snapshot=snapshot, finished=True)
    EncodingFactory()
    with django_capture_on_commit_callbacks(execute=True):
        attempts.execute(Snapshot, snapshot.pk, finish)
    assert dispatched == [waiting]


@pytest.mark.parametrize(
    ("status", "result"),
    [(RunStatus.FAILED, "which has failed."), (RunStatus.CANCELLED, "which was cancelled.")],
)
def test_what_builds_upon_a_run_that_will_never_be_done_ends_with_it(
    status: str, result: str
) -> None:
    snapshot = SnapshotFactory()
    encoding = EncodingFactory(snapshot=snapshot)
    last = FilterRunFactory(encoding=encoding)
    if status == RunStatus.CANCELLED:
        attempts.request_cancel(snapshot)
    else:
        attempts.execute(Snapshot, snapshot.pk, raising(ValueError("No.")))
    for run in (encoding, last):
        run.refresh_from_db()
        assert run.status == RunStatus.FAILED
    assert encoding.failure.endswith(result)
