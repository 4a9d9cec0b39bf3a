"""Scores of five types of tokenizers: which tokens count, and what comes before a text."""

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers.pre_tokenizers import ByteLevel, Metaspace

from modeling.loaded import LoadedModel
from modeling.scoring import Cloze, causal_scores, continuation_scores, pmi_scores, start_text
from modeling.specs import ModelSpec

TEXTS = [
    "The kettle boiled over because somebody filled it to the brim.",
    "The kettle boiled over because a bus went past the house.",
    "The wet towel went to Olga and the dry one to Petra. Olga was glad.",
]
SPECIAL = ["<s>", "</s>", "<unk>"]
TIKTOKEN = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
PREMISE = Cloze(
    "The kettle boiled over because ",
    ("somebody filled it to the brim.", "a bus went past the house."),
    "",
)
END = Cloze("The wet towel went to Olga and the dry one to ", ("Petra", "Olga"), "")


def byte_level() -> Tokenizer:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = ByteLevel(add_prefix_space=False)
    return made


def tiktoken() -> Tokenizer:
    made = Tokenizer(models.BPE())
    parts = [pre_tokenizers.Split(Regex(TIKTOKEN), "isolated"), ByteLevel(False, use_regex=False)]
    made.pre_tokenizer = pre_tokenizers.Sequence(parts)
    return made


def unigram() -> Tokenizer:
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = Metaspace()
    return made


def llama() -> Tokenizer:
    made = Tokenizer(models.BPE(unk_token="<unk>"))
    parts = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    made.normalizer = normalizers.Sequence(parts)
    made.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    return made


def word_piece() -> Tokenizer:
    made = Tokenizer(models.WordPiece(unk_token="<unk>"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


TRAINERS = {
    byte_level: trainers.BpeTrainer,
    tiktoken: trainers.BpeTrainer,
    unigram: trainers.UnigramTrainer,
    llama: trainers.BpeTrainer,
    word_piece: trainers.WordPieceTrainer,
}
KINDS = sorted(TRAINERS, key=lambda make: make.__name__)


def trained(make, **ends) -> transformers.PreTrainedTokenizerFast:
    made = make()
    options = {"special_tokens": SPECIAL, "show_progress": False, "vocab_size": 200}
    if make is unigram:
        options["unk_token"] = "<unk>"
    made.train_from_iterator(TEXTS, TRAINERS[make](**options))
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, **({"bos_token": "<s>", "eos_token": "</s>"} | ends)
    )


@pytest.fixture(scope="module", params=KINDS, ids=lambda make: make.__name__)
def model(request):
    tokenizer = trained(request.param)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.LlamaConfig(
        **sizes, intermediate_size=16, vocab_size=len(tokenizer), initializer_range=1.0
    )
    torch.manual_seed(0)
    return LoadedModel(
        spec=ModelSpec("folder", "/tiny"),
        use="causal",
        dtype="float32",
        weights_sha256="",
        config_sha256="",
        max_length=128,
        model=transformers.LlamaForCausalLM(config).eval(),
        tokenizer=tokenizer,
    )


def said(model: LoadedModel, ids: list[int], first: int) -> float:
    with torch.no_grad():
        found = model.model(input_ids=torch.tensor([ids])).logits[0].log_softmax(-1)
    return sum(float(found[n - 1, ids[n]]) for n in range(first, len(ids)))


def tokens(model: LoadedModel, text: str) -> list[int]:
    return [0, *model.tokenizer(text, add_special_tokens=False)["input_ids"]]


@pytest.mark.parametrize("cloze", [PREMISE, END], ids=["premise", "end"])
def test_a_continuation_counts_from_the_first_token_of_the_option(model, cloze):
    (found,) = continuation_scores(model, [cloze])
    n_before = len(tokens(model, cloze.before.rstrip()))
    wanted = [said(model, tokens(model, text), n_before) for text in cloze.filled]
    np.testing.assert_allclose(found, wanted, atol=1e-3)


@pytest.mark.parametrize("cloze", [PREMISE, END], ids=["premise", "end"])
@pytest.mark.parametrize("neutral", ["_", "because ", "It is said:"])
def test_pmi_gives_a_score_where_nothing_follows_the_gap(model, cloze, neutral):
    (found,) = pmi_scores(model, [cloze], neutral=neutral)
    n_before = len(tokens(model, cloze.before.rstrip()))
    prompt = tokens(model, neutral.replace("_", "").rstrip())
    for text, score in zip(cloze.filled, found, strict=True):
        ids = tokens(model, text)
        alone = said(model, [*prompt, *ids[n_before:]], len(prompt))
        assert score == pytest.approx(said(model, ids, n_before) - alone, abs=1e-3)


def test_pmi_of_a_gap_in_the_middle_compares_the_rest_after_the_option_alone(model):
    cloze = Cloze("The wet towel went to ", ("Olga", "Petra"), " was glad.")
    (found,) = pmi_scores(model, [cloze])
    (given,) = causal_scores(model, [cloze], partial=True)
    (alone,) = causal_scores(model, [Cloze("", cloze.options, cloze.after)], partial=True)
    np.testing.assert_allclose(found, given - alone, atol=1e-3)


def test_what_a_tokenizer_puts_first_comes_first():
    tokenizer = trained(byte_level, bos_token="</s>")
    assert start_text(tokenizer) == "</s>"
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> <unk> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1), ("<unk>", 2)]
    )
    assert start_text(tokenizer) == "<s> <unk>"


@pytest.mark.parametrize(
    ("special", "bos", "start"),
    [
        ({"unk_token": "<|endoftext|>"}, "<s>", "<|endoftext|>"),
        ({}, "<s>", "<s>"),
        ({}, None, "<|endoftext|>"),
    ],
)
def test_the_token_between_documents_goes_before_a_start_of_turns_only(special, bos, start):
    vocabulary = {word: n for n, word in enumerate(["<s>", "</s>", "a", "<|endoftext|>"])}
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel(vocabulary, unk_token="<|endoftext|>")),
        eos_token="</s>",
        **special,
        **({"bos_token": bos} if bos else {}),
    )
    assert start_text(tokenizer) == start


def test_without_a_start_token_the_first_token_counts_in_neither_text(model):
    tokenizer = model.tokenizer
    ends = tokenizer.bos_token, tokenizer.eos_token
    tokenizer.bos_token = tokenizer.eos_token = None
    try:
        (found,) = pmi_scores(model, [PREMISE])
        assert np.isfinite(found).all()
    finally:
        tokenizer.bos_token, tokenizer.eos_token = ends
