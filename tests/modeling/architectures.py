"""Tiny random models of every causal and masked architecture of transformers."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import transformers
from transformers.models.auto import modeling_auto

from modeling.loaded import LoadedModel
from modeling.scoring import Cloze, causal_scores, masked_scores
from modeling.scoring.clozes import start_token
from modeling.specs import ModelSpec
from tests.modeling.tiny import TEXT, save_tiny

WINDOW = 8
LARGEST = 3_000_000  # parameters
SIZES = {
    "vocab_size": 64, "hidden_size": 32, "n_embd": 32, "d_model": 32, "dim": 32, "emb_dim": 32,
    "embedding_size": 32, "intermediate_size": 64, "ffn_dim": 64, "d_ff": 64, "n_inner": 64,
    "dff": 64, "decoder_ffn_dim": 64, "encoder_ffn_dim": 64, "shared_expert_intermediate_size": 32,
    "moe_intermediate_size": 32, "intermediate_size_mlp": 64, "num_hidden_layers": 4, "n_layer": 4,
    "n_layers": 4, "num_layers": 4, "decoder_layers": 4, "encoder_layers": 2,
    "num_attention_heads": 4, "n_head": 4, "n_heads": 4, "num_heads": 4,
    "decoder_attention_heads": 4, "encoder_attention_heads": 4, "num_key_value_heads": 2,
    "head_dim": 8, "d_kv": 8, "max_position_embeddings": 128, "n_positions": 128, "n_ctx": 128,
    "max_seq_len": 128, "num_local_experts": 4, "num_experts": 4, "n_routed_experts": 4,
    "moe_num_experts": 4, "num_experts_per_tok": 2, "moe_topk": 2, "moe_k": 2, "n_group": 1,
    "topk_group": 1, "kv_lora_rank": 8, "q_lora_rank": 8, "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 8, "v_head_dim": 8, "state_size": 8, "mamba_d_state": 8, "mamba_n_heads": 4,
    "mamba_d_head": 16, "mamba_expand": 2, "lru_width": 32, "n_shared_experts": 1,
    "first_k_dense_replace": 1, "hidden_size_per_layer_input": 8, "vocab_size_per_layer_input": 64,
    "num_kv_shared_layers": 0, "laurel_rank": 4, "linear_num_key_heads": 2,
    "linear_num_value_heads": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 8,
    "rotary_dim": 8, "pad_token_id": 0, "bos_token_id": 5, "eos_token_id": 5,
}  # fmt: skip
WINDOWS = (
    "sliding_window", "window_size", "attention_chunk_size", "attention_window_size",
    "local_attention", "sliding_window_size", "window", "local_window_size",
)  # fmt: skip
# What some configurations need besides.
SETTINGS: dict[str, dict[str, Any]] = {
    "mistral": {"sliding_window": WINDOW},
    "qwen2": {"use_sliding_window": True, "max_window_layers": 2},
    "qwen2_moe": {"use_sliding_window": True, "max_window_layers": 2},
    "qwen3": {"use_sliding_window": True, "max_window_layers": 2},
    "qwen3_moe": {"use_sliding_window": True, "max_window_layers": 2},
    "gpt_neo": {"attention_types": [[["global", "local"], 2]]},
    "bert": {"is_decoder": True}, "bert-generation": {"is_decoder": True},
    "camembert": {"is_decoder": True}, "data2vec-text": {"is_decoder": True},
    "electra": {"is_decoder": True}, "ernie": {"is_decoder": True},
    "megatron-bert": {"is_decoder": True},
    "rembert": {"is_decoder": True}, "roberta": {"is_decoder": True},
    "roberta-prelayernorm": {"is_decoder": True}, "roc_bert": {"is_decoder": True},
    "roformer": {"is_decoder": True}, "xlm-roberta": {"is_decoder": True},
    "xlm-roberta-xl": {"is_decoder": True}, "xmod": {"is_decoder": True},
    "big_bird": {"is_decoder": True, "attention_type": "original_full"},
}  # fmt: skip


def names(use: str) -> list[str]:
    """The model types of transformers for a use."""
    known = {
        "causal": modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        "masked": modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    }
    return sorted(known[use])


# Sizes that some architectures do not combine, to be changed or, if None, left as they are.
ALTERNATIVES: tuple[dict[str, int | None], ...] = (
    {},
    {"num_key_value_heads": 4},
    {"head_dim": None},
    {"head_dim": None, "num_key_value_heads": 4, "qk_rope_head_dim": None, "v_head_dim": None},
    {"num_attention_heads": None, "num_key_value_heads": None, "head_dim": None},
    {"num_hidden_layers": 2, "num_key_value_heads": None, "hidden_size": 64},
)


def tiny(kind: str, use: str = "causal", **settings: Any) -> Any:
    """Return a tiny model with random weights; windows are of 8 tokens.

    Raises
    ------
    Exception
        When none of the sizes known here makes a model that runs.
    """
    for number, other in enumerate(ALTERNATIVES):
        try:
            model = _made(kind, use, other, settings)
            with torch.no_grad():
                model(input_ids=torch.tensor([[5, 6, 7]]))
        except Exception:
            if number == len(ALTERNATIVES) - 1:
                raise
        else:
            return model
    return None


def _made(kind: str, use: str, other: dict[str, int | None], settings: dict[str, Any]) -> Any:
    known = transformers.AutoConfig.for_model(kind)
    wanted = {**SIZES, **dict.fromkeys(WINDOWS, WINDOW), **other}
    sizes = {
        name: size for name, size in wanted.items() if size is not None and _is_number(known, name)
    }
    extra = SETTINGS.get(kind, {}) if use == "causal" else {}
    config = transformers.AutoConfig.for_model(kind, **{**sizes, **extra, **settings})
    auto = {
        "causal": transformers.AutoModelForCausalLM,
        "masked": transformers.AutoModelForMaskedLM,
    }
    with torch.device("meta"):
        if sum(each.numel() for each in auto[use].from_config(config).parameters()) > LARGEST:
            raise ValueError("a size that makes this architecture tiny is missing")
    torch.manual_seed(0)
    model = auto[use].from_config(config).float().eval()
    with torch.no_grad():
        for weights in model.parameters():
            if weights.dim() > 1:
                weights.normal_(0, 0.25)
    model.config.use_cache = False
    return model


def _is_number(config: Any, name: str) -> bool:
    return hasattr(config, name) and not isinstance(getattr(config, name), list | bool | dict)


def loaded(folder: Any, kind: str, use: str = "causal", **settings: Any) -> LoadedModel:
    """Return a tiny model with the tokenizer of the tests' other tiny models."""
    spec = ModelSpec.parse(save_tiny(folder, use))
    model = tiny(kind, use, **settings)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    return LoadedModel(
        spec=spec,
        use=use,
        dtype="float32",
        weights_sha256="",
        config_sha256="",
        max_length=128,
        model=model,
        tokenizer=tokenizer,
    )


