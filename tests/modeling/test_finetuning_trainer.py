"""The same accuracy as transformers' own Trainer, within the spread of the seeds."""

import random

import numpy as np
import pytest

from modeling.finetuning import FineTuneSettings, Questions, fine_tune, texts_of
from modeling.finetuning.questions import accuracy, table_of
from modeling.loading import load_model
from modeling.scoring import choice_scores
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER
from tests.data_dir import needs_data
from tests.modeling.cues import planted
from tests.winogrande_data import winogrande_questions

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
