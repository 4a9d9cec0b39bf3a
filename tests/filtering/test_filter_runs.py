"""AFLite as a run: recorded phase by phase, killed at any of them, cancelled at any of them."""

from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from filtering import services
from filtering.core.engines import products
from filtering.models import Encoding, FilterRun
from filtering.runner import filter_runs
from filtering.runner.filter_runs import estimator
from tests.factories import FilterRunFactory
from tests.filtering.stages import (
    PUBLISHED,
    Killed,
    carried,
    encoding_of,
    frozen,
    kill,
    kill_after,
    leaking,
    lease_ends,
    read,
)
from winoplatform.artifacts import store
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus

QUESTIONS = frozen(pairs=40, unpaired=10)
SETTINGS: dict[str, Any] = {"n": 5, "m": 40, "k": 8, "tau": 0.75, "seed": 3, **PUBLISHED}


@pytest.fixture
def encoding() -> Encoding:
    return encoding_of(QUESTIONS, leaking(QUESTIONS))


def start(encoding: Encoding, **changes: Any) -> FilterRun:
    return services.start_filter_run(encoding=encoding, by=None, **(SETTINGS | changes))


def record_of(run: FilterRun) -> list[tuple[Any, ...]]:
    """All that a run found, without attempts and clocks."""
    phases = run.steps.values_list("number", "n_before", "n_removed", "eligible", "arrays")
    return [*phases, (run.selection.kept_id, run.n_kept, run.stop_reason, run.done)]


@pytest.mark.long
def test_a_run_says_what_the_estimator_says(encoding: Encoding) -> None:
    run = carried(start(encoding))
    fitted = estimator(run).fit(
        leaking(QUESTIONS),
        [question.answer for question in QUESTIONS],
        groups=[question.group for question in QUESTIONS],
        ids=[question.id for question in QUESTIONS],
    )
    kept = [q.id for q, stays in zip(QUESTIONS, fitted.support_, strict=True) if stays]
    assert read(run.selection.kept).split() == kept
    assert (run.n_kept, run.stop_reason) == (len(kept), fitted.stop_reason_)
    assert run.steps.count() == len(fitted.phases_) > 2


def test_scores_of_twins_that_go_together_are_counted_by_twin(encoding: Encoding) -> None:
    """As the run stopped because few twins reached tau, no more are drawn above it."""
    run = carried(start(encoding, removal="together"))
    last = run.steps.last()
    assert last is not None
    assert run.stop_reason == "fewer_than_k"
    assert last.counts_twins
    assert sum(last.histogram[15:]) <= last.eligible < run.k  # from 0.75 on


@pytest.mark.long
def test_each_phase_is_recorded_with_the_rows_it_saw(encoding: Encoding) -> None:
    run = carried(start(encoding))
    before = len(QUESTIONS)
    for phase in run.steps.all():
        rows, correct, held_out, removed = store.load_array(phase.arrays)
        assert phase.n_before == before == len(rows)
        assert removed.sum() == phase.n_removed
        assert (correct <= held_out).all()
        assert sum(phase.histogram) == before - phase.never_held_out
        assert not phase.counts_twins
        before = phase.n_left
    assert before == run.n_kept


@pytest.mark.long
def test_progress_counts_the_rows_removed(encoding: Encoding) -> None:
    run = carried(start(encoding))
    assert run.done == len(QUESTIONS) - run.n_kept
    assert run.total == len(QUESTIONS) - 40


