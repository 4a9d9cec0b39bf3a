"""One kind of spec loads a model for each use, or says why not."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch
import transformers

from modeling import loading
from modeling.batches import Tokens
from modeling.loading import load_model
from modeling.specs import ModelUnavailable
from tests.modeling.tiny import save_tiny

USES = ["pooled", "masked", "causal", "choice"]


@pytest.mark.parametrize("use", USES)
def test_a_folder_is_loaded_for_its_use(tmp_path, use):
    model = load_model(save_tiny(tmp_path, use), use)
    assert (model.use, model.dtype, model.max_length) == (use, "float32", 40)
    assert len(model.weights_sha256) == len(model.config_sha256) == 64
    assert not model.model.training
    assert load_model(str(tmp_path), use, dtype="bfloat16").model.dtype == torch.bfloat16


@pytest.mark.parametrize("use", ["masked", "choice"])
def test_a_model_without_the_head_is_refused(tmp_path, use):
    save_tiny(tmp_path, "pooled")
    with pytest.raises(ModelUnavailable, match=rf"lack \d+ of .* trained for this use \({use}\)"):
        load_model(str(tmp_path), use)


@pytest.mark.parametrize("use", ["masked", "choice"])
def test_a_causal_model_is_refused_for_a_use_that_its_architecture_lacks(tmp_path, use):
    save_tiny(tmp_path, "causal")
    with pytest.raises(ModelUnavailable, match=rf"does not support this use \({use}\)"):
        load_model(str(tmp_path), use)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_masked_model_is_not_taken_for_a_causal_one(tmp_path, dtype):
    """transformers would load it, and each word would be predicted by a model that has read it."""
    save_tiny(tmp_path, "masked")
    with pytest.raises(ModelUnavailable, match="is not a causal language model"):
        load_model(str(tmp_path), "causal", dtype=dtype)


def test_an_unknown_use_is_refused(tmp_path):
    with pytest.raises(ValueError, match="use must be one of pooled, masked, causal, choice"):
        load_model(str(tmp_path), "classified")


def test_a_pair_has_segments_and_a_text_alone_has_none(tmp_path):
    model = load_model(save_tiny(tmp_path, "choice"), "choice")
    one, two = "the trophy", "is large"
    (pair,), (alone,) = model.tokens([(one, two)]), model.tokens([one])
    assert pair.segments == [0, 0, 0, 0, 1, 1, 1]
    assert alone == Tokens(pair.ids[:4])


def test_a_model_without_segments_gets_none(tmp_path):
    model = load_model(save_tiny(tmp_path, "causal"), "causal")
    (pair,) = model.tokens([("the trophy", "is large")])
    assert pair.segments is None
    assert len(pair) == 4


def test_a_long_text_is_cut_or_refused(tmp_path):
    model = load_model(save_tiny(tmp_path, "masked"), "masked")
    (row,) = model.tokens(["box " * 50])
    assert len(row) == 40
    with pytest.raises(ValueError, match=r"a text has 52 tokens, and .* takes at most 40"):
        model.tokens(["box " * 50], cut=False)


def test_importing_the_ground_floor_does_not_load_torch():
    modules = "modeling.encoders, modeling.scoring, modeling.finetuning, modeling.gguf"
    code = f"import sys, {modules}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_model_without_a_limit_takes_long_texts():
    config = transformers.XLNetConfig(vocab_size=40, d_model=16, n_layer=1, n_head=2, d_inner=16)
    model = transformers.AutoModel.from_config(config)
    assert loading._max_length(model, SimpleNamespace(model_max_length=10**30)) == 1_000_000
    assert loading._max_length(model, SimpleNamespace(model_max_length=512)) == 512


@pytest.mark.parametrize("use", ["causal", "masked", "pooled"])
def test_a_tokenizer_with_tokens_that_have_no_embedding_is_refused(tmp_path, use):
    save_tiny(tmp_path, use)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    tokenizer.add_tokens(["wombat"])
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(ModelUnavailable, match="and the model embeddings for 23 only"):
        load_model(str(tmp_path), use)
