"""What a model is known to be, and one kind of spec that loads it for each use."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import transformers
from huggingface_hub import constants

from modeling import loading
from modeling.batches import Tokens
from modeling.loading import LOOKAHEAD, load_model
from modeling.specs import TINY_ENCODER, ModelSpec, ModelUnavailable, uses_of
from tests.modeling.tiny import CLASSES, save_tiny

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


@pytest.mark.long
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


@pytest.mark.parametrize("use", sorted(CLASSES.keys() - {"pooled"}))
def test_a_saved_model_is_known_by_its_head(use: str, tmp_path: Path) -> None:
    found = uses_of(ModelSpec.parse(save_tiny(tmp_path, use)))
    assert found == {"pooled", use}


def test_a_package_is_known_by_its_head() -> None:
    assert uses_of(ModelSpec.parse(TINY_ENCODER)) == {"pooled", "masked"}


@pytest.mark.parametrize(
    "config",
    ["{", "[]", "{}", '{"architectures": null}', '{"architectures": ["GPT2Model"]}', "[" * 99_999],
)
def test_an_unusual_configuration_says_nothing(config: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(config)
    assert uses_of(ModelSpec.parse(str(tmp_path))) is None


@pytest.mark.parametrize(
    ("config", "kinds"),
    [
        ({"architectures": ["BertModel"]}, {"pooled"}),
        ({"architectures": ["T5ForConditionalGeneration"]}, {"seq2seq"}),
        ({"architectures": ["T5Model"], "is_encoder_decoder": True}, {"seq2seq"}),
        (
            {"architectures": ["BartForSequenceClassification"], "is_encoder_decoder": True},
            {"pooled", "entailment"},
        ),
    ],
)
def test_a_model_without_a_head_for_a_use_is_known_by_its_class(
    config: dict[str, Any], kinds: set[str], tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert uses_of(ModelSpec.parse(str(tmp_path))) == kinds


def test_a_model_from_the_hub_is_known_once_it_is_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    model = ModelSpec.parse("acme/large")
    assert uses_of(model) is None
    cached(tmp_path, "acme/large", {"architectures": ["RobertaForMaskedLM"]})
    assert uses_of(model) == {"pooled", "masked"}
    assert uses_of(ModelSpec("hub", "acme/--..")) is None  # not a name of the hub


def cached(cache: Path, name: str, config: dict[str, Any]) -> None:
    """Put the configuration of a model where a download by the hub's client puts it."""
    of_model = cache / f"models--{name.replace('/', '--')}"
    (of_model / "refs").mkdir(parents=True)
    (of_model / "refs" / "main").write_text("c0ffee")
    (of_model / "snapshots" / "c0ffee").mkdir(parents=True)
    (of_model / "snapshots" / "c0ffee" / "config.json").write_text(json.dumps(config))


def test_a_file_of_packed_weights_is_a_causal_language_model_before_it_is_converted() -> None:
    assert uses_of(ModelSpec.parse("/models/new.gguf")) == {"pooled", "causal"}


def test_nothing_is_fetched_and_a_missing_model_is_not_known(tmp_path: Path) -> None:
    assert uses_of(ModelSpec.parse("acme/large")) is None
    assert uses_of(ModelSpec.parse(str(tmp_path))) is None
    (tmp_path / "config.json").write_text(json.dumps({"architectures": [3, "GPT2LMHeadModel"]}))
    assert uses_of(ModelSpec.parse(str(tmp_path))) == {"pooled", "causal"}


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
