"""Fine-tuning: what is learned, by each head, in each format, from words that occur."""

import numpy as np
import pytest
import torch

from modeling.encoders import load_encoder
from modeling.finetuning import Questions, fine_tune
from modeling.finetuning.heads import head_of
from modeling.finetuning.updates import Batch, Updater
from modeling.finetuning.words import fits
from modeling.loading import load_model
from modeling.scoring import Cloze, choice_scores, masked_scores
from modeling.specs import TINY_ENCODER
from tests.modeling.cues import fast, planted, settings

pytestmark = pytest.mark.usefixtures("one_torch_thread")


def test_a_planted_cue_is_learned_by_a_linear_scorer():
    found = list(fine_tune(load_encoder(TINY_ENCODER), planted(40), planted(20), fast()))
    assert found[-1].dev_accuracy > 0.9
    assert found[-1].loss < 0.5 * found[0].loss


def test_a_planted_cue_is_learned_by_a_new_multiple_choice_head():
    model = load_model(TINY_ENCODER, "choice", head_seed=4)
    found = list(fine_tune(model, planted(40), planted(20), fast()))
    assert found[-1].dev_accuracy > 0.9


@pytest.mark.long
def test_a_planted_cue_is_learned_by_a_masked_language_models_own_head():
    def clozes(number):
        cases = planted(number)
        return Questions(
            [Cloze("Ann saw the ", ("gold", "lead")[:: 1 - 2 * a], " bar.") for a in cases.answers],
            cases.answers,
        )

    model = load_model(TINY_ENCODER, "masked")
    found = list(fine_tune(model, clozes(40), clozes(20), fast(loss="mc_mlm")))
    assert found[-1].dev_accuracy == 1


@pytest.mark.long
def test_questions_with_more_options_are_learned_from_beside_those_with_two():
    several = [planted(number, most=5) for number in (40, 20)]
    assert set(several[0].counts) == {2, 3, 4, 5}
    found = list(fine_tune(load_encoder(TINY_ENCODER), *several, fast()))
    assert found[-1].dev_accuracy > 0.9
    assert found[-1].dev_scores.shape == (20, 5)
    assert np.isneginf(found[-1].dev_scores).sum() == 5 * 20 - sum(several[1].counts)


@pytest.mark.long
def test_nothing_is_learned_where_there_is_no_cue():
    empty = [planted(number, right="red {}", wrong="red {}") for number in (40, 200)]
    found = list(fine_tune(load_encoder(TINY_ENCODER), *empty, fast()))
    assert 0.35 < found[-1].dev_accuracy < 0.65


@pytest.mark.long
def test_the_weights_of_a_checkpoint_give_its_scores(tmp_path):
    from safetensors.torch import save_file

    from modeling.finetuning import weights_of

    dev = planted(20)
    *_, last = fine_tune(load_model(TINY_ENCODER, "choice", head_seed=4), planted(40), dev, fast())
    save_file(weights_of(last.state), tmp_path / "tuned")
    fresh = load_model(TINY_ENCODER, "choice", head_seed=0)
    tuned = fresh.with_weights(tmp_path / "tuned", sha256="0" * 64)
    np.testing.assert_array_equal(choice_scores(tuned, dev.options), last.dev_scores)


def test_the_scores_of_a_masked_model_are_those_of_its_span():
    cases = [Cloze("the ", ("trophy", "suitcase"), " is large")] * 3
    model = load_model(TINY_ENCODER, "masked")
    head = head_of(model, loss="mc_mlm", seed=0)
    rows = [row for options in head.rows(Questions(cases, [0, 1, 0])) for row in options]
    with torch.inference_mode():
        found = head.scores(rows).numpy().reshape(3, 2)
    expected = masked_scores(model, cases, method="span", mean=True)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_a_new_head_is_the_seeds_whatever_was_drawn_before():
    torch.manual_seed(5)
    one, other, third = (
        load_model(TINY_ENCODER, "choice", head_seed=seed).model.classifier.weight
        for seed in (1, 1, 2)
    )
    assert torch.equal(one, other)
    assert not torch.equal(one, third)


def test_torchs_own_chance_is_left_as_it_was():
    encoder = load_encoder(TINY_ENCODER)
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    next(fine_tune(encoder, planted(40), planted(20), settings()))
    assert torch.equal(torch.rand(3), expected)


def test_the_rate_rises_over_a_tenth_and_falls_to_nearly_nothing():
    head = head_of(load_encoder(TINY_ENCODER), loss="multiple_choice", seed=0)
    work = Updater(head, settings(learning_rate=1.0), n_updates=20, tokens=[1])
    rates = [work.rate(number) for number in range(20)]
    np.testing.assert_allclose(rates, [0.5, *np.linspace(1, 1 / 19, 19)])


def test_a_rate_that_blows_up_is_refused():
    exploding = settings(learning_rate=1e30)
    with pytest.raises(ValueError, match="not finite; use a smaller learning_rate"):
        list(fine_tune(load_encoder(TINY_ENCODER), planted(40), planted(20), exploding))


def test_half_the_bits_are_too_few_to_learn_in():
    encoder = load_encoder(TINY_ENCODER, dtype="bfloat16")
    with pytest.raises(ValueError, match="must be loaded in float32"):
        next(fine_tune(encoder, planted(8), planted(8), settings()))


def test_pairs_are_learned_from_with_their_segments():
    def paired(part):
        return Questions([[("Ann", text) for text in q] for q in part.options], part.answers)

    head = head_of(load_encoder(TINY_ENCODER), loss="multiple_choice", seed=0)
    assert set(head.rows(paired(planted(8)))[0][0].segments) == {0, 1}
    parts = paired(planted(8)), paired(planted(8))
    assert len(list(fine_tune(load_encoder(TINY_ENCODER), *parts, settings(epochs=1)))) == 1


def without_dropout(spec=TINY_ENCODER):
    model = load_model(spec, "choice", head_seed=0)
    for module in model.model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    return model


def test_words_of_no_training_question_stay_and_others_move():
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


def test_reduced_embeddings_have_the_gradients_of_whole_ones():
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


@pytest.mark.long
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


@pytest.mark.long
@pytest.mark.parametrize("dtype", DTYPES)
def test_training_in_fewer_bits_resumes_with_the_same_bytes(dtype):
    unbroken, resumed = Trained(dtype), Trained(dtype)
    unbroken.updates(range(2))
    resumed.work.load(unbroken.state())
    assert unbroken.updates([2]) == resumed.updates([2])
    for name, tensor in unbroken.state().items():
        assert tensor.numpy().tobytes() == resumed.state()[name].numpy().tobytes(), name
