"""A causal model is told from a bidirectional one by its structure, not by rounded predictions."""

import pytest
import torch
import transformers

from modeling import loading
from modeling.loading import LOOKAHEAD, load_model
from modeling.specs import ModelUnavailable
from tests.modeling.tiny import save_tiny

# Learned, rotary and relative positions, a window, experts, a state space, scaled embeddings.
CAUSAL = ["gpt2", "llama", "bloom", "gemma2", "mixtral", "mamba", "ctrl"]
BIDIRECTIONAL = ["bert", "electra", "xlm-roberta-xl", "roformer", "xlm"]
IDS = [10, 11, 12, 13]  # no special tokens
SIZES = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "num_local_experts": 4,
}


def tiny(kind, **settings):
    torch.manual_seed(0)
    known = transformers.AutoConfig.for_model(kind)
    sizes = {name: size for name, size in SIZES.items() if hasattr(known, name)}
    config = transformers.AutoConfig.for_model(kind, **sizes, **settings)
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    model.config.use_cache = False
    return model


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("kind", CAUSAL)
def test_the_gradient_at_a_masked_token_is_exactly_zero(kind, dtype):
    earlier, last = loading._gradients_of_predictions(tiny(kind).to(dtype), IDS)
    assert last == 0 < earlier


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("kind", BIDIRECTIONAL)
def test_an_untrained_bidirectional_model_is_far_above_the_bound(kind, dtype):
    earlier, last = loading._gradients_of_predictions(tiny(kind).to(dtype), IDS)
    assert last > 40 * LOOKAHEAD * earlier


def test_an_encoder_that_was_made_a_decoder_is_causal():
    _, last = loading._gradients_of_predictions(tiny("bert", is_decoder=True), IDS)
    assert last == 0


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_decoder_whose_attention_looks_ahead_is_refused(tmp_path, dtype):
    save_tiny(tmp_path, "causal")
    config = transformers.AutoConfig.from_pretrained(tmp_path)
    config.is_causal = False
    config.save_pretrained(tmp_path)
    with pytest.raises(ModelUnavailable, match="is not a causal language model"):
        load_model(str(tmp_path), "causal", dtype=dtype)


def test_padding_among_the_first_ids_hides_no_lookahead(tmp_path):
    """XLM masks its padding, whose id is 2."""
    save_tiny(tmp_path, "causal")  # the tokenizer
    tiny("xlm", n_layers=1, n_heads=2, emb_dim=16).save_pretrained(tmp_path)
    with pytest.raises(ModelUnavailable, match="is not a causal language model"):
        load_model(str(tmp_path), "causal")


def test_rounding_that_differs_by_row_does_not_make_a_model_bidirectional(monkeypatch, tmp_path):
    """Kernels of bfloat16 round the rows of a batch in their own ways on some processors."""
    save_tiny(tmp_path, "causal")
    llama = transformers.LlamaForCausalLM

    def rounded(self, *args, forward=llama.forward, **kwargs):
        output = forward(self, *args, **kwargs)
        output.logits = output.logits + 0.1 * torch.randn_like(output.logits)
        return output

    monkeypatch.setattr(llama, "forward", rounded)
    assert load_model(str(tmp_path), "causal").use == "causal"
