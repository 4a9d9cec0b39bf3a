"""Training in bfloat16 and float16, whose code a CPU executes too, though slowly."""

import pytest
import torch

from modeling.finetuning.heads import head_of
from modeling.finetuning.updates import Batch, Updater
from modeling.loading import load_model
from modeling.specs import TINY_ENCODER
from tests.modeling.cues import fast, planted

pytestmark = pytest.mark.usefixtures("one_torch_thread")
TRAIN = planted(40)
DTYPES = ["bfloat16", pytest.param("float16", marks=pytest.mark.long)]
N_UPDATES = 15


class Trained:
    """A tiny encoder with an updater, without the refusal of slow formats."""

    def __init__(self, dtype):
        model = load_model(TINY_ENCODER, "choice", head_seed=4)
        self.head = head_of(model, loss="multiple_choice", seed=4)
        self.rows = self.head.rows(TRAIN)
        self.work = Updater(
            self.head,
            fast(dtype=dtype),
            n_updates=N_UPDATES,
            tokens=(id for options in self.rows for row in options for id in row.ids),
        )

    def updates(self, numbers):
        """Return the loss of each update."""
        with self.work.in_training():
            return [self.update(number) for number in numbers]

    def update(self, number):
        places = [(8 * number + n) % len(TRAIN) for n in range(8)]
        batch = Batch([self.rows[n] for n in places], [TRAIN.answers[n] for n in places])
        return self.work.update(batch, number=number, seed=(0, number)).loss

    def state(self):
        return self.work.state(with_optimizer=True)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_cue_is_learned_in_fewer_bits_while_the_weights_keep_theirs(dtype):
    trained = Trained(dtype)
    losses = trained.updates(range(N_UPDATES))
    assert sum(losses[-3:]) < 0.5 * sum(losses[:3])
    assert {weight.dtype for weight in trained.work.weights.values()} == {torch.float32}


def test_gradients_in_bfloat16_are_nearly_those_in_float32():
    found = []
    for dtype in ("float32", "bfloat16"):
        trained = Trained(dtype)
        trained.updates([0])
        gradients = [weight.grad for weight in trained.work.weights.values()]
        found.append(torch.cat([one.flatten() for one in gradients if one is not None]))
    assert {one.dtype for one in found} == {torch.float32}
    assert torch.nn.functional.cosine_similarity(*found, dim=0) > 0.99


def test_an_update_that_overflows_in_float16_changes_no_weight_and_lowers_the_scale():
    work = Trained("float16").work
    weights = list(work.weights.values())
    before = [weight.detach().clone() for weight in weights]
    loss = work.scaler.scale(sum(weight.sum() for weight in weights))
    scale = work.scaler.get_scale()
    loss.backward()
    weights[0].grad.fill_(torch.inf)
    work.step(rate=1e-3)
    assert all(map(torch.equal, before, weights))
    assert work.scaler.get_scale() == scale / 2


@pytest.mark.parametrize("dtype", DTYPES)
def test_training_in_fewer_bits_resumes_with_the_same_bytes(dtype):
    unbroken, resumed = Trained(dtype), Trained(dtype)
    unbroken.updates(range(2))
    resumed.work.load(unbroken.state())
    assert unbroken.updates([2]) == resumed.updates([2])
    for name, tensor in unbroken.state().items():
        assert tensor.numpy().tobytes() == resumed.state()[name].numpy().tobytes(), name