def alone(model: LoadedModel, text: str) -> float:
    """Return the score of a text that the model reads by itself."""
    own = model.tokenizer(text)["input_ids"]
    ids = own if model.use == "masked" else [*start_token(model.tokenizer), *own]
    places = range(1, len(ids) - (model.use == "masked"))
    if model.use == "causal":
        return sum(float(_said(model, ids)[place - 1, ids[place]]) for place in places)
    hidden = [[*ids[:n], model.tokenizer.mask_token_id, *ids[n + 1 :]] for n in places]
    return sum(float(_said(model, row)[n, ids[n]]) for n, row in zip(places, hidden, strict=True))


def _said(model: LoadedModel, ids: list[int]) -> torch.Tensor:
    with torch.no_grad():
        return model.model(input_ids=torch.tensor([ids])).logits[0].float().log_softmax(-1)


def difference(model: LoadedModel, clozes: list[Cloze]) -> float:
    """Return the largest difference, in nats, of scores from those of texts read alone."""
    score = causal_scores if model.use == "causal" else masked_scores
    found = np.concatenate(score(model, clozes))
    return float(np.abs(found - [alone(model, t) for c in clozes for t in c.filled]).max())


def some(lengths: tuple[int, ...]) -> list[Cloze]:
    """Return pairs of clozes with as many words before the gap."""
    words = " ".join([TEXT.removesuffix(" .")] * 3).split()
    befores = [" ".join(words[:n]) + " " for n in lengths]
    after = {" is too large .": ("ann", "joan", "the box"), " is small .": ("ann", "joan")}
    return [Cloze(b, options, rest) for b in befores for rest, options in after.items()]
