"""Only the embeddings of words that occur are trained, with the gradients of whole ones."""

import numpy as np
import pytest
import torch

from modeling.finetuning import fine_tune
from modeling.finetuning.heads import head_of
from modeling.finetuning.updates import Batch, Updater
from modeling.finetuning.words import fits
from modeling.loading import load_model
from modeling.specs import TINY_ENCODER
from tests.modeling.cues import planted, settings

pytestmark = pytest.mark.usefixtures("one_torch_thread")


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
