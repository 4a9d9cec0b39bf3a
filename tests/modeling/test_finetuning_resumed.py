"""Trainings beside others: unbroken ones, transformers' own, and planted label errors."""

import random
from dataclasses import fields

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from modeling.encoders import load_encoder
from modeling.finetuning import FineTuneSettings, Questions, fine_tune, texts_of
from modeling.finetuning.questions import accuracy, table_of
from modeling.loading import load_model
from modeling.scoring import choice_scores
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER
from tests.data_dir import needs_data
from tests.modeling.cues import fast, planted, settings
from tests.modeling.planted_errors import share_found
from tests.winogrande_data import winogrande_questions
from training.core.seeds import Cartography, cartography

pytestmark = pytest.mark.usefixtures("one_torch_thread")
LOADERS = {
    "choice": lambda: load_model(TINY_ENCODER, "choice", head_seed=4),
    "pooled": lambda: load_encoder(TINY_ENCODER),
}
# 18 questions: two updates of 8 and one of 2 in an epoch.
EACH = settings(epochs=2, batch_size=4, accumulation=2, checkpoint_every=1)


def trained(use, given=EACH, **options):
    return list(fine_tune(LOADERS[use](), planted(18), planted(6), given, **options))


@pytest.fixture(scope="module", params=LOADERS)
def unbroken(request):
    return request.param, trained(request.param)


def same(one, other):
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.name == "state":
            assert a.keys() == b.keys()
            for name, tensor in a.items():
                torch.testing.assert_close(tensor, b[name], rtol=0, atol=0, equal_nan=True)
        elif isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)
        else:
            assert a == b


@pytest.mark.long
def test_checkpoints_are_numbered_and_end_epochs(unbroken):
    _, found = unbroken
    places = [(point.number, point.epoch, point.batch, point.is_epoch_end) for point in found]
    assert places == [
        (1, 1, 1, False),
        (2, 1, 2, False),
        (3, 1, 3, True),
        (4, 2, 1, False),
        (5, 2, 2, False),
        (6, 2, 3, True),
    ]
    assert [point.dev_accuracy is None for point in found] == [not end for *_, end in places]
    assert [point.train_probabilities is None for point in found] == [not end for *_, end in places]


@pytest.mark.long
@pytest.mark.parametrize("killed_after", range(1, 7))
def test_a_resumed_training_gives_the_same_bytes(unbroken, killed_after, tmp_path):
    use, expected = unbroken
    save_file(expected[killed_after - 1].state, tmp_path / "state")
    resumed = trained(use, state=load_file(tmp_path / "state"))
    assert len(resumed) == 6 - killed_after
    for one, other in zip(resumed, expected[killed_after:], strict=True):
        same(one, other)


@pytest.mark.long
def test_checkpoints_do_not_change_the_result(unbroken):
    use, expected = unbroken
    rarely = settings(epochs=2, batch_size=4, accumulation=2)
    found = trained(use, rarely)
    assert [point.number for point in found] == [1, 2]
    for name, tensor in found[-1].state.items():
        if name != "trace.place":
            assert torch.equal(tensor, expected[-1].state[name])


def test_only_a_state_from_which_training_goes_on_has_the_optimizer(unbroken):
    _, found = unbroken
    kept = [any(name.startswith("optimizer.") for name in point.state) for point in found]
    assert kept == [True] * 5 + [False]


def test_each_epochs_probabilities_are_of_all_training_questions(unbroken):
    _, found = unbroken
    for point in (found[2], found[5]):
        assert point.train_probabilities.shape == (18,)
        loss = -np.log(point.train_probabilities.astype(float)).mean()
        assert loss == pytest.approx(point.loss, rel=1e-5)


def test_another_seed_gives_another_training(unbroken):
    use, found = unbroken
    other = trained(use, settings(epochs=1, batch_size=4, accumulation=2, seed=5))
    assert other[0].loss != found[2].loss


