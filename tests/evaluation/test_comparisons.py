"""Finished evaluations of the same questions: who sees them, and what is compared."""

import csv
import io
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from corpora.core.items import Item
from evaluation import services
from evaluation.exports.comparisons import FORMATS, comparison_rows
from evaluation.models import Evaluation, EvaluationBlock, FineTuning
from evaluation.runner.questions import questions_of
from evaluation.selectors import (
    Comparable,
    Compared,
    answered_items,
    as_comparable,
    comparable,
    compared,
    evaluations_of,
    evaluations_visible_to,
    find_comparable,
    subsets_of,
    timings_of,
)
from tests.corpora.sets import imported
from tests.evaluation.done import evaluated
from tests.evaluation.sets import ITEMS, small_set
from tests.factories import EvaluationFactory, ReleaseFactory, SnapshotFactory, UserFactory
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus
from workers.models import User


def comparison(user: User, subset: str = "", **which: Any) -> tuple[Comparable, Compared]:
    data, _ = find_comparable(user, "reference-set", "small", "test", **which)
    return data, compared(list(evaluations_of(user, data)), subset=subset)


def test_seeds_are_one_row_and_an_older_evaluation_of_a_seed_is_only_counted(dana: User) -> None:
    data = small_set()
    runs = [evaluated(data, "random", seed=seed) for seed in (0, 1, 1)]
    evaluated(data)
    _, found = comparison(dana)
    assert {one.newest.method: (one.seeds, one.n_earlier) for one in found.systems} == {
        "random": ((0, 1), 1),
        "majority": ((0,), 0),
    }
    random = next(one for one in found.systems if one.newest.method == "random")
    assert [run.pk for run in random.runs] == [runs[0].pk, runs[2].pk]


def test_the_figures_are_those_that_the_evaluation_recorded(dana: User) -> None:
    run = evaluated(small_set(), "random", seed=3)
    _, found = comparison(dana)
    figures = found.systems[0].figures
    assert run.metrics["accuracy"]["value"] == figures.accuracy.value
    assert run.metrics["group_score"]["value"] == figures.group_score.value
    assert sum(one.credit for one in answered_items(run)) == 6 * figures.accuracy.value


def test_a_subset_is_compared_alone(dana: User) -> None:
    items = [replace(one, metadata={"associative": n < 2}) for n, one in enumerate(ITEMS)]
    evaluated(small_set(items))
    data, found = comparison(dana, subset="associative=true")
    assert [(one.name, one.n) for one in found.subsets] == [
        ("associative=true", 2),
        ("associative=false", 4),
    ]
    assert (found.about.n, found.about.n_groups) == (2, 1)
    [row] = comparison_rows(data, found)
    assert (row.n, row.subset) == (2, "associative")
    with pytest.raises(DomainError, match="no subset"):
        comparison(dana, subset="associative=maybe")


def test_subsets_are_of_categories_not_of_names() -> None:
    items = [
        Item(id=str(n), group=str(n), sentence="_", options=("a", "b"), answer=1,
             metadata={"name": f"n{n}", "same": "x", "one": n == 0, "type": 1 + n % 2, "list": [n]})
        for n in range(8)
    ]  # fmt: skip
    # "one" is true of a single item, which is no subset.
    assert [one.name for one in subsets_of(items)] == ["one=false", "type=2", "type=1"]
    assert [one.title for one in subsets_of(items)] == ["not one", "type 2", "type 1"]
    assert subsets_of(items)[1].rows(items) == [1, 3, 5, 7]


def test_other_users_see_evaluations_of_public_data_only(dana: User) -> None:
    hidden = evaluated(imported("hidden"))
    public = evaluated(imported("public", is_public=True))
    release = ReleaseFactory(finished=True, is_public=True)
    dev, test = (
        EvaluationFactory(release=release, split=split, finished=True) for split in ("dev", "test")
    )
    own = EvaluationFactory(release=ReleaseFactory(finished=True), split="dev", finished=True)
    unfinished = EvaluationFactory(release=ReleaseFactory(), finished=True)
    snapshot = EvaluationFactory(
        release=None, snapshot=SnapshotFactory(finished=True), split="all", finished=True
    )
    everything = {hidden, public, dev, test, own, unfinished, snapshot}
    assert set(evaluations_visible_to(dana)) == everything
    assert set(evaluations_visible_to(UserFactory())) == {public, dev}


def test_a_worker_finds_no_comparison_of_a_blind_split() -> None:
    release = ReleaseFactory(finished=True)
    EvaluationFactory(release=release, split="test", finished=True)
    with pytest.raises(DomainError, match="not visible to you"):
        find_comparable(UserFactory(), "release", release.name, "test")
    find_comparable(UserFactory(curator=True), "release", release.name, "test")


@pytest.mark.parametrize(
    ("kind", "name"), [("odd", "small"), ("snapshot", "small"), ("release", "small")]
)
def test_an_address_of_nothing_is_not_found(dana: User, kind: str, name: str) -> None:
    evaluated(small_set())
    with pytest.raises(DomainError) as refusal:
        find_comparable(dana, kind, name, "test")
    assert refusal.value.status == 404


def test_versions_of_the_questions_are_compared_apart(dana: User) -> None:
    data = small_set()
    old = evaluated(data)
    Evaluation.objects.filter(pk=old.pk).update(data_sha256="0" * 64)
    new = evaluated(data)
    found, others = find_comparable(dana, "reference-set", "small", "test")
    assert list(evaluations_of(dana, found)) == [new]
    assert [one.data_sha256 for one in others] == ["0" * 64]
    found, _ = comparison(dana, data="0" * 64)
    assert found.n_evaluations == 1


