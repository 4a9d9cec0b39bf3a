"""Special words, pointwise mutual information, and heads at chance level."""

import numpy as np
import pytest
import torch

from modeling.loading import load_model
from modeling.scoring import (
    Cloze,
    causal_scores,
    head_quality,
    masked_scores,
    pmi_scores,
    special_word_scores,
)
from modeling.scoring.quality import PLAIN
from modeling.specs import SMOLLM2, TINY_ENCODER
from tests.modeling.tiny import save_tiny

BEFORE = "the trophy does not fit in because the trophy is too "
LARGE = Cloze(BEFORE, ("large", "small"), " .")


@pytest.fixture(scope="module")
def causal(tmp_path_factory):
    return load_model(save_tiny(tmp_path_factory.mktemp("causal"), "causal"), "causal")


@pytest.fixture(scope="module")
def masked(tmp_path_factory):
    return load_model(save_tiny(tmp_path_factory.mktemp("masked"), "masked"), "masked")


def test_special_words_are_compared_at_one_mask(masked):
    found = special_word_scores(masked, [LARGE])
    ids = masked.tokenizer(BEFORE + "[MASK] .")["input_ids"]
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
    clozes = [LARGE, *(Cloze(BEFORE, words, " .") for words in others)]
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
    end = Cloze(BEFORE, ("large", "small"), "")
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


def test_a_head_at_chance_level_is_flagged():
    found = head_quality(load_model(TINY_ENCODER, "masked"))
    assert found.at_chance
    assert "at chance level" in found.verdict


def test_random_heads_are_flagged(causal, masked):
    texts = ["the trophy does not fit because it is too large .", "ann is in the small box ."]
    assert head_quality(causal, texts).at_chance
    assert head_quality(masked, texts).at_chance


def test_a_trained_head_is_not_flagged():
    found = head_quality(load_model(SMOLLM2, "causal"), PLAIN[:2])
    assert not found.at_chance
    assert found.perplexity < 100 < 1000 < found.shuffled_perplexity


def test_a_text_that_cannot_be_shuffled_says_nothing_about_a_head(causal):
    for texts in ([], ["box box box"]):
        with pytest.raises(ValueError, match="texts must have two distinct words or more each"):
            head_quality(causal, texts)
