"""Killed between any two checkpoints, a training gives the bytes of an unbroken one."""

from dataclasses import fields

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from modeling.encoders import load_encoder
from modeling.finetuning import fine_tune
from modeling.loading import load_model
from modeling.specs import TINY_ENCODER
from tests.modeling.cues import planted, settings

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


@pytest.mark.parametrize("killed_after", range(1, 7))
def test_a_resumed_training_gives_the_same_bytes(unbroken, killed_after, tmp_path):
    use, expected = unbroken
    save_file(expected[killed_after - 1].state, tmp_path / "state")
    resumed = trained(use, state=load_file(tmp_path / "state"))
    assert len(resumed) == 6 - killed_after
    for one, other in zip(resumed, expected[killed_after:], strict=True):
        same(one, other)


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


def test_two_threads_give_the_same_bytes_each_time():
    torch.set_num_threads(2)
    try:
        one, other = (trained("choice", settings(epochs=1))[-1] for _ in range(2))
    finally:
        torch.set_num_threads(1)
    assert one.loss == other.loss
    assert all(torch.equal(tensor, other.state[name]) for name, tensor in one.state.items())