def test_scores_of_other_questions_than_the_set_has_now_are_refused(dana: User) -> None:
    run = evaluated(small_set())
    line = '{"qID": "other", "prediction": 1, "scores": [1.0, 0.0]}\n'
    Evaluation.objects.filter(pk=run.pk).update(predictions=store.put_bytes(line.encode()))
    with pytest.raises(DomainError, match="Evaluate again"):
        comparison(dana)


def test_evaluations_by_two_code_versions_are_two_systems(dana: User) -> None:
    data = small_set()
    runs = [evaluated(data, "random", seed=seed) for seed in (0, 1, 2)]
    Evaluation.objects.filter(pk=runs[0].pk).update(code_version="0123 torch==1 numpy==2")
    Evaluation.objects.exclude(pk=runs[0].pk).update(code_version="4567 torch==1 numpy==3")
    _, found = comparison(dana)
    assert {one.name: one.seeds for one in found.systems} == {
        "random answers · code 0123 numpy==2": (0,),
        "random answers · code 4567 numpy==3": (1, 2),
    }


def test_the_files_have_the_chance_of_each_systems_own_choices(dana: User) -> None:
    evaluated(small_set())  # always the first option
    data, found = comparison(dana)
    [row] = comparison_rows(data, found)
    assert (row.chance_accuracy, row.chance_group_score) == (0.5, 0)


@pytest.mark.parametrize("transformation", ["", "zero_shot"])
def test_the_hash_of_the_questions_is_the_same_whatever_the_answers(transformation: str) -> None:
    hashes = []
    for name, shift in (("one", 0), ("other", 1)):
        items = [replace(item, answer=1 + ((item.answer or 0) - 1 + shift) % 2) for item in ITEMS]
        data = imported(name, format="items", splits={"test": [item.to_line() for item in items]})
        run = EvaluationFactory(release=None, reference_set=data, split="test",
                                transformation=transformation)  # fmt: skip
        hashes.append(questions_of(run).data_sha256)
    assert hashes[0] == hashes[1]


def test_a_list_names_each_set_once_with_its_best_accuracy(dana: User) -> None:
    data = small_set()
    accuracies = [
        evaluated(data, "random", seed=seed).metrics["accuracy"]["value"] for seed in range(3)
    ]
    [one] = map(as_comparable, comparable(dana))
    assert (one.kind, one.name, one.split, one.n_evaluations) == (
        *("reference-set", "small", "test"),
        3,
    )
    assert one.best["value"] == max(accuracies)


def test_the_best_accuracy_in_the_list_is_of_those_that_answered_most_questions(dana: User) -> None:
    data = small_set()
    runs = [evaluated(data, "random", seed=seed) for seed in range(3)]
    for run, (value, n) in zip(runs, [(1.0, 2), (0.5, 6), (0.6, 6)], strict=True):
        metrics = {"accuracy": {"value": value, "low": None, "high": None, "n": n}}
        Evaluation.objects.filter(pk=run.pk).update(metrics=metrics)
    [one] = map(as_comparable, comparable(dana))
    assert one.best["value"] == 0.6


@pytest.mark.parametrize("ending", FORMATS)
def test_every_file_has_each_system(dana: User, ending: str) -> None:
    data = small_set()
    for method in ("majority", "random"):
        evaluated(data, method)
    write, _ = FORMATS[ending]
    text = write(comparison_rows(*comparison(dana)))
    assert all(name in text for name in ("most frequent answer", "random answers"))


def test_a_file_says_what_a_figure_was_computed_from(dana: User) -> None:
    run = evaluated(small_set())
    write, _ = FORMATS["csv"]
    [row] = csv.DictReader(io.StringIO(write(comparison_rows(*comparison(dana)))))
    for name in ("data_sha256", "code_version", "method", "dtype"):
        assert row[name] == getattr(run, name)
    assert row["evaluations"] == str(run.public_id)


def test_the_time_of_a_system_is_that_of_its_newest_evaluation() -> None:
    data = small_set()
    for seconds in (9.0, 3.0):
        run = evaluated(data)
        EvaluationBlock.objects.filter(run=run).update(seconds=seconds)
        now = timezone.now()
        times = {"started_at": now, "ended_at": now + timedelta(seconds=5)}
        Evaluation.objects.filter(pk=run.pk).update(**times)
    timing = timings_of([])["", "majority", "", "float32"]
    assert (timing.per_question, timing.begin) == (0.5, 2.0)
    assert timing.seconds(10) == 7.0
    Evaluation.objects.update(status=RunStatus.FAILED)
    begun = timings_of([])["", "majority", "", "float32"]
    assert (begun.per_question, begun.begin) == (0.5, 0.0)
    EvaluationBlock.objects.all().delete()
    assert timings_of([]) == {}


def test_predictions_made_elsewhere_are_a_system_for_each_name_and_unanswered_ones_are_wrong(
    dana: User,
) -> None:
    data, items = small_set(), ITEMS
    for name, n in (("A", len(items)), ("B", len(items) - 1)):
        lines = [json.dumps({"qID": one.id, "prediction": one.answer}) for one in items[:n]]
        run = services.store_predictions(
            file=io.BytesIO("\n".join(lines).encode()),
            format="jsonl", system_name=name, reference_set=data, split="test", by=None,
        )  # fmt: skip
        execute_here(run)
    _, found = comparison(dana)
    best, other = (system.figures.accuracy for system in found.systems)
    assert (best.value, other.value) == (1, (len(items) - 1) / len(items))
    run.refresh_from_db()
    assert [one.credit for one in answered_items(run)] == [1] * (len(items) - 1) + [0]


def test_the_seed_of_a_fine_tuned_system_is_that_of_its_training() -> None:
    assert Evaluation(fine_tuning=FineTuning(seed=7)).system_seed == 7
    assert Evaluation(seed=3).system_seed == 3
