"""What makes training fast does not change its result: parallel parts, dropout, reduced words."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from modeling.finetuning import fine_tune
from modeling.finetuning.dropout import drawing_from, mask
from modeling.finetuning.gradients import Batch, Gradients
from modeling.finetuning.heads import head_of
from modeling.finetuning.optimizer import Optimizer
from modeling.finetuning.updates import Updater
from modeling.finetuning.words import fits
from modeling.loading import load_model
from modeling.specs import TINY_ENCODER
from tests.modeling.cues import planted, settings

CPU = torch.device("cpu")
NEARLY_NONE = 1e-9  # drops nothing, but takes the way of dropout


@pytest.fixture
def two_torch_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def without_dropout(spec=TINY_ENCODER):
    model = load_model(spec, "choice", head_seed=0)
    for module in model.model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    return model


def test_dropout_keeps_the_share_and_the_mean():
    found = mask(torch.empty(1000, 1000), 0.1, torch.Generator().manual_seed(0))
    assert (found == 0).float().mean() == pytest.approx(0.1, abs=0.001)
    assert found.mean() == pytest.approx(1, abs=0.001)
    assert found.unique().tolist() == pytest.approx([0, 1 / 0.9])
    beside = torch.corrcoef(torch.stack([found.ravel()[:-1], found.ravel()[1:]]))[0, 1]
    assert abs(beside) < 0.005


def test_dropout_draws_from_the_numbers_given_and_nothing_else():
    def drawn(*numbers):
        with drawing_from(CPU, *numbers):
            return functional.dropout(torch.ones(64))

    one = drawn(1, 2)
    torch.rand(5)
    assert torch.equal(drawn(1, 2), one)
    assert not torch.equal(drawn(1, 3), one)
    with drawing_from(CPU, 0):
        assert torch.equal(functional.dropout(torch.ones(64), training=False), torch.ones(64))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"attn_mask": torch.rand(3, 1, 1, 5, generator=torch.Generator().manual_seed(0))},
        {"attn_mask": torch.tensor([True, True, True, True, False]).expand(3, 1, 5, 5)},
        {"is_causal": True},
        {"scale": 0.3},
    ],
)
def test_attention_with_dropout_is_torchs_but_for_what_is_dropped(options):
    draw = torch.Generator().manual_seed(1)
    query, key, value = (torch.randn(3, 4, 5, 8, generator=draw) for _ in range(3))
    expected = functional.scaled_dot_product_attention(query, key, value, **options)
    with drawing_from(CPU, 0):
        found = functional.scaled_dot_product_attention(
            query, key, value, dropout_p=NEARLY_NONE, **options
        )
        dropped = functional.scaled_dot_product_attention(
            query, key, value, dropout_p=0.5, **options
        )
    torch.testing.assert_close(found, expected)
    assert not torch.allclose(dropped, expected, atol=0.01)


def test_shared_keys_are_repeated():
    draw = torch.Generator().manual_seed(1)
    query = torch.randn(3, 4, 5, 8, generator=draw)
    key, value = (torch.randn(3, 2, 5, 8, generator=draw) for _ in range(2))
    asked = {"enable_gqa": True}
    expected = functional.scaled_dot_product_attention(query, key, value, **asked)
    with drawing_from(CPU, 0):
        found = functional.scaled_dot_product_attention(
            query, key, value, dropout_p=NEARLY_NONE, **asked
        )
    torch.testing.assert_close(found, expected)


def test_parts_add_up_to_the_whole(two_torch_threads, monkeypatch):
    head = head_of(without_dropout(), loss="multiple_choice", seed=0)
    cases, weights = planted(16), list(head.model.model.parameters())
    work = Gradients(head, weights, dtype="float32")
    batch = Batch(head.rows(cases), cases.answers)
    assert batch.n_tokens > 256
    one, other = work.of(batch, factor=1 / 16, seed=(0,))
    monkeypatch.setattr(Gradients, "_n_parts", lambda *_: 1)
    [whole] = work.of(batch, factor=1 / 16, seed=(0,))
    assert one.loss + other.loss == pytest.approx(whole.loss, rel=1e-6)
    probabilities = np.concatenate([one.probabilities, other.probabilities])
    np.testing.assert_allclose(probabilities, whole.probabilities, atol=1e-6)
    for first, second, both in zip(one.gradients, other.gradients, whole.gradients, strict=True):
        torch.testing.assert_close(first + second, both, rtol=0, atol=1e-6)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_update_has_the_same_bits_in_any_number_of_shares(number, monkeypatch):
    draw = torch.Generator().manual_seed(0)
    weights = [
        torch.nn.Parameter(torch.randn(size, 7, generator=draw).squeeze()) for size in (9, 40, 1, 5)
    ]
    gradients = [[torch.randn(w.shape, generator=draw) for w in weights] for _ in range(2)]
    expected = [weight.detach().clone().requires_grad_() for weight in weights]
    for weight, *found in zip(expected, *gradients, strict=True):
        weight.grad = sum(found)
    torch.nn.utils.clip_grad_norm_(expected, 1.0)
    groups = [
        {"params": [w for w in expected if (w.dim() > 1) == matrix], "weight_decay": decay}
        for matrix, decay in ((True, 0.01), (False, 0.0))
    ]
    torch.optim.AdamW(groups, lr=0.1, fused=True).step()
    monkeypatch.setattr(torch, "get_num_threads", lambda: number)
    work = Optimizer(weights, settings(), device=CPU)
    assert len(work.shares) == number
    work.add(gradients)
    work.step(rate=0.1)
    assert all(map(torch.equal, weights, expected))


def test_two_threads_give_the_same_bytes_each_time(two_torch_threads):
    given = settings(epochs=1, batch_size=16)
    one, other = (
        list(fine_tune(load_model(TINY_ENCODER, "choice", head_seed=0), *parts, given))[-1]
        for parts in [(planted(48), planted(6))] * 2
    )
    assert one.loss == other.loss
    assert all(torch.equal(tensor, other.state[name]) for name, tensor in one.state.items())


def test_words_of_no_training_question_stay_and_others_move(one_torch_thread):
    model = without_dropout()
    before = model.model.get_input_embeddings().weight.detach().clone()
    whole = model.model.get_input_embeddings()
    list(fine_tune(model, planted(16), planted(4), settings(epochs=1)))
    assert model.model.get_input_embeddings() is whole
    changed = (whole.weight != before).any(dim=1)
    trained = {
        id
        for options in head_of(model, loss="multiple_choice", seed=0).rows(planted(16))
        for row in options
        for id in row.ids
    }
    assert set(changed.nonzero().ravel().tolist()) == trained | {0}  # padding decays


def test_reduced_embeddings_have_the_gradients_of_whole_ones(one_torch_thread):
    cases = planted(8)
    found = []
    for tokens in (range(30522), None):
        head = head_of(without_dropout(), loss="multiple_choice", seed=0)
        rows = head.rows(cases)
        seen = sorted({id for options in rows for row in options for id in row.ids} | {0})
        work = Updater(head, settings(), n_updates=1, tokens=seen if tokens is None else tokens)
        with work.in_training():
            work.update(Batch(rows, cases.answers), number=0, seed=(0,))
        [weight] = [w for name, w in work.weights.items() if "word_embeddings" in name]
        found.append(weight.grad)
    whole, reduced = found
    assert reduced.shape == (len(seen), 128)
    torch.testing.assert_close(whole[seen], reduced, rtol=0, atol=1e-7)
    assert not np.delete(whole.numpy(), seen, axis=0).any()


def test_embeddings_shared_with_a_head_are_trained_whole():
    assert fits(load_model(TINY_ENCODER, "choice", head_seed=0).model)
    assert not fits(load_model(TINY_ENCODER, "masked").model)