@pytest.mark.long
@pytest.mark.parametrize("policy", [pytest.param("individual", marks=pytest.mark.long), "together"])
def test_killed_anywhere_it_ends_with_the_same_bytes(
    encoding: Encoding, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken = carried(start(encoding, removal=policy))
    phases = unbroken.steps.count()
    for records in range(phases):
        run = start(encoding, removal=policy)
        with monkeypatch.context() as patch:
            kill_after(patch, records)
            with pytest.raises(Killed):
                execute_here(run)
        lease_ends(run)
        assert record_of(carried(run)) == record_of(unbroken)
        assert run.attempt == 2


@pytest.mark.long
def test_killed_between_the_last_phase_and_the_end_it_ends_the_same(
    encoding: Encoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken, run = carried(start(encoding)), start(encoding)
    with monkeypatch.context() as patch:
        patch.setattr(Attempt, "finish", kill)
        with pytest.raises(Killed):
            execute_here(run)
    lease_ends(run)
    assert record_of(carried(run)) == record_of(unbroken)


def test_killed_after_every_single_phase_it_ends_the_same(
    encoding: Encoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken, run = carried(start(encoding)), start(encoding)
    for _ in range(unbroken.steps.count()):
        with monkeypatch.context() as patch:
            kill_after(patch, 1)
            patch.setattr(Attempt, "finish", kill)
            with pytest.raises(Killed):
                execute_here(run)
        lease_ends(run)
    assert record_of(carried(run)) == record_of(unbroken)


def test_a_run_continues_on_the_kind_of_device_it_began_on_or_not_at_all(
    encoding: Encoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(products.torch.cuda, "is_available", lambda: False)
    run = start(encoding)
    with monkeypatch.context() as patch:
        kill_after(patch, 1)
        with pytest.raises(Killed):
            execute_here(run)
    lease_ends(run)
    run.refresh_from_db()
    assert run.device_used == "cpu"
    FilterRun.objects.filter(pk=run.pk).update(device_used="cuda")
    execute_here(run)
    run.refresh_from_db()
    assert (run.status, run.steps.count()) == (RunStatus.FAILED, 1)
    assert "began on cuda, which this worker does not have" in run.failure


@pytest.mark.long
def test_members_that_stall_in_float32_are_counted(encoding: Encoding) -> None:
    run = start(encoding)
    FilterRun.objects.filter(pk=run.pk).update(tol=1e-12)  # of a run older than the least tol
    assert carried(run).steps.get(number=1).fallbacks == SETTINGS["n"]


def test_a_cancelled_run_stops_at_its_next_phase_and_keeps_no_result(
    encoding: Encoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start(encoding)
    recorded = filter_runs._recorded

    def cancelling(*args: Any, **options: Any) -> Any:
        if args[1].number == 2:
            attempts.request_cancel(FilterRun.objects.get(pk=run.pk))
        return recorded(*args, **options)

    monkeypatch.setattr(filter_runs, "_recorded", cancelling)
    execute_here(run)
    run.refresh_from_db()
    assert (run.status, run.selection.kept, run.steps.count()) == (RunStatus.CANCELLED, None, 1)


def test_a_part_larger_than_the_set_keeps_everything(encoding: Encoding) -> None:
    run = carried(start(encoding, m=5000))
    assert (run.n_kept, run.steps.count(), run.stop_reason) == (len(QUESTIONS), 0, "at_most_m")


@pytest.mark.long
def test_seeds_draw_differently_and_a_seed_always_the_same(encoding: Encoding) -> None:
    first, again, other = (carried(start(encoding, seed=seed)) for seed in (1, 1, 2))
    assert record_of(first) == record_of(again) != record_of(other)


def test_twins_removed_together_leave_together(encoding: Encoding) -> None:
    run = carried(start(encoding, partition="grouped", removal="together"))
    kept = set(read(run.selection.kept).split())
    pairs = QUESTIONS[:80]
    assert 0 < len(kept) < len(QUESTIONS)
    for first, second in zip(pairs[::2], pairs[1::2], strict=True):
        assert (first.id in kept) == (second.id in kept)


@pytest.mark.parametrize(
    "changes",
    [
        {"n": 0},
        {"n": 4097},
        {"m": 1},
        {"k": 0},
        {"tau": 1.5},
        {"C": 0},
        {"tol": 1e-8},
        {"partition": "odd"},
    ],
)
def test_settings_out_of_range_are_refused(encoding: Encoding, changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        start(encoding, **changes)


def test_the_same_run_is_not_started_twice_at_a_time(encoding: Encoding) -> None:
    first = start(encoding)
    with pytest.raises(ValidationError, match="under way already"):
        start(encoding)
    carried(first)
    assert start(encoding).pk != first.pk


@pytest.mark.parametrize(
    ("constraint", "changes"),
    [
        ("filtering_filterrun_settings_are_in_range", {"tau": 2.0}),
        ("filtering_filterrun_settings_are_in_range", {"n": 2**31 - 1}),
        ("corpora_selection_done_has_its_results", {"status": RunStatus.DONE}),
        ("filtering_filterrun_is_open_once_per_setting", {}),
    ],
)
def test_the_database_refuses(encoding: Encoding, constraint: str, changes: dict[str, Any]) -> None:
    start(encoding)
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        FilterRunFactory(encoding=encoding, **(SETTINGS | changes))


def test_features_with_a_hole_fail_the_run_with_a_sentence() -> None:
    matrix = leaking(QUESTIONS)
    matrix[3, 1] = np.nan
    run = start(encoding_of(QUESTIONS, matrix))
    execute_here(run)
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert "NaN" in run.failure


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("neutral", ("neutral", 18, 1, "grouped", "together")),
        ("published", ("published", 19, 1, "individual", "individual")),
        ("arxiv_v1", ("published", 31, 1, "individual", "individual")),
    ],
)
def test_settings_left_out_are_the_presets_for_the_encodings_size(
    encoding: Encoding, preset: Any, expected: tuple[Any, ...]
) -> None:
    run = services.start_filter_run(encoding=encoding, by=None, preset=preset)
    assert (run.stop, run.m, run.k, run.partition, run.removal) == expected
    assert services.start_filter_run(encoding=encoding, by=None, preset=preset, m=33).m == 33


def test_the_default_leaves_a_set_of_which_fresh_models_answer_one_half() -> None:
    questions = frozen(pairs=180, unpaired=60)
    encoding = encoding_of(questions, leaking(questions, d=24))
    run = carried(services.start_filter_run(encoding=encoding, by=None))
    assert (run.stop, run.stop_reason, run.leaks) == ("neutral", "neutral", ())
    before, after = (run.fresh_models[which]["grouped"] for which in ("all", "kept"))
    assert (before["leak"]["direction"], after["leak"]["direction"]) == ("above", "none")
    removed = run.steps.order_by("-number").first().looks[-1]
    assert (removed[0], abs(removed[1] - 0.5) < 0.03) == (run.n_kept, True)


@pytest.mark.long
def test_a_set_below_one_half_is_said_to_leak() -> None:
    questions = frozen(pairs=0, unpaired=900)
    matrix = np.random.default_rng(0).normal(size=(900, 30)).astype(np.float32)
    run = carried(
        services.start_filter_run(
            encoding=encoding_of(questions, matrix), by=None, preset="published"
        )
    )
    assert {leak.direction for leak in run.leaks} == {"below"}
    assert "reversed, their predictions tell the answer" in run.leaks[0].sentence


@pytest.mark.long
@pytest.mark.parametrize("records", [pytest.param(0, marks=pytest.mark.long), 1])
def test_a_neutral_run_killed_anywhere_ends_with_the_same_bytes(
    records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = frozen(pairs=120, unpaired=40)
    encoding = encoding_of(questions, leaking(questions, d=16))
    unbroken = carried(services.start_filter_run(encoding=encoding, by=None))
    assert unbroken.steps.count() > 1
    run = services.start_filter_run(encoding=encoding, by=None)
    with monkeypatch.context() as patch:
        kill_after(patch, records)
        with pytest.raises(Killed):
            execute_here(run)
    lease_ends(run)
    assert record_of(carried(run)) == record_of(unbroken)
    assert run.fresh_models == unbroken.fresh_models
