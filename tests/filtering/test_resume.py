"""Runs of every kind, cancelled midway and resumed: the same bytes as if nothing had happened."""

from typing import Any

import numpy as np
import pytest

from collection.models import Campaign
from corpora import services as corpora
from corpora.models import Release, Snapshot
from filtering import services
from filtering.models import Encoding, FilterRun
from tests.factories import (
    EncodingFactory,
    EvaluationFactory,
    ReleaseFactory,
    SentenceEncodingFactory,
)
from tests.filtering.stages import (
    PUBLISHED,
    TINY,
    assert_done,
    contents,
    encoding_of,
    filtered,
    frozen,
    leaking,
    published_twins,
    snapshot_of,
)
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus
from winoplatform.runs.start import resume

QUESTIONS = frozen(pairs=40, unpaired=10)
SETTINGS: dict[str, Any] = {"n": 5, "m": 40, "k": 8, "tau": 0.75, "seed": 3, **PUBLISHED}


def cancelled_at(method: str, run: Run, *, call: int, patch: pytest.MonkeyPatch) -> None:
    """Execute *run* until this call of an attempt's *method*, where a user's request meets it."""
    original, calls = getattr(Attempt, method), 0

    def wishing(self: Attempt[Any], *args: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            attempts.request_cancel(type(run)._default_manager.get(pk=run.pk))
        return original(self, *args, **options)

    with patch.context() as scope:
        scope.setattr(Attempt, method, wishing)
        execute_here(run)
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED


def resumed(run: Run) -> None:
    resume(run)
    execute_here(run)
    assert_done(run)
    assert run.attempt == 2


@pytest.mark.long
def test_a_filter_run_continues_after_its_last_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = encoding_of(QUESTIONS, leaking(QUESTIONS))

    def start() -> FilterRun:
        return services.start_filter_run(encoding=encoding, by=None, **SETTINGS)

    def record(run: FilterRun) -> list[Any]:
        phases = run.steps.values_list("number", "n_before", "n_removed", "arrays", "histogram")
        return [*phases, run.selection.kept_id, run.stop_reason, run.done]

    whole = start()
    execute_here(whole)
    assert_done(whole)
    for call in range(1, whole.steps.count() + 1):
        run = start()
        cancelled_at("record", run, call=call, patch=monkeypatch)
        assert run.steps.count() == call - 1
        resumed(run)
        assert record(run) == record(whole)


def test_a_filter_run_that_failed_of_its_input_fails_of_it_again() -> None:
    matrix = leaking(QUESTIONS)
    matrix[3, 1] = np.nan
    run = services.start_filter_run(encoding=encoding_of(QUESTIONS, matrix), by=None, **SETTINGS)
    for attempt in (1, 2):
        execute_here(run)
        run.refresh_from_db()
        assert (run.status, run.attempt) == (RunStatus.FAILED, attempt)
        resume(run)


def test_a_control_is_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = encoding_of(QUESTIONS, leaking(QUESTIONS))
    run = services.start_filter_run(encoding=encoding, by=None, method="random", size=50)
    cancelled_at("finish", run, call=1, patch=monkeypatch)
    resumed(run)
    assert (run.n_kept, run.steps.count()) == (50, 1)


@pytest.mark.long
def test_an_encoding_continues_after_its_last_shard(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = frozen(pairs=6)
    snapshot = snapshot_of(questions)
    whole: Encoding = EncodingFactory(snapshot=snapshot, encoder=TINY, shard_size=4)
    execute_here(whole)
    assert_done(whole)
    run: Encoding = EncodingFactory(snapshot=snapshot, encoder=TINY, shard_size=4)
    cancelled_at("record", run, call=2, patch=monkeypatch)
    resumed(run)
    assert (run.matrix_id, run.weights_sha256) == (whole.matrix_id, whole.weights_sha256)


@pytest.mark.long
def test_a_sentence_encoding_keeps_its_questions_and_continues(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    published_twins(6, campaign=campaign)
    whole = SentenceEncodingFactory(campaign=campaign, encoder=TINY, shard_size=4)
    execute_here(whole)
    assert_done(whole)
    run = SentenceEncodingFactory(campaign=campaign, encoder=TINY, shard_size=4)
    cancelled_at("record", run, call=2, patch=monkeypatch)
    published_twins(2, campaign=campaign)
    resumed(run)
    assert (run.matrix_id, run.questions_id) == (whole.matrix_id, whole.questions_id)
    assert run.n_questions == 12


def test_a_snapshot_holds_what_was_valid_when_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    published_twins(3, campaign=campaign)
    run: Snapshot = corpora.take_snapshot(campaign=campaign, by=None)
    cancelled_at("finish", run, call=1, patch=monkeypatch)
    published_twins(2, campaign=campaign)
    resumed(run)
    assert run.n_questions == 6


@pytest.mark.long
def test_a_release_has_the_same_files(monkeypatch: pytest.MonkeyPatch) -> None:
    run: Release = ReleaseFactory(filter_run=filtered(QUESTIONS), name="one")
    key = run.key
    cancelled_at("finish", run, call=1, patch=monkeypatch)
    assert not run.files.exists()
    resumed(run)
    whole: Release = ReleaseFactory(filter_run=run.selection.filter_run, name="two", key=key)
    execute_here(whole)
    splits = ("train_xl.jsonl", "dev.jsonl", "test.jsonl", "index.jsonl")
    assert [contents(run)[name] for name in splits] == [contents(whole)[name] for name in splits]


@pytest.mark.long
def test_an_evaluation_is_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    release: Release = ReleaseFactory(filter_run=filtered(QUESTIONS))
    execute_here(release)
    run = EvaluationFactory(release=release, method="linear")
    cancelled_at("finish", run, call=1, patch=monkeypatch)
    resumed(run)
    assert run.metrics["accuracy"]["n"] > 0
