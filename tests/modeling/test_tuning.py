"""Fine-tuning as multiple choice: what is learned, any number of options, resumed = unbroken."""

import random

import numpy as np
import pytest
import torch

from modeling.encoders import load_encoder
from modeling.specs import TINY_ENCODER
from modeling.tuning import Choices, Tuner, TuneSettings, tune

SETTINGS = TuneSettings(epochs=3, batch_size=8, learning_rate=2e-3, seed=4)
THINGS = ("box", "cup", "hat", "bag", "pen", "key")


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Two would wait for each other, where another process has the second core."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def questions(number, *, right="red {}", wrong="blue {}", most=2):
    """Questions of two options, or of any number up to *most*, the right one at any place."""
    draw, options, answers = random.Random(number), [], []
    for _ in range(number):
        names = draw.sample(THINGS, draw.randint(2, most))
        answer = draw.randrange(len(names))
        options.append(
            [
                f"Ann put {(right if place == answer else wrong).format(name)} on the table."
                for place, name in enumerate(names)
            ]
        )
        answers.append(answer)
    return Choices(options, answers)


@pytest.fixture(scope="module")
def parts():
    return questions(40), questions(20)


def epochs(parts, settings=SETTINGS, **options):
    return list(tune(load_encoder(TINY_ENCODER), *parts, settings, **options))


@pytest.fixture(scope="module")
def unbroken(parts):
    return epochs(parts)


def test_what_the_options_give_away_is_learned():
    given_away = [questions(number, right="a bar of gold", wrong="stone") for number in (40, 20)]
    found = epochs(given_away, TuneSettings(epochs=3, batch_size=8, learning_rate=1e-3, seed=4))
    assert found[-1].accuracy > 0.9
    assert found[-1].loss < 0.5 * found[0].loss


@pytest.mark.parametrize("done", [1, 2])
def test_a_resumed_tuning_gives_the_same_bits(parts, unbroken, done):
    resumed = epochs(parts, done=done, state=unbroken[done - 1].state)
    for one, other in zip(resumed, unbroken[done:], strict=True):
        assert (one.number, one.loss, one.accuracy) == (other.number, other.loss, other.accuracy)
        assert one.state.keys() == other.state.keys()
        assert all(torch.equal(tensor, other.state[name]) for name, tensor in one.state.items())


def test_an_epoch_says_whether_another_one_follows(unbroken):
    kept = [any(name.startswith("optimizer.") for name in epoch.state) for epoch in unbroken]
    assert kept == [True, True, False]


def test_torchs_own_chance_is_left_as_it_was(parts):
    encoder = load_encoder(TINY_ENCODER)
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    next(tune(encoder, *parts, SETTINGS))
    assert torch.equal(torch.rand(3), expected)


def test_the_rate_rises_over_a_tenth_and_falls_to_nearly_nothing(parts):
    rates = []
    encoder = load_encoder(TINY_ENCODER)
    settings = TuneSettings(epochs=5, batch_size=10, learning_rate=1.0, seed=0)
    work = Tuner(encoder, settings, n_train=40)
    for number in range(20):
        work.set_rate(batch_number=number)
        rates.append(work.optimizer.param_groups[1]["lr"])
    np.testing.assert_allclose(rates, [0.5, *np.linspace(1, 1 / 19, 19)])


def test_a_rate_that_blows_up_is_refused(parts):
    with pytest.raises(ValueError, match="not finite; use a smaller learning_rate"):
        epochs(parts, TuneSettings(epochs=3, batch_size=8, learning_rate=1e30, seed=0))


def test_half_the_bits_are_too_few_to_learn_in(parts):
    encoder = load_encoder(TINY_ENCODER, dtype="bfloat16")
    with pytest.raises(ValueError, match="must compute in float32"):
        next(tune(encoder, *parts, SETTINGS))


def test_questions_with_more_options_are_learned_from_beside_those_with_two():
    several = [
        questions(number, right="a bar of gold", wrong="stone", most=5) for number in (40, 20)
    ]
    assert {len(texts) for texts in several[0].options} == {2, 3, 4, 5}
    found = epochs(several, TuneSettings(epochs=3, batch_size=8, learning_rate=1e-3, seed=4))
    assert found[-1].accuracy > 0.9
    assert np.isfinite([epoch.loss for epoch in found]).all()


def test_pairs_are_learned_from_with_their_segments():
    pairs = [
        Choices([[("Ann put", text) for text in texts] for texts in part.options], part.answers)
        for part in (questions(8), questions(8))
    ]
    work = Tuner(load_encoder(TINY_ENCODER), SETTINGS, n_train=8)
    assert set(work.examples(pairs[0]).options[0][0].segments) == {0, 1}
    assert len(epochs(pairs, TuneSettings(epochs=1, batch_size=8, learning_rate=1e-4, seed=0))) == 1
