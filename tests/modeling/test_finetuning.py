"""Fine-tuning: what is learned, by each head, from any number of options."""

import numpy as np
import pytest
import torch

from modeling.encoders import load_encoder
from modeling.finetuning import Questions, fine_tune
from modeling.finetuning.heads import head_of
from modeling.finetuning.updates import Updater
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


def test_questions_with_more_options_are_learned_from_beside_those_with_two():
    several = [planted(number, most=5) for number in (40, 20)]
    assert set(several[0].counts) == {2, 3, 4, 5}
    found = list(fine_tune(load_encoder(TINY_ENCODER), *several, fast()))
    assert found[-1].dev_accuracy > 0.9
    assert found[-1].dev_scores.shape == (20, 5)
    assert np.isneginf(found[-1].dev_scores).sum() == 5 * 20 - sum(several[1].counts)


def test_nothing_is_learned_where_there_is_no_cue():
    empty = [planted(number, right="red {}", wrong="red {}") for number in (40, 200)]
    found = list(fine_tune(load_encoder(TINY_ENCODER), *empty, fast()))
    assert 0.35 < found[-1].dev_accuracy < 0.65


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
