"""Fine-tuning as multiple choice: who is chosen, what is learned, and resumed = unbroken."""

import random
from dataclasses import replace

import numpy as np
import pytest
import torch

from filtering.core.encoders import TINY_ENCODER, load_encoder
from filtering.core.tuner import Tuner
from filtering.core.tuning import TuneSettings, choose, sizes, tune
from tests.filtering.guessable import guessable
from tests.filtering.stages import frozen

QUESTIONS = guessable(pairs=40)
SETTINGS = TuneSettings(epochs=3, batch_size=8, learning_rate=2e-3, seed=4)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Two would wait for each other, where another process has the second core."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def chosen():
    return choose(QUESTIONS, n_train=40, n_validation=20, seed=4)


def epochs(chosen, settings=SETTINGS, **options):
    return list(tune(load_encoder(TINY_ENCODER), chosen, settings, **options))


@pytest.fixture(scope="module")
def unbroken(chosen):
    return epochs(chosen)


def test_the_papers_share_is_taken_of_any_set():
    assert sizes(53_000) == sizes(100_000) == (5000, 1000)
    assert sizes(5_300) == (500, 100)
    assert sizes(96) == (32, 16)
    assert sizes(20, n_train=6, n_validation=4) == (6, 4)


@pytest.mark.parametrize("asked", [(95, None, None), (20, 8, 3), (100, 50, None)])
def test_no_more_than_half_of_a_set_is_used_up(asked):
    with pytest.raises(ValueError, match=f"more than half of {asked[0]}"):
        sizes(asked[0], n_train=asked[1], n_validation=asked[2])


def test_whole_twins_are_chosen_whatever_their_order():
    questions = frozen(pairs=50, lone=20)
    found = choose(questions, n_train=31, n_validation=15, seed=1)
    assert (len(found.train), len(found.validation)) == (31, 15)
    parts = [{question.group for question in part} for part in (found.train, found.validation)]
    assert not parts[0] & parts[1]
    rest = {q.group for q in set(questions) - set(found.train) - set(found.validation)}
    assert not rest & (parts[0] | parts[1])
    shuffled = random.Random(0).sample(questions, len(questions))
    again = choose(shuffled, n_train=31, n_validation=15, seed=1)
    assert set(again.train) == set(found.train)
    assert set(again.validation) == set(found.validation)


def test_another_seed_chooses_others():
    one, other = (choose(QUESTIONS, n_train=40, n_validation=20, seed=seed) for seed in (1, 2))
    assert set(one.train) != set(other.train)


def test_a_part_that_no_twin_fits_into_is_refused():
    with pytest.raises(ValueError, match="must hold a twin, got 40, 1"):
        choose(QUESTIONS, n_train=40, n_validation=1, seed=0)


def test_what_the_options_give_away_is_learned():
    right, wrong = "a bar of gold", "stone"
    given_away = [
        replace(question, group=question.id, options=(first, second))
        for question in QUESTIONS
        for first, second in [(right, wrong) if question.answer == 1 else (wrong, right)]
    ]
    chosen = choose(given_away, n_train=40, n_validation=20, seed=0)
    found = epochs(chosen, TuneSettings(epochs=3, batch_size=8, learning_rate=1e-3, seed=4))
    assert found[-1].accuracy > 0.9
    assert found[-1].loss < 0.5 * found[0].loss


@pytest.mark.parametrize("done", [1, 2])
def test_a_resumed_tuning_gives_the_same_bits(chosen, unbroken, done):
    resumed = epochs(chosen, done=done, state=unbroken[done - 1].state)
    for one, other in zip(resumed, unbroken[done:], strict=True):
        assert (one.number, one.loss, one.accuracy) == (other.number, other.loss, other.accuracy)
        assert one.state.keys() == other.state.keys()
        assert all(torch.equal(tensor, other.state[name]) for name, tensor in one.state.items())


def test_an_epoch_says_whether_another_one_follows(unbroken):
    kept = [any(name.startswith("optimizer.") for name in epoch.state) for epoch in unbroken]
    assert kept == [True, True, False]


def test_torchs_own_chance_is_left_as_it_was(chosen):
    encoder = load_encoder(TINY_ENCODER)
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    next(tune(encoder, chosen, SETTINGS))
    assert torch.equal(torch.rand(3), expected)


def test_the_rate_rises_over_a_tenth_and_falls_to_nearly_nothing(chosen):
    rates = []
    encoder = load_encoder(TINY_ENCODER)
    settings = TuneSettings(epochs=5, batch_size=10, learning_rate=1.0, seed=0)
    work = Tuner(encoder, settings, n_train=40)
    for number in range(20):
        work.set_rate(batch_number=number)
        rates.append(work.optimizer.param_groups[1]["lr"])
    np.testing.assert_allclose(rates, [0.5, *np.linspace(1, 1 / 19, 19)])


def test_a_rate_that_blows_up_is_refused(chosen):
    with pytest.raises(ValueError, match="not finite; take a smaller learning_rate"):
        epochs(chosen, TuneSettings(epochs=3, batch_size=8, learning_rate=1e30, seed=0))


def test_half_the_bits_are_too_few_to_learn_in(chosen):
    encoder = load_encoder(TINY_ENCODER, dtype="bfloat16")
    with pytest.raises(ValueError, match="must compute in float32"):
        next(tune(encoder, chosen, SETTINGS))
