"""Two baselines on a release: what they answer, and what it is worth over pairs."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from numpy.typing import NDArray

from corpora.core.items import TwinItem
from corpora.models import Release, Snapshot
from corpora.services import build_release
from evaluation import services
from evaluation.models import Evaluation
from filtering.models import FilterRun
from tests.factories import (
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    SnapshotFactory,
    TuningFactory,
)
from tests.filtering.stages import assert_done, encoding_of, frozen, leaking, read, release_of, rows
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import resume

QUESTIONS = frozen(pairs=100, unpaired=30)


def built(
    matrix: NDArray[np.float32],
    *,
    questions: Sequence[TwinItem] = QUESTIONS,
    name: str = "other",
    dev: str = "0.2",
    **encoding: Any,
) -> Release:
    encoded = encoding_of(questions, matrix, campaign={"dev_share": dev}, **encoding)
    kept = "".join(f"{question.id}\n" for question in questions)
    run: FilterRun = FilterRunFactory(
        finished=True,
        encoding=encoded,
        kept=store.put_bytes(kept.encode()),
        n_kept=len(questions),
    )
    release = release_of(run, name)
    execute_here(release)
    assert_done(release)
    return release


@pytest.fixture(scope="module")
def key(kept: str) -> int:
    """A release whose encoding tells every answer."""
    return built(leaking(QUESTIONS, every=1), name="first").pk


@pytest.fixture
def release(key: int) -> Release:
    return Release.objects.get(pk=key)


def evaluate(release: Release, method: str, split: str = "dev") -> Evaluation:
    evaluation = services.evaluate(release=release, method=method, split=split, by=None)
    execute_here(evaluation)
    assert_done(evaluation)
    return evaluation


def test_the_majority_guess_is_near_chance_and_never_right_about_both_twins(
    release: Release,
) -> None:
    metrics = evaluate(release, "majority").metrics
    assert 0.35 < metrics["accuracy"]["value"] < 0.65
    assert metrics["group_score"]["value"] == 0
    assert metrics["group_score"]["n"] > 0


def test_a_leak_in_the_encoding_is_found_through_the_shuffled_options(release: Release) -> None:
    """Published options changed places at random: features must follow, or this is chance."""
    metrics = evaluate(release, "linear").metrics
    assert metrics["accuracy"]["value"] > 0.9
    assert metrics["group_score"]["value"] > 0.9


def test_a_leak_is_found_in_vectors_side_by_side_too() -> None:
    half = leaking(QUESTIONS, every=1)
    matrix = np.concatenate([half, np.zeros_like(half)], axis=1)
    release = built(matrix, features="concatenation")
    assert evaluate(release, "linear").metrics["accuracy"]["value"] > 0.9


def test_noise_is_worth_chance() -> None:
    release = built(leaking(QUESTIONS, every=1000))
    assert evaluate(release, "linear").metrics["accuracy"]["value"] < 0.75


@pytest.mark.parametrize("split", ["dev", "test"])
def test_every_row_of_the_split_is_answered_and_scored(release: Release, split: str) -> None:
    evaluation = evaluate(release, "linear", split)
    predicted = {row["qID"]: row["prediction"] for row in rows(read(evaluation.predictions))}
    index = release.files.select_related("artifact").get(name="index.jsonl")
    answers = {
        row["qID"]: row["answer"] for row in rows(read(index.artifact)) if row["split"] == split
    }
    assert set(predicted) == set(answers)
    assert [*predicted] == sorted(predicted)  # by which pages find the line of one question
    right = sum(predicted[qid] == answer for qid, answer in answers.items())
    accuracy = evaluation.metrics["accuracy"]
    assert accuracy["n"] == len(answers) == evaluation.done == evaluation.total
    assert accuracy["value"] == pytest.approx(right / len(answers))
    assert accuracy["low"] < accuracy["value"] <= accuracy["high"]


def test_the_same_release_gives_the_same_answers(release: Release) -> None:
    first, again = evaluate(release, "linear"), evaluate(release, "linear")
    assert (first.predictions, first.metrics) == (again.predictions, again.metrics)


@pytest.fixture
def without_dev() -> Release:
    others = frozen(pairs=150)[2 * 130 :]  # not those of `key`, of which some are in a dev split
    return built(leaking(others), questions=others, dev="0")


def test_a_split_without_rows_is_refused_once_the_release_is_done(without_dev: Release) -> None:
    with pytest.raises(DomainError, match=r"There are no questions in dev\.") as refused:
        services.evaluate(release=without_dev, method="majority", split="dev", by=None)
    assert refused.value.code == "split_empty"
    assert not Evaluation.objects.filter(release=without_dev).exists()


def test_an_evaluation_that_found_its_split_empty_cannot_be_resumed(without_dev: Release) -> None:
    evaluation = EvaluationFactory(release=without_dev)  # requested before the build ended
    execute_here(evaluation)
    evaluation.refresh_from_db()
    assert evaluation.status == RunStatus.FAILED
    assert evaluation.failure == "There are no questions in dev."
    assert not evaluation.can_resume
    with pytest.raises(DomainError, match="it would fail again"):
        resume(evaluation)


def unfiltered(snapshot: Snapshot) -> Release:
    return build_release(snapshot=snapshot, name="all", by=None)


def test_of_an_unfiltered_release_the_linear_model_reads_the_snapshots_latest_encoding() -> None:
    noise, leak = leaking(QUESTIONS, every=1000), leaking(QUESTIONS, every=1)
    snapshot = encoding_of(QUESTIONS, noise, campaign={"dev_share": "0.2"}).snapshot
    latest = EncodingFactory(
        finished=True, snapshot=snapshot, matrix=store.put_array(leak), n_features=leak.shape[1]
    )
    EncodingFactory(finished=True)  # of another snapshot
    EncodingFactory(snapshot=snapshot, status=RunStatus.FAILED)
    tuning = TuningFactory(snapshot=snapshot, finished=True)
    EncodingFactory(snapshot=snapshot, tuning=tuning, finished=True)
    release = unfiltered(snapshot)
    execute_here(release)
    evaluation = evaluate(release, "linear")
    assert evaluation.encoding == latest
    assert evaluation.metrics["accuracy"]["value"] > 0.9


def test_an_unfiltered_release_without_an_encoding_has_no_linear_model() -> None:
    release = unfiltered(SnapshotFactory(finished=True))
    with pytest.raises(DomainError) as refused:
        services.evaluate(release=release, method="linear", split="dev", by=None)
    assert (refused.value.code, refused.value.status) == ("no_encoding", 409)
    assert services.evaluate(release=release, method="majority", split="dev", by=None)


@pytest.mark.parametrize("changes", [{"method": "oracle"}, {"split": "train"}])
def test_unknown_models_and_splits_are_refused(release: Release, changes: dict[str, str]) -> None:
    asked = {"method": "majority", "split": "dev"} | changes
    with pytest.raises((ValidationError, DomainError)):
        services.evaluate(release=release, by=None, **asked)


def open_twice() -> None:
    first = EvaluationFactory()
    EvaluationFactory(release=first.release)


@pytest.mark.parametrize(
    ("constraint", "break_it"),
    [
        ("evaluation_evaluation_is_open_once", open_twice),
        (
            "evaluation_evaluation_done_has_its_results",
            lambda: EvaluationFactory(status=RunStatus.DONE),
        ),
    ],
)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        break_it()


def test_predictions_are_lines_of_id_and_option(release: Release) -> None:
    evaluation = evaluate(release, "majority")
    (first, *_) = read(evaluation.predictions).splitlines()
    assert set(json.loads(first)) == {"qID", "prediction", "scores"}
