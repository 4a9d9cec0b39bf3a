"""Fine-tuned models: what they learn, kills at any checkpoint, and ordinary evaluations of them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from django.core.exceptions import ValidationError
from django.core.files.storage import storages
from django.utils import timezone

from corpora.models import ReferenceSet
from corpora.selectors import load_items
from corpora.services import derive_reference_set
from evaluation import services
from evaluation.models import Evaluation, FineTuning
from evaluation.runner import fine_tunings
from evaluation.selectors import cost_of, training_dynamics
from evaluation.services import SplitOf
from tests.evaluation.grids import cell, finish, ids_of
from tests.evaluation.training import FAST, fine_tuned, planted_set
from tests.factories import ReleaseFactory
from tests.filtering.stages import Killed, carried, kill, killed_after, lease_ends, read, rows
from winoplatform.artifacts import upkeep
from winoplatform.errors import DomainError
from winoplatform.runs import helping
from winoplatform.runs.kinds import execute_here

LATER = [(0, None), (1, None), (3, None), (0, 2), (1, 2), (3, 2), (9, 2)]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """The same bytes need the same number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(helping.current_app, "send_task", lambda *_, **__: None)
        yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def keys(kept: str, one_thread: None) -> tuple[int, int]:
    """A set, and a model that was trained on it."""
    data = planted_set()
    return data.pk, carried(fine_tuned(data)).pk


@pytest.fixture
def data(keys: tuple[int, int]) -> ReferenceSet:
    return ReferenceSet.objects.get(pk=keys[0])


@pytest.fixture
def trained(keys: tuple[int, int]) -> FineTuning:
    return FineTuning.objects.get(pk=keys[1])


def outcome(run: FineTuning) -> list[Any]:
    steps = run.steps.values_list("number", "epoch", "batch", "loss", "dev_accuracy")
    return [run.weights_id, run.dynamics_id, run.dev_metrics, run.training_loss, *steps]


def files() -> set[str]:
    storage = storages["artifacts"]
    return {name for folder in storage.listdir("")[0] for name in storage.listdir(folder)[1]}


def scored(model: FineTuning, data: ReferenceSet, **fields: Any) -> Evaluation:
    asked = {"method": "fine_tuned", "split": "test", "by": None} | fields
    return services.evaluate(fine_tuning=model, reference_set=data, **asked)


def test_a_planted_cue_is_learned_and_an_ordinary_evaluation_shows_it(data: ReferenceSet) -> None:
    model = fine_tuned(data, seed=5)
    evaluation = scored(model, data)
    execute_here(evaluation)
    evaluation.refresh_from_db()
    assert evaluation.status == "queued"  # it waits for the model
    carried(model)
    assert model.dev_metrics["accuracy"]["value"] > 0.9
    assert model.dev_metrics["group_score"]["n"] == 10
    assert (model.n_train, model.is_collapsed) == (40, False)
    assert (model.done, model.total) == (120, 120)
    carried(evaluation)
    assert evaluation.metrics["accuracy"]["value"] > 0.9
    assert evaluation.weights_sha256 == model.weights_id
    assert (evaluation.n_learned, evaluation.warning) == (0, "")
    assert len(rows(read(evaluation.predictions))) == 20


def test_the_scores_of_dev_are_those_of_the_weights_that_are_kept(
    data: ReferenceSet, trained: FineTuning
) -> None:
    evaluation = carried(scored(trained, data, split="dev"))
    assert evaluation.metrics["accuracy"] == trained.dev_metrics["accuracy"]
    assert evaluation.metrics["group_score"] == trained.dev_metrics["group_score"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("records", "every"),
    [(4, 2), *(pytest.param(*case, marks=pytest.mark.long) for case in LATER)],
)
def test_killed_anywhere_it_ends_with_the_same_bytes(
    data: ReferenceSet, records: int, every: int | None
) -> None:
    unbroken = carried(fine_tuned(data, checkpoint_every=every))
    run = fine_tuned(data, checkpoint_every=every)
    killed_after(run, records) if records < (9 if every else 3) else _killed_at_end(run)
    assert run.steps.count() == records
    carried(run)
    assert outcome(run) == outcome(unbroken)
    assert run.steps.count() == (9 if every else 3)


def _killed_at_end(run: FineTuning) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fine_tunings, "_finish", kill)
        with pytest.raises(Killed):
            execute_here(run)
    lease_ends(run)
    run.refresh_from_db()


@pytest.mark.long
def test_states_are_held_while_something_may_go_on_from_them_and_no_longer(
    data: ReferenceSet,
) -> None:
    run = fine_tuned(data, checkpoint_every=2)
    before = files()
    killed_after(run, 5)
    upkeep.sweep(now=timezone.now() + upkeep.KEPT_UNREFERENCED)  # what was not recorded any more
    held = set(run.steps.exclude(state=None).values_list("state_id", flat=True))
    seen = set(run.steps.exclude(probabilities=None).values_list("probabilities_id", flat=True))
    assert (len(held), len(seen)) == (2, 1)  # the newest, and the end of the best epoch
    assert files() - before == held | seen
    carried(run)
    upkeep.sweep(now=timezone.now() + upkeep.KEPT_UNREFERENCED)
    assert files() - before == {run.weights_id, run.dynamics_id}


def test_the_dynamics_have_the_probability_of_each_answer_in_each_epoch(
    trained: FineTuning,
) -> None:
    found = training_dynamics(trained)
    assert len(set(found.ids)) == 40
    assert found.probabilities.shape == found.right.shape == (3, 40)
    assert found.probabilities[-1].mean() > found.probabilities[0].mean()
    np.testing.assert_array_equal(found.right, found.probabilities > 0.5)


