"""Scores are those of a model that reads each text alone, whatever its layers attend to."""

import warnings

import pytest

from modeling.scoring import Cloze
from modeling.scoring.logits import reader
from tests.modeling.architectures import WINDOW, difference, loaded, names, some

# Windows in all or some layers, chunks, linear biases, experts, a state space, and none of these;
# xlm asserts what it cannot read.
FURTHER = ("gemma3_text", "llama4_text", "cohere2", "gpt_neo", "bloom", "mixtral", "mamba", "xlm")
CAUSAL = (
    "mistral",
    *(pytest.param(kind, marks=pytest.mark.long) for kind in FURTHER),
)
CLOZES = some((3, 6, 7, 9, 12, 20, 30))
NEAR = 1e-3  # nats, of texts of up to 38 tokens
# The others need pictures or sound, or sizes that are not known here.
MADE = {"causal": 90, "masked": 25}

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("kind", CAUSAL)
def test_texts_beyond_a_window_have_the_scores_that_the_model_gives_them(tmp_path, kind):
    assert difference(loaded(tmp_path, kind), CLOZES) < NEAR


@pytest.mark.long
@pytest.mark.parametrize("kind", ["fnet", "mobilebert", "nystromformer", "bert"])
def test_a_text_is_scored_as_if_alone_by_models_that_read_padding(tmp_path, kind):
    model = loaded(tmp_path, kind, "masked")
    assert model.ignores_padding == (kind == "bert")
    assert difference(model, CLOZES) < NEAR


def test_texts_within_the_window_share_what_they_have_in_common(tmp_path):
    model = loaded(tmp_path, "mistral")
    assert reader(model).depth == WINDOW
    assert difference(model, some((2, 3))) < NEAR


@pytest.mark.long
def test_a_text_of_any_length_around_the_window_is_right(tmp_path):
    model = loaded(tmp_path, "gemma3_text")
    clozes = [Cloze("ann " * n, ("joan", "box"), " is large") for n in range(1, 2 * WINDOW)]
    assert difference(model, clozes) < NEAR


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("use", ["causal", "masked"])
def test_every_architecture_has_the_scores_of_a_plain_loop(tmp_path, use):
    differences, not_made = {}, {}
    for kind in names(use):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                model = loaded(tmp_path, kind, use)
            except Exception as error:
                not_made[kind] = f"{type(error).__name__}: {error}"
                continue
            differences[kind] = difference(model, CLOZES[::2])
    assert {kind: by for kind, by in differences.items() if not by < NEAR} == {}
    assert len(differences) >= MADE[use], not_made
