"""Runs are asked for where what they need may still be, and taken up again where they were left."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from corpora.models import Snapshot
from evaluation.services import evaluate
from filtering import services
from filtering.models import FilterRun
from tests.factories import (
    EncodingFactory,
    FilterRunFactory,
    ReleaseFactory,
    SnapshotFactory,
    TuningFactory,
)
from tests.filtering.stages import release_of
from tests.winoplatform.attempts import claimed, finish, phase, raising
from winoplatform.errors import DomainError
from winoplatform.runs import attempts, dispatch
from winoplatform.runs.models import Run, RunStatus
from winoplatform.runs.start import resume


def refusal(run: Run) -> DomainError:
    with pytest.raises(DomainError) as caught:
        resume(run)
    assert caught.value.status == 409
    return caught.value


def cancelled(run: Run) -> Run:
    attempts.request_cancel(run)
    return run


def test_a_cancelled_run_waits_again_and_the_wish_is_forgotten(
    dispatched: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    run = cancelled(SnapshotFactory())
    with django_capture_on_commit_callbacks(execute=True):
        resume(run)
    assert (run.status, run.cancel_requested, run.ended_at) == (RunStatus.QUEUED, False, None)
    assert dispatched == [run]
    attempts.execute(Snapshot, run.pk, finish)
    run.refresh_from_db()
    assert run.status == RunStatus.DONE


def test_a_failed_run_continues_from_its_steps_under_a_new_attempt() -> None:
    attempt = claimed()
    attempt.record(phase(attempt), done=2)
    attempt.fail("The disk is full.")
    resume(attempt.run)
    assert (attempt.run.failure, attempt.run.done) == ("", 2)
    again = claimed(attempt.run)
    assert (again.attempt, again.run.steps.count()) == (2, 1)
    with pytest.raises(attempts.LeaseLost):
        attempt.record(phase(attempt, 2), done=4)


def test_a_run_that_killed_its_workers_gets_its_attempts_again(settings: Any) -> None:
    run = FilterRunFactory(
        status=RunStatus.FAILED, stalled_attempts=settings.RUN_MAX_STALLED_ATTEMPTS + 1
    )
    resume(run)
    attempts.execute(FilterRun, run.pk, raising(ValueError("It was tried.")))
    run.refresh_from_db()
    assert run.failure == "It was tried."


def test_the_time_it_lay_is_no_running_time() -> None:
    hour = timedelta(hours=1)
    start = timezone.now() - 3 * hour
    run = SnapshotFactory(
        status=RunStatus.FAILED, created_at=start, started_at=start, ended_at=start + hour
    )
    resume(run)
    assert run.run_seconds == pytest.approx(3600, abs=60)
    assert run.wait_seconds == pytest.approx(7200, abs=60)
    never = SnapshotFactory(status=RunStatus.CANCELLED, ended_at=timezone.now())
    resume(never)
    assert never.started_at is None


@pytest.mark.parametrize(
    ("status", "code"),
    [("queued", "run_open"), ("running", "run_open"), ("done", "run_done")],
)
def test_what_has_not_ended_without_a_result_is_left_alone(status: str, code: str) -> None:
    run = SnapshotFactory(finished=True, status=status)
    before = Snapshot.objects.values().get()
    assert refusal(run).code == code
    assert Snapshot.objects.values().get() == before


def test_a_run_whose_input_will_never_be_done_waits_for_that_one_to_be_resumed() -> None:
    snapshot = SnapshotFactory()
    encoding = EncodingFactory(snapshot=snapshot)
    cancelled(snapshot)
    encoding.refresh_from_db()
    error = refusal(encoding)
    assert error.code == "run_without_input"
    assert "was cancelled. Resume that one first." in error.message


def test_what_ended_only_because_of_it_waits_for_it_again() -> None:
    snapshot = SnapshotFactory()
    encoding = EncodingFactory(snapshot=snapshot)
    release = ReleaseFactory(filter_run__encoding=encoding, filter_run__finished=False)
    filtered = release.selection.filter_run
    by_itself = EncodingFactory(
        snapshot=snapshot, encoder="other", status=RunStatus.FAILED, attempt=1, failure="Its own."
    )
    cancelled(snapshot)
    resume(snapshot)
    for run in (encoding, filtered, release, by_itself):
        run.refresh_from_db()
    assert by_itself.status == RunStatus.FAILED
    assert {one.status for one in (encoding, filtered, release)} == {RunStatus.QUEUED}


def test_what_cannot_be_resumed_with_it_is_left_as_it_is() -> None:
    snapshot = SnapshotFactory()
    encoding = EncodingFactory(snapshot=snapshot)
    cancelled(snapshot)
    EncodingFactory(snapshot=snapshot)  # under way with the same settings
    resume(snapshot)
    encoding.refresh_from_db()
    assert (snapshot.status, encoding.status) == (RunStatus.QUEUED, RunStatus.FAILED)


def test_while_an_equal_run_is_under_way_it_is_refused() -> None:
    run = cancelled(FilterRunFactory())
    equal = FilterRunFactory(encoding=run.encoding)
    error = refusal(run)
    assert (error.code, "under way already" in error.message) == ("run_held", True)
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED
    attempts.request_cancel(equal)
    resume(run)


def test_a_release_gets_its_name_back_unless_another_holds_it() -> None:
    lost, free = cancelled(ReleaseFactory(name="v1")), cancelled(ReleaseFactory(name="v2"))
    ReleaseFactory(name="v1", finished=True)
    assert "A release with this name already exists" in refusal(lost).message
    resume(free)
    assert free.status == RunStatus.QUEUED


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


def control(reference: FilterRun | None, **fields: Any) -> FilterRun:
    if reference is not None:
        fields.setdefault("encoding", reference.encoding)
    else:
        fields["size"] = 1
    run: FilterRun = FilterRunFactory(method="random", reference=reference, **fields)
    return run


@pytest.mark.parametrize("encoded", [True, False])
@pytest.mark.parametrize("filtered", [True, False])
def test_it_starts_when_both_are_done(encoded: bool, filtered: bool) -> None:
    run = control(FilterRunFactory(finished=filtered), encoding=EncodingFactory(finished=encoded))
    attempt = attempts.claim(FilterRun, run.pk)
    assert (attempt is not None) == (encoded and filtered)
    run.refresh_from_db()
    assert run.status == (RunStatus.RUNNING if attempt else RunStatus.QUEUED)


def test_where_the_second_is_not_set_it_is_not_waited_for() -> None:
    assert claimed(control(None)).attempt == 1


@pytest.mark.parametrize("end", [RunStatus.FAILED, RunStatus.CANCELLED])
def test_it_ends_at_once_with_either_of_them(end: str) -> None:
    reference = FilterRunFactory()
    run = control(reference)
    if end == RunStatus.CANCELLED:
        attempts.request_cancel(reference)
    else:
        attempts.execute(FilterRun, reference.pk, raising(ValueError("No.")))
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert str(reference.public_id) in run.failure


def test_beat_dispatches_only_what_is_ready_or_never_will_be(dispatched: list[Run]) -> None:
    alone, ready = control(None), control(FilterRunFactory(finished=True))
    control(claimed().run)
    control(FilterRunFactory(finished=True), encoding=EncodingFactory())
    dispatched.clear()
    orphan = control(FilterRunFactory(status=RunStatus.FAILED), encoding=EncodingFactory())
    dispatch.dispatch_waiting()
    assert [run for run in dispatched if isinstance(run, FilterRun)] == [alone, ready, orphan]