@pytest.mark.long
def test_two_threads_give_the_same_bytes_each_time():
    torch.set_num_threads(2)
    try:
        one, other = (trained("choice", settings(epochs=1))[-1] for _ in range(2))
    finally:
        torch.set_num_threads(1)
    assert one.loss == other.loss
    assert all(torch.equal(tensor, other.state[name]) for name, tensor in one.state.items())


pytest.importorskip("accelerate", reason="transformers' Trainer needs accelerate")


def ours(spec, train, dev, settings):
    model = load_model(spec, "choice", head_seed=settings.seed)
    return list(fine_tune(model, train, dev, settings))[-1].dev_accuracy


def trainers(spec, train, dev, settings):
    from tests.modeling import plain_trainer

    model = load_model(spec, "choice", head_seed=settings.seed)
    plain_trainer.train(model, train, settings, tick=lambda: None)
    return accuracy(table_of(choice_scores(model, dev.options)), dev.answers)


def require_same(spec, train, dev, settings):
    """The mean accuracies of three seeds differ by no more than the seeds' spread explains."""
    found = np.array(
        [
            [way(spec, train, dev, settings(seed=seed)) for seed in range(3)]
            for way in (ours, trainers)
        ]
    )  # (2, n_seeds)
    spread = np.sqrt(found.var(axis=1, ddof=1).sum() / 3)
    # A question more or less is not a difference either, where the seeds agree by chance.
    difference = abs(found[0].mean() - found[1].mean())
    assert difference <= 3 * max(spread, 1 / len(dev)), found
    return found


def unreliable(number, *, share=0.85):
    """A planted cue that points to the wrong option in some questions."""
    cases, draw = planted(number), random.Random(number)
    answers = [a if draw.random() < share else 1 - a for a in cases.answers]
    return Questions([[(text, "") for text in q] for q in cases.options], answers)


@pytest.mark.long
def test_a_cue_is_learned_as_well_as_by_the_trainer(one_torch_thread):
    def settings(seed):
        return FineTuneSettings(2, 8, 1e-3, seed)

    found = require_same(TINY_ENCODER, unreliable(64), unreliable(100), settings)
    assert (found > 0.7).all()


@needs_data
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_winogrande_is_learned_as_badly_as_by_the_trainer():
    def settings(seed):
        return FineTuneSettings(2, 8, 5e-5, seed)

    train = multiple_choice(winogrande_questions("train_m", limit=120))
    dev = multiple_choice(winogrande_questions("dev", limit=200))
    found = require_same(DEFAULT_ENCODER, train, dev, settings)
    assert ((found > 0.4) & (found < 0.6)).all()


def multiple_choice(items):
    options = [texts_of(item.sentence, item.options) for item in items]
    return Questions(options, [item.answer - 1 for item in items])


def with_errors(given: Questions, share: float) -> tuple[Questions, np.ndarray]:
    """Change the labels of some questions of two options to the wrong ones."""
    wrong = np.random.default_rng(0).random(len(given)) < share
    answers = [
        1 - answer if flip else answer for answer, flip in zip(given.answers, wrong, strict=True)
    ]
    return Questions(given.options, answers), wrong


def mapped(model, train: Questions, settings: FineTuneSettings) -> Cartography:
    dev = Questions(train.options[:4], train.answers[:4])  # it chooses nothing here
    ends = [one for one in fine_tune(model, train, dev, settings) if one.is_epoch_end]
    probability = np.array([one.train_probabilities for one in ends])
    return cartography(probability, probability > 0.5)


@pytest.mark.long
def test_planted_errors_are_the_hardest_of_a_cue_that_is_learned() -> None:
    train, wrong = with_errors(planted(100), 0.1)
    found = mapped(load_encoder(TINY_ENCODER), train, fast(epochs=3, keep="final"))
    assert share_found(found, wrong, offered=int(wrong.sum())) > 0.8
    assert share_found(found, wrong, offered=int(2 * wrong.sum())) > 0.9
