"""Which questions fine-tune an encoder: how many, whole twins, whatever their order."""

import random

import pytest

from tests.filtering.guessable import guessable
from tests.filtering.stages import frozen
from training.core.tuning import choices, choose, sizes

QUESTIONS = guessable(pairs=40)


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
    questions = frozen(pairs=50, unpaired=20)
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


def test_an_encoder_learns_from_the_sentence_filled_with_either_option():
    found = choices(QUESTIONS[:2])
    assert found.options == [question.filled for question in QUESTIONS[:2]]
    assert found.answers == [question.answer - 1 for question in QUESTIONS[:2]]
