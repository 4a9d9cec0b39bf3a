"""The share of planted label errors found by the dynamics of models that are really trained."""

import numpy as np
import pytest

from modeling.encoders import load_encoder
from modeling.finetuning import FineTuneSettings, Questions, fine_tune
from modeling.specs import TINY_ENCODER
from tests.modeling.cues import fast, planted
from tests.modeling.planted_errors import share_found
from training.core.seeds import Cartography, cartography

pytestmark = pytest.mark.usefixtures("one_torch_thread")


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


def test_planted_errors_are_the_hardest_of_a_cue_that_is_learned() -> None:
    train, wrong = with_errors(planted(100), 0.1)
    found = mapped(load_encoder(TINY_ENCODER), train, fast(epochs=3, keep="final"))
    assert share_found(found, wrong, offered=int(wrong.sum())) > 0.8
    assert share_found(found, wrong, offered=int(2 * wrong.sum())) > 0.9
