"""Trees of texts, chosen logits, special words, pointwise mutual information."""

import numpy as np
import pytest
import torch
import transformers

from modeling.loaded import LoadedModel
from modeling.loading import load_model
from modeling.scoring import (
    Cloze,
    causal_scores,
    head_quality,
    masked_scores,
    pmi_scores,
    special_word_scores,
)
from modeling.scoring.causal import TREE_TOKENS
from modeling.scoring.logits import Reader, reader
from modeling.scoring.quality import PLAIN
from modeling.scoring.rows import CausalText, chain, tree
from modeling.specs import SMOLLM2, TINY_ENCODER, ModelSpec
from tests.modeling.tiny import SIZES

BEFORE = "the trophy does not fit in the suitcase because "
OPTIONS = ("the trophy", "the suitcase", "joan")
TWINS = [Cloze(BEFORE, OPTIONS, f" is too {word} .") for word in ("large", "small")]
SOME = {"num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 30}
FAMILIES = [
    ("gpt2", "causal", {"n_embd": 16, "n_layer": 2, "n_head": 2}),
    ("gpt_neox", "causal", SIZES | {"intermediate_size": 16}),
    ("opt", "causal", {"hidden_size": 16, "ffn_dim": 16, "word_embed_proj_dim": 16}),
    ("bloom", "causal", {"hidden_size": 16, "n_layer": 2, "n_head": 2}),
    ("roberta", "masked", SIZES | {"intermediate_size": 16}),
    ("distilbert", "masked", {"dim": 16, "hidden_dim": 16, "n_layers": 2, "n_heads": 2}),
    ("albert", "masked", SIZES | {"intermediate_size": 16, "embedding_size": 8}),
]


def family(name, use, sizes, tokenizer):
    """A random model of another architecture, with large weights."""
    config = transformers.AutoConfig.for_model(
        name, **(SOME | sizes), initializer_range=0.5, init_std=0.5, pad_token_id=0
    )
    config.use_cache = False
    with torch.random.fork_rng():
        torch.manual_seed(0)
        kind = {"causal": "AutoModelForCausalLM", "masked": "AutoModelForMaskedLM"}[use]
        model = getattr(transformers, kind).from_config(config).eval()
    spec = ModelSpec("folder", name)
    return LoadedModel(spec, use, "float32", "", "", 40, model, tokenizer)


@pytest.mark.long
@pytest.mark.parametrize(("name", "use", "sizes"), FAMILIES, ids=[f[0] for f in FAMILIES])
def test_any_architecture_has_the_scores_of_the_whole_model(name, use, sizes, causal, masked):
    model = family(name, use, sizes, (causal if use == "causal" else masked).tokenizer)
    function = causal_scores if use == "causal" else masked_scores
    found = function(model, TWINS)
    start = model.tokenizer.convert_tokens_to_ids("<|endoftext|>")
    for cloze, scores in zip(TWINS, found, strict=True):
        for text, score in zip(cloze.filled, scores, strict=True):
            ids = model.tokenizer(text)["input_ids"]
            ids = [start, *ids] if use == "causal" else ids
            each = []
            for place in range(1, len(ids) - (use == "masked")):
                seen = list(ids)
                if use == "masked":
                    seen[place] = model.tokenizer.mask_token_id
                with torch.inference_mode():
                    logits = model.model(input_ids=torch.tensor([seen])).logits[0]
                said = torch.log_softmax(logits, -1)
                each.append(float(said[place - (use == "causal"), ids[place]]))
            assert score == pytest.approx(np.sum(each), abs=1e-4)


def test_a_model_that_reads_no_tree_reads_single_texts_and_the_log_says_why(causal, caplog):
    # Its attention depends on distances in the row, which a tree does not keep.
    sizes = {"hidden_size": 16, "n_layer": 2, "n_head": 2}
    bloom = family("bloom", "causal", sizes, causal.tokenizer)
    assert reader(bloom).depth == 0
    assert reader(causal).depth == causal.max_length
    [said] = [record.getMessage() for record in caplog.records]
    assert said.startswith("bloom: texts share no start, which is slower")


def test_a_tree_has_the_sums_of_its_texts(causal):
    texts = [CausalText((5, 6, 7, 8), 1), CausalText((5, 6, 9), 2), CausalText((5, 6, 7), 1)]
    row = tree(texts)
    assert len(row) == 5
    together = Reader(causal, split=True).run([row], progress=None)[0]
    apart = Reader(causal, split=False).run([chain(text) for text in texts], progress=None)[:, 0]
    np.testing.assert_allclose(together, apart, atol=1e-4)


def test_twins_and_switched_options_have_the_same_bits(causal):
    (same,) = causal_scores(causal, TWINS[:1])
    switched = Cloze(BEFORE, OPTIONS[::-1], TWINS[0].after)
    found = causal_scores(causal, [switched, TWINS[0], TWINS[0]])
    np.testing.assert_array_equal(found[0][::-1], found[1])
    np.testing.assert_array_equal(found[1], found[2])
    np.testing.assert_allclose(found[1], same, atol=1e-4)


def test_a_text_has_one_score_wherever_its_gap_is(causal):
    text = "the trophy is too large ."
    clozes = [Cloze("the ", ("trophy",), " is too large ."), Cloze("the trophy ", ("is",), "")]
    clozes[1] = Cloze("the trophy ", ("is",), " too large .")
    assert [cloze.filled for cloze in clozes] == [[text], [text]]
    one, other = causal_scores(causal, clozes)
    assert one == other


def test_more_texts_than_a_tree_holds_are_cut(causal):
    words = causal.tokenizer.convert_ids_to_tokens(range(6, 20))
    options = tuple(f"{a} {b}" for a in words for b in words)
    assert len(options) * 12 > TREE_TOKENS
    (found,) = causal_scores(causal, [Cloze(BEFORE, options, " is large .")])
    for option, score in list(zip(options, found, strict=True))[::50]:
        ((alone,),) = causal_scores(causal, [Cloze(BEFORE, (option,), " is large .")])
        assert score == pytest.approx(alone, abs=1e-4)


def test_progress_counts_up_to_all_rows(causal):
    seen = []
    causal_scores(causal, TWINS, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 0


REPEATED = "the trophy does not fit in because the trophy is too "
LARGE = Cloze(REPEATED, ("large", "small"), " .")


def test_special_words_are_compared_at_one_mask(masked):
    found = special_word_scores(masked, [LARGE])
    ids = masked.tokenizer(REPEATED + "[MASK] .")["input_ids"]
    place = ids.index(masked.tokenizer.mask_token_id)
    with torch.inference_mode():
        said = torch.log_softmax(masked.model(input_ids=torch.tensor([ids])).logits[0, place], -1)
    wanted = masked.tokenizer.convert_tokens_to_ids(["large", "small"])
    np.testing.assert_allclose(found.scores[0], said[wanted].numpy(), atol=1e-4)
    np.testing.assert_allclose(
        found.scores[0], masked_scores(masked, [LARGE], method="span")[0], atol=1e-4
    )


@pytest.mark.parametrize("partial", [False, True])
def test_special_words_of_a_causal_model_are_substituted(causal, partial):
    found = special_word_scores(causal, [LARGE], partial=partial)
    (expected,) = causal_scores(causal, [LARGE], partial=partial)
    np.testing.assert_allclose(found.scores[0], expected, atol=1e-4)


def test_items_without_one_token_each_are_counted_by_reason(masked):
    others = [("large", ""), ("too large", "small"), ("large", "purple"), ("box", "box")]
    clozes = [LARGE, *(Cloze(REPEATED, words, " .") for words in others)]
    found = special_word_scores(masked, clozes)
    assert found.reasons == [None, "no word", "several words", "unknown word", "same token"]
    assert [scores is None for scores in found.scores] == [False, True, True, True, True]
    assert dict(found.dropped) == dict.fromkeys(found.reasons[1:], 1)


def test_a_special_word_of_several_tokens_is_dropped():
    model = load_model(TINY_ENCODER, "masked")
    clozes = [
        Cloze("The trophy is too ", ("large", "small"), "."),
        Cloze("The men ", ("feared", "extemporized"), " violence."),
        Cloze("The trophy is un", ("kind", "fit"), "."),
    ]
    assert special_word_scores(model, clozes).reasons == [None, "several tokens", "several tokens"]


def test_a_causal_model_needs_text_after_the_word_for_a_partial_score(causal):
    end = Cloze(REPEATED, ("large", "small"), "")
    assert special_word_scores(causal, [end]).reasons == ["nothing after"]
    assert special_word_scores(causal, [end], partial=False).reasons == [None]


def test_special_words_come_in_pairs(masked):
    with pytest.raises(ValueError, match="clozes must have two options each"):
        special_word_scores(masked, [Cloze("it is ", ("large",), " .")])


@pytest.mark.parametrize("neutral", ["_", "because _", "because it"])
def test_pmi_is_the_difference_of_two_partial_scores(causal, neutral):
    cloze = Cloze("ann does not fit because ", ("joan", "the box"), " is too large .")
    (found,) = pmi_scores(causal, [cloze], neutral=neutral)
    (given,) = causal_scores(causal, [cloze], partial=True)
    before, _, rest = neutral.partition("_")
    alone = [
        causal_scores(causal, [Cloze(before, (o if "_" in neutral else "",), rest + cloze.after)],
                      partial=True)[0][0]
        for o in cloze.options
    ]  # fmt: skip
    np.testing.assert_allclose(found, given - np.array(alone), atol=1e-4)


def test_pmi_of_a_continuation_is_relative_to_the_domain_premise(causal):
    cloze = Cloze("ann does not fit because", (" joan is too large", " it is small"), "")
    (found,) = pmi_scores(causal, [cloze], neutral="because")
    for option, score in zip(cloze.options, found, strict=True):
        ((given,),) = causal_scores(causal, [Cloze(cloze.before, ("",), option)], partial=True)
        ((alone,),) = causal_scores(causal, [Cloze("because", ("",), option)], partial=True)
        assert score == pytest.approx(given - alone, abs=1e-4)


@pytest.mark.long
def test_a_head_at_chance_level_is_flagged():
    found = head_quality(load_model(TINY_ENCODER, "masked"))
    assert found.at_chance
    assert "at chance level" in found.verdict


def test_random_heads_are_flagged(causal, masked):
    texts = ["the trophy does not fit because it is too large .", "ann is in the small box ."]
    assert head_quality(causal, texts).at_chance
    assert head_quality(masked, texts).at_chance


@pytest.mark.long
def test_a_trained_head_is_not_flagged():
    found = head_quality(load_model(SMOLLM2, "causal"), PLAIN[:2])
    assert not found.at_chance
    assert found.perplexity < 100 < 1000 < found.shuffled_perplexity


def test_a_text_that_cannot_be_shuffled_says_nothing_about_a_head(causal):
    for texts in ([], ["box box box"]):
        with pytest.raises(ValueError, match="texts must have two distinct words or more each"):
            head_quality(causal, texts)
