"""Name, star, archive and delete runs."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from corpora.models import Selection, Snapshot
from filtering.models import Assessment, Encoding, FilterRun, Phase
from tests.factories import (
    AssessmentFactory,
    EncodingFactory,
    FilterRunFactory,
    PhaseFactory,
    ReleaseFactory,
    SnapshotFactory,
)
from winoplatform.errors import DomainError
from winoplatform.runs.keeping import annotate, delete_run
from winoplatform.runs.models import Run, RunStatus


def refused(code: str) -> Any:
    return pytest.raises(DomainError, check=lambda error: error.code == code)


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
