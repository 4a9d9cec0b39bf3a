"""Settings of fine-tuning: forms of input, accumulation, early stopping, what is refused."""

import numpy as np
import pytest
import torch

from modeling.encoders import load_encoder
from modeling.finetuning import FORMS, Questions, fine_tune, kept_epoch, loop, texts_of
from modeling.finetuning.heads import head_of
from modeling.finetuning.order import batches
from modeling.finetuning.updates import Batch, Updater
from modeling.loading import load_model
from modeling.scoring import Cloze
from modeling.specs import TINY_ENCODER
from tests.modeling.cues import planted, settings

pytestmark = pytest.mark.usefixtures("one_torch_thread")
SENTENCE = "The plant outgrew the pot because the _'s rim was small."


def test_the_forms_are_those_of_the_papers_and_the_program():
    found = {form: texts_of(SENTENCE, ["pot"], form)[0] for form in FORMS}
    assert found == {
        "authors": ("The plant outgrew the pot because the", "pot 's rim was small."),
        "printed": ("The plant outgrew the pot because the pot", "'s rim was small."),
        "square_one": ("The plant outgrew the pot because the pot's rim was small.", "pot"),
    }


def test_the_authors_form_gives_the_tokens_of_their_example():
    model = load_encoder(TINY_ENCODER)
    text = "The trophy doesn't fit into the brown suitcase because the _ is too large."
    rows = model.tokens(texts_of(text, ["trophy", "suitcase"]))
    said = model.tokenizer.decode(rows[1].ids)
    assert said == (
        "[CLS] the trophy doesn't fit into the brown suitcase because the [SEP] suitcase is too "
        "large. [SEP]"
    )
    assert rows[1].segments == [0] * (rows[1].segments.index(1)) + [1] * sum(rows[1].segments)


@pytest.mark.parametrize("text", ["no blank", "_ and _"])
def test_a_text_without_exactly_one_blank_is_refused(text):
    with pytest.raises(ValueError, match="exactly one blank"):
        texts_of(text, ["a", "b"])


@pytest.mark.long
def test_accumulated_batches_equal_a_larger_one():
    # Gradients are compared: Adam turns those that are 0 up to rounding into full steps.
    found = []
    cases = planted(8)
    for sizes in ({"batch_size": 8}, {"batch_size": 3, "accumulation": 3}):
        model = load_model(TINY_ENCODER, "choice", head_seed=0)
        without_dropout(model.model)
        head = head_of(model, loss="multiple_choice", seed=0)
        work = Updater(head, settings(**sizes), n_updates=1, tokens=range(30522))
        with work.in_training():
            update = work.update(Batch(head.rows(cases), cases.answers), number=0, seed=(0,))
        found.append((update, {name: weight.grad for name, weight in work.weights.items()}))
    (one, gradients), (other, accumulated) = found
    assert one.loss == pytest.approx(other.loss, abs=1e-5)
    np.testing.assert_allclose(one.probabilities, other.probabilities, atol=1e-6)
    for name, gradient in gradients.items():
        torch.testing.assert_close(gradient, accumulated[name], rtol=0, atol=1e-6)


def without_dropout(model):
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0


@pytest.mark.long
@pytest.mark.parametrize(
    ("accuracies", "epochs"),
    [([0.5, 0.5, 0.5, 0.9], 3), ([0.5, 0.6, 0.5, 0.5], 4), ([0.5, 0.6, 0.7, 0.8], 5)],
)
def test_patience_ends_a_training_that_no_longer_improves(accuracies, epochs, monkeypatch):
    left = iter([*accuracies, 0.8])
    monkeypatch.setattr(loop, "accuracy", lambda *_: next(left))
    given = settings(epochs=5, patience=2)
    found = list(fine_tune(load_encoder(TINY_ENCODER), planted(8), planted(4), given))
    assert len(found) == epochs
    parts = planted(8), planted(4), given
    assert list(fine_tune(load_encoder(TINY_ENCODER), *parts, state=found[-1].state)) == []


def test_the_first_of_the_best_epochs_is_kept_or_the_final_one():
    assert kept_epoch([0.5, 0.75, 0.75, 0.25]) == 2
    assert kept_epoch([0.5, 0.75, 0.75, 0.25], "final") == 4


def test_batches_hold_each_question_once_and_little_padding():
    lengths = np.random.default_rng(0).integers(10, 40, size=1003)
    found = batches(lengths, size=8, seed=1, epoch=2)
    assert sorted(np.concatenate(found)) == list(range(1003))
    assert sorted(map(len, found)) == [3] + [8] * 125
    padded = sum(len(batch) * lengths[batch].max() for batch in found)
    assert padded < 1.05 * lengths.sum()
    # Longer ones do not come first, or the rate of the warm-up would be theirs.
    order = [lengths[batch].mean() for batch in found]
    assert abs(np.corrcoef(order, range(len(order)))[0, 1]) < 0.2


def test_another_epoch_has_other_batches():
    lengths = [5] * 40
    one, other = (batches(lengths, size=8, seed=1, epoch=epoch) for epoch in (1, 2))
    assert {frozenset(batch) for batch in one} != {frozenset(batch) for batch in other}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("epochs", 0),
        ("batch_size", 0),
        ("accumulation", 0),
        ("patience", 0),
        ("checkpoint_every", 0),
        ("seed", -1),
        ("learning_rate", 0.0),
        ("learning_rate", float("nan")),
        ("largest_gradient", 0.0),
        ("warm_up", 1.5),
        ("weight_decay", -0.1),
        ("form", "other"),
        ("loss", "other"),
        ("dtype", "int8"),
        ("keep", "first"),
    ],
)
def test_a_setting_out_of_range_is_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        settings(**{name: value})


def test_formats_for_a_gpu_are_refused_without_one():
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(ValueError, match="must be 'float32' without CUDA"):
        next(
            fine_tune(
                load_encoder(TINY_ENCODER), planted(8), planted(4), settings(dtype="bfloat16")
            )
        )


def test_a_model_loaded_for_another_use_is_refused():
    with pytest.raises(ValueError, match="does not train a model loaded for 'masked'"):
        next(fine_tune(load_model(TINY_ENCODER, "masked"), planted(8), planted(4), settings()))


def test_questions_of_another_kind_are_refused():
    clozes = Questions([Cloze("the ", ("box", "cup"), "")], [0])
    with pytest.raises(ValueError, match="needs texts"):
        next(fine_tune(load_encoder(TINY_ENCODER), clozes, clozes, settings()))
    masked = load_model(TINY_ENCODER, "masked")
    with pytest.raises(ValueError, match="needs a Cloze"):
        next(fine_tune(masked, planted(8), planted(4), settings(loss="mc_mlm")))


@pytest.mark.parametrize(
    ("options", "answers"), [([], []), ([["a", "b"]], [2]), ([["a"]], [0]), ([["a", "b"]], [0, 1])]
)
def test_questions_without_a_right_option_are_refused(options, answers):
    with pytest.raises(ValueError, match="answer"):
        Questions(options, answers)
