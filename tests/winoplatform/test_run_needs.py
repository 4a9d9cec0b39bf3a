"""A run that needs two others, tried on a control: its encoding and the run it is sized after."""

from typing import Any

import pytest

from filtering.models import FilterRun
from tests.factories import EncodingFactory, FilterRunFactory
from tests.winoplatform.attempts import claimed, raising
from winoplatform.runs import attempts, dispatch
from winoplatform.runs.models import Run, RunStatus


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
