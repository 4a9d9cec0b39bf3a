"""What an evaluation may be of, and what its method gets and gives, without a large model."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from corpora.core import transformations
from corpora.core.items import Item
from corpora.core.transformations import Transformed
from evaluation import services
from evaluation.methods import METHODS, Block, Job, Method, Progress, Scorer
from evaluation.models import Evaluation, EvaluationBlock
from frontend.runs.reads import campaign_of
from modeling.specs import SMOLLM2
from tests.evaluation.sets import ITEMS, failure_of, small_set
from tests.factories import EvaluationFactory, SnapshotFactory
from tests.filtering.stages import (
    carried,
    contents,
    filtered,
    frozen,
    read,
    release_of,
    rows,
    snapshot_of,
)
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here

Given = list[Item]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Given:
    """Collect the items that the method “flat” gets; it gives all options the same score."""
    found: Given = []

    def begin(job: Job) -> Scorer:
        def score(block: Block, progress: Progress) -> list[Any]:
            found.extend(block.items)
            return [np.zeros(len(item.options)) for item in block.items]

        return score

    monkeypatch.setitem(METHODS, "flat", Method(name="flat", title="flat", begin=begin))
    return found


def flat(**fields: Any) -> Evaluation:
    asked = {"method": "flat", "by": None} | fields
    run: Evaluation = carried(services.evaluate(**asked))
    return run


def test_a_method_gets_no_answers(given: Given) -> None:
    flat(reference_set=small_set())
    assert {item.id for item in given} == {item.id for item in ITEMS}
    assert {item.answer for item in given} == {None}


def test_a_tie_shares_the_credit_and_predicts_the_first_option(given: Given) -> None:
    three = Item(id="x", group="x", sentence="_ is .", options=("a", "b", "c"), answer=3)
    run = flat(reference_set=small_set([*ITEMS, three]))
    assert run.metrics["accuracy"]["value"] == pytest.approx((6 / 2 + 1 / 3) / 7)
    assert run.metrics["group_score"]["value"] == pytest.approx(1 / 4)
    assert run.metrics["chance"]["value"] == pytest.approx((6 / 2 + 1 / 3) / 7)
    assert {row["prediction"] for row in rows(read(run.predictions))} == {1}


def test_a_snapshot_is_scored_whole(given: Given) -> None:
    questions = frozen(pairs=2, unpaired=1)
    run = flat(snapshot=snapshot_of(questions))
    assert (run.split, run.metrics["accuracy"]["n"], run.metrics["group_score"]["n"]) == (
        "all", 5, 2,
    )  # fmt: skip
    assert {item.sentence for item in given} == {question.sentence for question in questions}
    assert campaign_of(run) == run.snapshot.campaign


def test_an_evaluation_waits_for_its_snapshot(given: Given) -> None:
    run = services.evaluate(snapshot=SnapshotFactory(), method="flat", by=None)
    execute_here(run)
    run.refresh_from_db()
    assert run.status == "queued"


@pytest.mark.long
def test_the_options_of_a_release_are_scored_as_published(given: Given) -> None:
    release = carried(release_of(filtered(frozen(pairs=20), dev_share="0.5"), "first"))
    run = flat(release=release)
    published = {row["qID"]: row for row in rows(contents(release)["dev.jsonl"])}
    assert run.split == "dev"
    assert {item.id for item in given} == set(published)
    for item in given:
        row = published[item.id]
        shown = (row["sentence"], row["option1"], row["option2"])
        assert (item.sentence, *item.options) == shown


def without(reason: str, keep: int) -> Callable[[Sequence[Item]], Transformed]:
    def transform(items: Sequence[Item]) -> Transformed:
        kept = [replace(item, sentence="_ .") for item in items[:keep]]
        return Transformed(kept, Counter({reason: len(items) - keep}))

    return transform


def test_a_transformation_is_applied_first_and_its_losses_are_counted(
    given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(transformations.TRANSFORMATIONS, "cut", without("no marker", 4))
    run = flat(reference_set=small_set(), transformation="cut")
    assert (run.metrics["accuracy"]["n"], run.dropped) == (4, {"no marker": 2})
    assert {item.sentence for item in given} == {"_ ."}


@pytest.mark.parametrize(
    ("transform", "sentence"),
    [
        (without("no marker", 0), "The transformation “cut” drops all 6 questions (no marker: 6)."),
        (lambda items: Transformed([*items, items[0]], Counter()), "the id '0-1' is there 2 times"),
    ],
)
def test_a_transformation_that_leaves_nothing_to_score_fails_the_run(
    given: Given, monkeypatch: pytest.MonkeyPatch, transform: Any, sentence: str
) -> None:
    monkeypatch.setitem(transformations.TRANSFORMATIONS, "cut", transform)
    run = services.evaluate(reference_set=small_set(), method="flat", transformation="cut", by=None)
    execute_here(run)
    assert sentence in failure_of(run)


@pytest.mark.parametrize("wrong", [[0.0], [0.0, float("nan")], [0.0, 1.0, 2.0]])
def test_scores_that_do_not_fit_the_options_fail_the_run(
    monkeypatch: pytest.MonkeyPatch, wrong: list[float]
) -> None:
    def begin(job: Job) -> Scorer:
        return lambda block, _: [np.array(wrong) for _item in block.items]

    monkeypatch.setitem(METHODS, "wrong", Method(name="wrong", title="wrong", begin=begin))
    run = services.evaluate(reference_set=small_set(), method="wrong", by=None)
    execute_here(run)
    assert "has 2 options and needs as many finite scores" in failure_of(run)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"method": "oracle"}, "The method is one of: "),
        ({"method": "causal"}, "This method needs a model."),
        ({"model": "acme/large"}, "This method has no model; leave it empty."),
        ({"variant": "partial"}, "The variant is one of: none."),
        ({"method": "causal", "model": "a/b", "variant": "span"}, "one of: partial, full"),
        ({"transformation": "odd"}, "The transformation is one of: "),
        ({"dtype": "int8"}, "is not a valid choice"),
    ],
)
def test_a_request_that_does_not_fit_the_method_is_refused(
    settings: Any, asked: dict[str, str], sentence: str
) -> None:
    settings.ENCODER_HUB_IDS = ["*"]
    with pytest.raises(ValidationError, match=sentence):
        services.evaluate(**{"reference_set": small_set(), "method": "random", "by": None} | asked)


@pytest.mark.parametrize(
    ("model", "code"),
    [("acme/large", "model_refused"), ("./here", "model_refused"), ("pkg:", "model_unknown")],
)
def test_a_model_that_the_operator_does_not_permit_is_refused(
    settings: Any, model: str, code: str
) -> None:
    settings.ENCODER_HUB_IDS = []
    with pytest.raises(DomainError) as caught:
        services.evaluate(reference_set=small_set(), method="causal", model=model, by=None)
    assert caught.value.code == code


def test_a_model_that_is_no_model_for_the_method_is_refused_before_the_start() -> None:
    with pytest.raises(DomainError, match="is a causal language model") as caught:
        services.evaluate(reference_set=small_set(), method="masked", model=SMOLLM2, by=None)
    assert "needs a masked language model, and" in caught.value.message
    assert not Evaluation.objects.exists()


def test_an_evaluation_is_of_one_set_with_a_split_that_it_has() -> None:
    data = small_set()
    for asked in ({}, {"reference_set": data, "snapshot": SnapshotFactory(finished=True)}):
        with pytest.raises((ValidationError, DomainError)):
            services.evaluate(method="random", by=None, **asked)
    with pytest.raises(DomainError, match="A snapshot is scored whole"):
        services.evaluate(snapshot=SnapshotFactory(), method="random", split="dev", by=None)
    with pytest.raises(DomainError, match="name a release"):
        services.evaluate(snapshot=SnapshotFactory(), method="linear", by=None)
    assert services.evaluate(reference_set=data, method="random", by=None).split == "test"


def block_twice() -> None:
    run = EvaluationFactory()
    for _ in range(2):
        EvaluationBlock.objects.create(run=run, number=1, attempt=1, seconds=0, scores=[0.5])


def changed(**fields: Any) -> Callable[[], object]:
    return lambda: Evaluation.objects.filter(pk=EvaluationFactory().pk).update(**fields)


@pytest.mark.parametrize(
    ("constraint", "break_it"),
    [
        ("evaluation_evaluation_is_of_one_set", changed(release=None)),
        ("evaluation_evaluation_is_of_one_set", changed(reasons="winowhy")),
        ("evaluation_evaluation_classifier_is_trained", changed(seeds=[1])),
        (
            "evaluation_evaluation_done_has_its_results",
            lambda: EvaluationFactory(finished=True, metrics=None),
        ),
        (
            "evaluation_evaluation_snapshot_is_scored_whole",
            lambda: EvaluationFactory(release=None, snapshot=SnapshotFactory(), split="dev"),
        ),
        ("evaluation_evaluation_linear_has_an_encoding", changed(method="linear")),
        (
            "evaluation_evaluation_encoding_has_no_transformation",
            lambda: EvaluationFactory(method="linear", transformation="cut"),
        ),
        ("evaluation_evaluationblock_is_recorded_once", block_twice),
    ],
)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        break_it()


def test_an_evaluation_differs_from_an_open_one_by_model_variant_or_transformation() -> None:
    first = EvaluationFactory(method="causal", model="a/b", variant="full")
    again = {"release": first.release, "method": "causal", "model": "a/b", "variant": "full"}
    for other in ({"model": "a/c"}, {"variant": "partial"}, {"transformation": "cut"}):
        EvaluationFactory(**again | other)
    with pytest.raises(IntegrityError, match="is_open_once"), transaction.atomic():
        EvaluationFactory(**again)


def test_only_language_models_occupy_the_heavy_queue() -> None:
    assert EvaluationFactory().queue == "light"
    assert EvaluationFactory(method="causal", model="a/b", variant="full").queue == "heavy"
