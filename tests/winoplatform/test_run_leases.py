"""How a run stays in its attempt's hands, and what one given up for dead may write."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from corpora.models import Selection, Snapshot
from filtering.models import Assessment, Encoding, FilterRun, Phase
from tests.factories import (
    ArtifactFactory,
    AssessmentFactory,
    EncodingFactory,
    FilterRunFactory,
    PhaseFactory,
    ReleaseFactory,
    SnapshotFactory,
)
from tests.refusals import refused
from tests.winoplatform.attempts import claimed, finish, lease_ends, phase, raising
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt, LeaseLost
from winoplatform.runs.keeping import annotate, delete_run
from winoplatform.runs.models import Run, RunStatus

WRITES: list[Callable[[Attempt[Any]], Any]] = [
    lambda attempt: attempt.report(5),
    lambda attempt: attempt.pulse("still here"),
    lambda attempt: attempt.record(phase(attempt), done=5),
    lambda attempt: attempt.finish(output={"kept": ArtifactFactory(), "n_kept": 5}),
    lambda attempt: attempt.fail("I was here."),
]
NAMES = ["report", "pulse", "record", "finish", "fail"]


@pytest.mark.parametrize("write", WRITES, ids=NAMES)
def test_an_attempt_given_up_for_dead_writes_nothing(write: Callable[[Attempt[Any]], Any]) -> None:
    dead = claimed()
    lease_ends(dead.run)
    claimed(dead.run)
    before = FilterRun.objects.values().get()
    with pytest.raises(LeaseLost):
        write(dead)
    assert FilterRun.objects.values().get() == before
    assert not Phase.objects.exists()


@pytest.mark.parametrize("write", WRITES, ids=NAMES)
def test_after_the_end_nothing_is_written(write: Callable[[Attempt[Any]], Any]) -> None:
    attempt = claimed()
    attempt.fail("It is over.")
    with pytest.raises(LeaseLost):
        write(attempt)
    assert FilterRun.objects.get().failure == "It is over."


def test_losing_the_lease_ends_an_attempt_silently() -> None:
    run = FilterRunFactory()

    def overtaken(attempt: Attempt[FilterRun]) -> None:
        lease_ends(run)
        claimed(run)
        attempt.record(phase(attempt), done=1)

    attempts.execute(FilterRun, run.pk, overtaken)
    run.refresh_from_db()
    assert (run.status, run.attempt, run.failure) == (RunStatus.RUNNING, 2, "")


def test_a_run_that_kills_every_worker_fails_in_the_end(settings: Any) -> None:
    run = FilterRunFactory()
    for _ in range(settings.RUN_MAX_STALLED_ATTEMPTS):
        claimed(run)
        lease_ends(run)
    attempts.execute(FilterRun, run.pk, raising(AssertionError("must not start")))
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert run.failure.startswith("The worker died 5 times without finishing a step.")


def test_a_step_in_between_shows_that_the_run_does_move(settings: Any) -> None:
    run = FilterRunFactory()
    for number in range(1, 2 * settings.RUN_MAX_STALLED_ATTEMPTS):
        attempt = claimed(run)
        attempt.record(phase(attempt, number), done=number)
        lease_ends(run)
    attempts.execute(
        FilterRun, run.pk, lambda c: c.finish(output={"kept": ArtifactFactory(), "n_kept": 1})
    )
    run.refresh_from_db()
    assert run.status == RunStatus.DONE


# -- the heartbeat ---------------------------------------------------------------------------------
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_step_longer_than_the_lease_keeps_it(settings: Any) -> None:
    settings.RUN_LEASE_SECONDS = 0.4
    run = SnapshotFactory()

    def slow(attempt: Attempt[Snapshot]) -> None:
        time.sleep(1.0)
        assert attempts.claim(Snapshot, run.pk) is None
        finish(attempt)

    attempts.execute(Snapshot, run.pk, slow)
    run.refresh_from_db()
    assert (run.status, run.attempt) == (RunStatus.DONE, 1)


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_of_an_attempt_given_up_for_dead_renews_nothing(settings: Any) -> None:
    settings.RUN_LEASE_SECONDS = 0.3
    dead = claimed(SnapshotFactory())
    lease_ends(dead.run)
    alive = claimed(dead.run)
    with dead.heartbeat():
        time.sleep(0.3)
    alive.run.refresh_from_db()
    assert alive.run.leased_until <= timezone.now()


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_outlives_a_database_that_was_away(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RUN_LEASE_SECONDS = 0.6
    attempt, hiccups = claimed(SnapshotFactory()), [OperationalError("gone"), InterfaceError()]
    mine = attempt._mine

    def sometimes() -> Any:
        if hiccups:
            raise hiccups.pop()
        return mine()

    monkeypatch.setattr(attempt, "_mine", sometimes)
    with attempt.heartbeat():
        time.sleep(1.0)
    attempt.run.refresh_from_db()
    assert hiccups == []
    assert attempt.run.leased_until > timezone.now()


def test_a_run_is_named_starred_archived_and_restored() -> None:
    run = SnapshotFactory(finished=True)
    annotate(run, caption="  before   the clean-up ", is_starred=True)
    annotate(run, is_archived=True)
    found = Snapshot.objects.get()
    assert (found.caption, found.is_starred, found.is_archived) == (
        "before the clean-up", True, True,
    )  # fmt: skip
    annotate(run, is_archived=False)
    assert not Snapshot.objects.get().is_archived


def test_a_change_of_the_name_keeps_what_a_worker_recorded_meanwhile() -> None:
    run = SnapshotFactory()
    Snapshot.objects.update(status=RunStatus.RUNNING, done=7)
    annotate(run, caption="mine")
    found = Snapshot.objects.get()
    assert (found.status, found.done, found.caption) == (RunStatus.RUNNING, 7, "mine")


def test_a_name_is_short_and_an_open_run_is_not_archived() -> None:
    run = SnapshotFactory()
    with pytest.raises(ValidationError, match="100"):
        annotate(run, caption="x" * 101)
    with refused("run_open"):
        annotate(run, is_archived=True)


@pytest.mark.parametrize("status", Run.OPEN)
def test_an_open_run_is_not_deleted(status: str) -> None:
    run = SnapshotFactory(status=status)
    with refused("run_open"):
        delete_run(run)
    assert Snapshot.objects.exists()


def test_a_run_that_others_depend_on_is_not_deleted_and_they_are_named() -> None:
    run = EncodingFactory(finished=True)
    FilterRunFactory(encoding=run, caption="with seed 4")
    with refused("run_is_used") as error:
        delete_run(run)
    assert "filter run with seed 4" in error.value.message
    assert Encoding.objects.exists()


def test_a_run_is_deleted_with_its_steps_and_what_only_it_has() -> None:
    run = FilterRunFactory(finished=True)
    PhaseFactory(run=run)
    AssessmentFactory(filter_run=run)
    delete_run(run)
    for model in (FilterRun, Phase, Assessment, Selection):
        assert not model._default_manager.exists()
    assert Encoding.objects.exists()


def test_a_release_that_is_done_is_never_deleted() -> None:
    with refused("run_is_published"):
        delete_run(ReleaseFactory(finished=True))
    delete_run(ReleaseFactory(status=RunStatus.FAILED))
