"""Scorers in a search for artifacts: their evaluations, and what they cannot be asked."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from corpora.core.forms import clozes
from corpora.core.items import Item
from corpora.models import ReferenceSet
from evaluation import services
from evaluation.core.artifacts.detection import TEXTS
from evaluation.core.artifacts.results import EXCERPTS, results
from evaluation.models import Evaluation, EvaluationBlock
from evaluation.runner.blocks import Blocks
from evaluation.runner.detections import distinct
from modeling.loading import load_model
from modeling.scoring import causal_scores
from tests.evaluation.detection_sets import CLEAN, built, labelled_in
from tests.evaluation.sets import requested, small_set
from tests.filtering.stages import (
    carried,
    lease_ends,
)
from winoplatform.errors import DomainError
from winoplatform.runs.attempts import request_cancel
from winoplatform.runs.kinds import execute_here


def preferred_by(tiny: dict[str, str]) -> ReferenceSet:
    """A set whose answers are what the tiny model prefers in the local context."""
    words = ("trophy", "suitcase", "box", "small", "large", "fit", "too", "not", "because")
    rng, items = np.random.default_rng(0), []
    for n in range(60):
        options = [f"the {one}" for one in rng.choice(words[:3], 2, replace=False)]
        rest = " ".join(rng.choice(words, 4))
        items.append(
            Item(id=f"{n}", group=f"{n}", sentence=f"it is {rest} because _ {rest} .",
                 options=tuple(options))
        )  # fmt: skip
    asked = clozes(TEXTS["local_context"](items).items)
    scores = causal_scores(load_model(tiny["model"], "causal"), asked)
    chosen = [
        replace(item, answer=1 + int(np.argmax(of))) for item, of in zip(items, scores, strict=True)
    ]
    return small_set(chosen)


@pytest.mark.long
def test_a_leak_that_a_language_model_finds_is_named_with_the_model(tiny: dict[str, str]) -> None:
    data = preferred_by(tiny)
    run = carried(services.detect(reference_set=data, by=None, scorers=[tiny]))
    found = results(run.result)
    [leak] = [one for one in found.leaks if one.name == "local_context" and one.scorer]
    assert leak.scorer == "causal · causal language model · whole sentence"
    assert (leak.single.estimate.value, leak.single.estimate.n) == (1.0, 60)
    assert f"This set leaks: {leak.scorer}, which sees" in found.verdict
    texts = run.evaluations.order_by("pk").values_list("transformation", flat=True)
    assert tuple(texts) == EXCERPTS


@pytest.mark.long
@pytest.mark.usefixtures("few_relabellings")
def test_evaluations_that_are_there_are_used_and_those_of_other_code_are_not(
    tiny: dict[str, str],
) -> None:
    data = small_set(CLEAN)
    there = requested(tiny["model"], data=data, variant="full", transformation="local_context")
    old = carried(requested(
        tiny["model"], data=data, variant="full", transformation="no_candidates"
    ))  # fmt: skip
    Evaluation.objects.filter(pk=old.pk).update(code_version="other")
    first = services.detect(reference_set=data, by=None, scorers=[tiny, tiny], seed=1)
    assert (first.evaluations.count(), len(first.scorers)) == (4, 1)
    assert there in first.evaluations.all()
    assert old not in first.evaluations.all()
    carried(first)
    again = carried(services.detect(reference_set=data, by=None, scorers=[tiny], seed=1))
    assert set(again.evaluations.all()) == set(first.evaluations.all())
    assert again.result == first.result


@pytest.mark.long
@pytest.mark.usefixtures("few_relabellings")
def test_a_killed_search_keeps_the_scores_that_its_evaluations_have_recorded(
    tiny: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = small_set(CLEAN)
    unbroken = carried(services.detect(reference_set=data, by=None, scorers=[tiny]))
    Evaluation.objects.update(code_version="other")
    run = services.detect(reference_set=data, by=None, scorers=[tiny])
    run.evaluations.update(block_size=10)
    second = run.evaluations.order_by("pk")[1]
    with monkeypatch.context() as patch:
        patch.setattr(Blocks, "score", dies_in(Blocks.score, second.pk))
        with pytest.raises(KeyboardInterrupt):
            execute_here(run)
    for one in (run, second):
        lease_ends(one)
    done = EvaluationBlock.objects.filter(run__in=run.evaluations.all()).count()
    assert done == 4  # of three blocks each
    assert carried(run).result == unbroken.result
    attempts = EvaluationBlock.objects.filter(run=second).values_list("attempt", flat=True)
    assert sorted(attempts) == [1, 2, 2]


def dies_in(score: Any, pk: int) -> Any:
    """Return what scores blocks, and dies in the second block of an evaluation."""

    def scored(blocks: Blocks, scorer: Any, number: int) -> EvaluationBlock:
        if (blocks.run.pk, number) == (pk, 2):
            raise KeyboardInterrupt
        return score(blocks, scorer, number)  # type: ignore[no-any-return]

    return scored


@pytest.mark.long
@pytest.mark.usefixtures("few_relabellings")
def test_a_release_is_scored_on_each_of_its_labelled_splits(tiny: dict[str, str]) -> None:
    release = built()
    run = carried(services.detect(release=release, by=None, scorers=[tiny]))
    splits = run.evaluations.order_by("split").values_list("split", flat=True).distinct()
    assert list(splits) == ["dev", "train"]
    scored = next(one for one in results(run.result).detected if one.scorer)
    assert scored.n == len(labelled_in(release, "train", "dev"))


@pytest.mark.long
@pytest.mark.usefixtures("few_relabellings")
def test_what_a_scorer_cannot_be_asked_is_said(tiny: dict[str, str]) -> None:
    data, partial = small_set(CLEAN), tiny | {"variant": "partial"}
    run = services.detect(reference_set=data, by=None, scorers=[partial])
    failed = run.evaluations.get(transformation="part_sentence")
    request_cancel(failed)
    carried(run)
    scorer = " · causal · causal language model · text after the option"
    assert run.result["not_run"] == {
        f"part_sentence{scorer}": "its evaluation was cancelled",
        f"candidates_only{scorer}": "it scores the text after the option, and nothing follows the "
        "option",
    }


@pytest.mark.parametrize(
    ("scorer", "code"),
    [
        ({"method": "majority"}, "scorer_unsuitable"),
        ({"method": "special_word"}, "scorer_unsuitable"),
        ({"method": "predictions"}, "scorer_unsuitable"),
        ({"method": "nothing"}, "scorer_unsuitable"),
        ({"method": "causal", "model": "/not/permitted"}, "model_refused"),
        ({"method": "cooccurrence"}, "no_corpus"),
    ],
)
def test_scorers_that_cannot_look_for_artifacts_are_refused(
    scorer: dict[str, str], code: str
) -> None:
    with pytest.raises(DomainError) as refused:
        services.detect(reference_set=small_set(CLEAN), by=None, scorers=[scorer])
    assert refused.value.code == code
    assert not Evaluation.objects.exists()


def test_a_search_has_six_scorers_at_most(tiny: dict[str, str]) -> None:
    seven = [tiny | {"model": f"{tiny['model']}{n}"} for n in range(7)]
    with pytest.raises(DomainError, match="at most 6 scorers"):
        services.detect(reference_set=small_set(CLEAN), by=None, scorers=seven)


def test_names_of_models_in_different_folders_are_told_apart() -> None:
    assert distinct(["one", "two", "one"]) == ["one (1)", "two", "one (2)"]