@pytest.mark.long
def test_a_model_goes_on_from_another_one_and_waits_for_it(data: ReferenceSet) -> None:
    first = fine_tuned(data, seed=5)
    second = fine_tuned(data, train_split="test", before=first, epochs=1, learning_rate=1e-6)
    execute_here(second)
    second.refresh_from_db()
    assert second.status == "queued"
    carried(first)
    carried(second)
    assert second.base_sha256 == first.weights_id
    assert second.dev_metrics["accuracy"]["value"] > 0.9  # from scratch it would not learn so fast
    alone = carried(fine_tuned(data, train_split="test", epochs=1, learning_rate=1e-6))
    assert alone.dev_metrics["accuracy"]["value"] < 0.9


@pytest.mark.long
def test_the_head_of_a_masked_model_is_trained_and_scored(data: ReferenceSet) -> None:
    model = carried(fine_tuned(data, loss="mc_mlm"))
    assert model.dev_metrics["accuracy"]["value"] > 0.9
    evaluation = carried(scored(model, data, split="dev"))
    assert evaluation.metrics["accuracy"] == model.dev_metrics["accuracy"]


@pytest.mark.long
def test_a_sample_has_whole_pairs_and_grows_with_its_size(data: ReferenceSet) -> None:
    small = training_dynamics(carried(fine_tuned(data, size=10, epochs=1))).ids
    large = training_dynamics(carried(fine_tuned(data, size=20, epochs=1))).ids
    assert len(small) == 10
    assert set(small) < set(large)
    assert {id[:-1] + "1" for id in small} | {id[:-1] + "2" for id in small} == set(small)


@pytest.mark.long
def test_training_on_texts_without_the_candidates_finds_no_planted_cue(data: ReferenceSet) -> None:
    """The cue is in the options, which stay; without a cue there is nothing to learn."""
    with pytest.raises(ValidationError, match="writes the answers"):
        fine_tuned(data, transformation="zero_shot")
    run = carried(fine_tuned(data, transformation="local_context", epochs=1))
    assert run.n_train == 40


@pytest.mark.long
def test_an_evaluation_says_how_many_of_its_questions_were_trained_on(data: ReferenceSet) -> None:
    model = carried(fine_tuned(data, epochs=1))
    copy = planted_set("copy", test=3)
    assert carried(scored(model, copy)).n_learned == 0
    with pytest.raises(DomainError, match="was trained on train of this set"):
        scored(model, data, split="train")
    same = planted_set_of(data)
    evaluation = carried(scored(model, same))
    assert evaluation.n_learned == 40
    assert "trained on 40 of these questions" in evaluation.warning


def planted_set_of(data: ReferenceSet) -> ReferenceSet:
    """Another set with the questions that *data* trains on."""
    items = list(load_items(data.splits.get(name="train")))
    return derive_reference_set(name="same", title="Same", of=data, splits={"test": items}, by=None)


def test_no_model_is_trained_on_blind_questions_or_chosen_by_them(trained: FineTuning) -> None:
    release = ReleaseFactory.create()
    open_split = SplitOf("train", release=release)
    with pytest.raises(DomainError, match="blind"):
        services.fine_tune(by=None, train=SplitOf("test", release=release), **FAST)
    with pytest.raises(DomainError, match="blind"):
        services.fine_tune(by=None, train=SplitOf("train+test", release=release), **FAST)
    with pytest.raises(DomainError, match="blind"):
        services.fine_tune(by=None, train=open_split, dev=SplitOf("test", release=release), **FAST)
    with pytest.raises(ValidationError, match="only its training sets and dev"):
        services.fine_tune(by=None, train=SplitOf("elsewhere", release=release), **FAST)
    assert FineTuning.objects.get().pk == trained.pk


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"train_split": "none"}, "has no split “none”"),
        ({"size": 41}, "asks for 41 of 40"),
        ({"model": "/somewhere/else"}, "not among those that the operator"),
        ({"model": ""}, "Name the model"),
        ({"train_split": "train+dev", "dev": "dev"}, "trained on dev and chosen by it"),
    ],
)
def test_a_refusal_is_a_sentence(data: ReferenceSet, changes: dict[str, Any], said: str) -> None:
    if "dev" in changes:
        changes = changes | {"dev": SplitOf(changes["dev"], reference_set=data)}
    with pytest.raises(DomainError, match=said):
        fine_tuned(data, **changes)


@pytest.mark.long
def test_without_dev_questions_the_last_epoch_is_kept(data: ReferenceSet) -> None:
    run = carried(fine_tuned(data, train_split="train+dev", epochs=1))
    assert (run.keep, run.n_train, run.dev_metrics, run.is_collapsed) == ("final", 60, None, None)


@pytest.mark.parametrize("status", ["running", "cancelled", "done"])
def test_the_steps_of_a_training_say_what_others_will_take(data: ReferenceSet, status: str) -> None:
    asked = FAST | {"batch_size": 4}  # others here have 8
    of = services.plan_fine_tuning(train=SplitOf("train", reference_set=data), **asked)
    assert cost_of([of]).seconds is None
    run = finish(cell(None, data, batch_size=4), 0.6, ids_of(data))  # a step of 2 seconds
    FineTuning.objects.filter(pk=run.pk).update(status=status, done=40)
    cost = cost_of([of, of])
    assert (cost.n_train, cost.passes) == (40, 240)
    assert cost.seconds == pytest.approx(240 * 2 / 40)
