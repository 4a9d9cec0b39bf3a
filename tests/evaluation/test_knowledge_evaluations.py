"""Evaluations on knowledge as runs: answers, figures, a killed worker, who may see them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ValidationError

from evaluation import services
from evaluation.core.knowledge.documents import figures_of
from evaluation.models import Evaluation
from evaluation.selectors import recorded_answers, statements_visible_to
from knowledge.core.statistics import SEEDS
from tests.evaluation.knowledge_sets import (
    POSITIONS,
    asked,
    problems,
    reasons,
    release_of,
)
from tests.evaluation.sets import failure_of, tiny_model
from tests.factories import KnowledgeEvaluationFactory, KnowledgeReleaseFactory, UserFactory
from tests.filtering.stages import carried, killed_after
from winoplatform import clock
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here

LABELS = ("contradiction", "neutral", "entailment")


@pytest.fixture
def model(tmp_path: Path, settings: Any) -> Any:
    """A function that saves a tiny model for a method; returns what a request says of both."""

    def saved(method: str) -> dict[str, str]:
        use = "pooled" if method == "classifier" else method
        labels = {"labels": LABELS} if method == "entailment" else {}
        spec = tiny_model(tmp_path, settings, use, positions=POSITIONS, **labels)
        return {"method": method, "model": spec}

    return saved


@pytest.mark.long
@pytest.mark.parametrize("method", ["causal", "masked", "entailment"])
def test_every_problem_of_a_release_has_an_answer_by_the_sign_of_its_margin(
    method: str, model: Any
) -> None:
    run = carried(asked(knowledge_release=release_of(problems(4)), **model(method)))
    rows = list(recorded_answers(run))
    assert [(row["variant"], row["id"]) for row in rows[:2]] == [
        ("variable", "p0-1"),
        ("variable", "p0-2"),
    ]
    assert len(rows) == 24 == run.total == run.done
    for row in rows:
        assert row["answers"] == [(np.sign(row["margins"][0]) + 1) / 2]
    [found] = figures_of(run.figures, of="all", variant="variable")
    assert found.accuracy.n == 8
    assert found.pairs.n == 4
    right = [row["answers"][0] == row["label"] for row in rows if row["variant"] == "variable"]
    assert found.accuracy.value == np.mean(right)
    json.dumps(run.figures, allow_nan=False)


def test_a_classifier_answers_once_for_each_seed_and_the_most_alike_rates_are_recorded(
    model: Any,
) -> None:
    reasons()
    run = carried(asked(knowledge_release=release_of(problems(4)), **model("classifier")))
    assert (run.trained_on, run.seeds, run.rates_of) == ("winowhy", list(SEEDS), "BERT (base)")
    rows = [row for row in recorded_answers(run) if row["variant"] == "natural"]
    right = np.array([[one == row["label"] for one in row["answers"]] for row in rows])
    found = figures_of(run.figures, of="all", variant="natural")
    assert [one.accuracy.value for one in found] == right.mean(axis=0).tolist()
    assert len({tuple(row["margins"]) for row in rows}) == len(rows)
    assert all(len(set(row["margins"])) == len(SEEDS) for row in rows)


@pytest.mark.long
@pytest.mark.parametrize("method", ["causal", "classifier"])
def test_a_killed_evaluation_ends_with_the_same_bytes(method: str, model: Any) -> None:
    reasons(8)
    of = {"knowledge_release": release_of(problems(4)), **model(method)}
    whole = carried(asked(**of))
    run = asked(**of)
    killed_after(run, 2)
    assert run.steps.count() == 2
    assert run.status == "running"
    again = carried(run)
    assert again.attempt == 2
    assert again.predictions == whole.predictions
    assert again.figures == whole.figures
    assert again.steps.filter(attempt=1).count() == 2


def test_an_evaluation_that_began_with_other_statements_is_not_continued(model: Any) -> None:
    reasons(8)
    run = asked(knowledge_release=release_of(problems(4)), **model("classifier"))
    killed_after(run, 1)
    run.knowledge_release.files.all().delete()
    Evaluation.objects.filter(pk=run.pk).update(data_sha256="0" * 64)
    execute_here(run)
    assert "The first steps of this evaluation have data_sha256" in failure_of(run)


def test_figures_are_also_of_the_valid_problems_that_people_validated(model: Any) -> None:
    made = problems(2, valid=True) + [
        one for one in problems(4, valid=False) if one.pair in ("p2", "p3")
    ]
    run = carried(asked(knowledge_release=release_of(made), **model("causal")))
    assert {name: one["n"] for name, one in run.figures["counts"].items()} == {
        "all": 8,
        "valid": 4,
    }
    assert run.figures["counts"]["valid"]["kinds"] == {"negation": 1, "swapped": 1, "true": 2}
    [found] = figures_of(run.figures, of="valid", variant="natural")
    assert (found.accuracy.n, found.pairs.n) == (4, 2)
    assert "fewer than 10 groups" in run.figures["detectors"]["natural"]["not_run"]


def test_reasons_are_scored_by_classifiers_of_the_other_folds(model: Any) -> None:
    reasons(30)
    run = carried(asked(reasons="winowhy", seeds=[3], **model("classifier")))
    assert run.steps.count() == 5
    of_reasons = run.figures["figures"]["all"]["reasons"][0]
    assert of_reasons["accuracy"]["n"] == 60
    assert len(of_reasons["by_fold"]) == 5
    assert {name: one["n"] for name, one in of_reasons["by_type"].items()} == {
        "object": 30,
        "spatial": 60,
    }
    assert run.figures["figures"]["not circular"]["reasons"][0]["accuracy"]["n"] == 48
    assert run.figures["left_out"] == {"undecided by the people asked": 30}


@pytest.mark.long
def test_a_majority_counts_ties_half(model: Any) -> None:
    release = release_of(problems(4))
    first = carried(asked(knowledge_release=release, **model("causal")))
    second = carried(asked(knowledge_release=release, **model("masked")))
    run = carried(services.combine(members=[first, second], by=None))
    assert run.baseline == 1
    rows = zip(*map(recorded_answers, (first, second, run)), strict=True)
    for one, other, both in rows:
        mean = (one["answers"][0] + other["answers"][0]) / 2
        assert both["answers"] == [mean]


def test_the_same_members_have_one_majority_unless_it_failed() -> None:
    release = KnowledgeReleaseFactory(finished=True)
    runs = [
        KnowledgeEvaluationFactory(finished=True, knowledge_release=release, model=f"pkg:m/{n}")
        for n in range(3)
    ]
    first = services.combine(members=runs[:2], by=None)
    assert services.combine(members=runs[1::-1], by=None) == first
    assert services.combine(members=runs, by=None) != first
    Evaluation.objects.filter(pk=first.pk).update(status="failed", ended_at=clock.now())
    again = services.combine(members=runs[:2], by=None)
    assert again != first
    assert set(again.members.all()) == {*runs[:2]}


def test_members_that_scored_other_statements_have_no_majority(model: Any) -> None:
    of = model("causal")
    runs = [
        carried(asked(knowledge_release=release_of(problems(n), name=f"r{n}"), **of))
        for n in (2, 4)
    ]
    with pytest.raises(DomainError, match="same method, statements and seeds"):
        services.combine(members=runs, by=None)
    with pytest.raises(DomainError, match="at least two different members"):
        services.combine(members=runs[:1], by=None)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"method": "causal", "seeds": [1]}, "A classifier, and no other method"),
        ({"method": "causal", "is_frozen": False}, "A classifier, and no other method"),
        ({"method": "classifier", "seeds": [1, 1]}, "Each seed is named once"),
        ({"method": "classifier", "is_frozen": False, "dtype": "bfloat16"}, "trained in float32"),
        ({"method": "causal", "reasons": "winowhy"}, "of a knowledge release or of reasons"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    fields: dict[str, Any], said: str, model: Any
) -> None:
    reasons(4)
    with pytest.raises(ValidationError, match=said):
        asked(**({"knowledge_release": release_of(problems(2))} | model(fields["method"]) | fields))


def test_unknown_reasons_and_unsuitable_models_are_refused(model: Any) -> None:
    release = release_of(problems(2))
    with pytest.raises(DomainError, match="no reasons named “winowhy”"):
        asked(knowledge_release=release, **model("classifier"))
    with pytest.raises(DomainError, match="needs a causal language model"):
        asked(knowledge_release=release, **model("masked") | {"method": "causal"})


@pytest.mark.long
def test_only_curators_see_answers_about_reasons_and_about_sets_that_are_theirs(model: Any) -> None:
    reasons(10)
    of = model("causal")
    public, own = (
        release_of(problems(2), name=name, is_public=is_public)
        for name, is_public in (("public", True), ("own", False))
    )
    runs = [
        carried(asked(**data, **of))
        for data in (
            {"knowledge_release": public},
            {"knowledge_release": own},
            {"reasons": "winowhy"},
        )
    ]
    assert list(statements_visible_to(UserFactory())) == [runs[0]]
    curator = UserFactory(role="curator")
    assert statements_visible_to(curator).count() == 3


def test_stored_answers_tell_no_path(model: Any) -> None:
    run = carried(asked(knowledge_release=release_of(problems(2)), **model("causal")))
    assert run.predictions is not None
    with store.open_artifact(run.predictions) as file:
        assert b"/" not in file.read()
