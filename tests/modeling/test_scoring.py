"""Scores of options, in batches and windows, against plain loops over single texts."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from modeling.batches import Tokens, cut, on_single_threads, padded, pool
from modeling.loading import load_model
from modeling.scoring import Cloze, causal_scores, choice_scores, masked_scores
from modeling.specs import SMOLLM2
from tests.modeling.tiny import save_tiny

BEFORE = "the trophy does not fit in the suitcase because "
CLOZES = [
    Cloze(BEFORE, ("the trophy", "the suitcase", "joan"), " is too large ."),
    Cloze("", ("ann", "the small box"), " is large ."),
    Cloze(BEFORE, ("it", "ann"), " is small ."),
]


@pytest.fixture(scope="module")
def choice(tmp_path_factory):
    return load_model(save_tiny(tmp_path_factory.mktemp("choice"), "choice"), "choice")


def log_probabilities(model, ids):
    """Of every token at every place of one text alone: (n_places, n_tokens)."""
    with torch.inference_mode():
        logits = model.model(input_ids=torch.tensor([ids])).logits[0]
    return torch.log_softmax(logits, dim=-1).double().numpy()


def words(model, text):
    return model.tokenizer(text, add_special_tokens=False)["input_ids"]


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("mean", [False, True])
def test_a_causal_score_is_that_of_a_plain_loop(causal, partial, mean):
    start = causal.tokenizer.convert_tokens_to_ids("<|endoftext|>")
    scores = causal_scores(causal, CLOZES, partial=partial, mean=mean)
    for cloze, found in zip(CLOZES, scores, strict=True):
        for option, score in zip(cloze.options, found, strict=True):
            ids = [start, *words(causal, cloze.before + option + cloze.after)]
            first = 1 + len(words(causal, cloze.before + option)) * partial
            said = log_probabilities(causal, ids)
            each = [said[place - 1, ids[place]] for place in range(first, len(ids))]
            assert score == pytest.approx(np.mean(each) if mean else np.sum(each), abs=1e-4)


@pytest.mark.parametrize("method", ["pseudo", "span"])
@pytest.mark.parametrize("mean", [False, True])
def test_a_masked_score_is_that_of_a_plain_loop(masked, method, mean):
    mask = masked.tokenizer.mask_token_id
    scores = masked_scores(masked, CLOZES, method=method, mean=mean)
    for cloze, found in zip(CLOZES, scores, strict=True):
        for option, score in zip(cloze.options, found, strict=True):
            ids = masked.tokenizer(cloze.before + option + cloze.after)["input_ids"]
            begin = 1 + len(words(masked, cloze.before))
            inside = list(range(begin, begin + len(words(masked, option))))
            hidden = [inside] if method == "span" else [[p] for p in range(1, len(ids) - 1)]
            each = []
            for places in hidden:
                said = log_probabilities(
                    masked, [mask if p in places else id for p, id in enumerate(ids)]
                )
                each += [said[p, ids[p]] for p in places]
            assert score == pytest.approx(np.mean(each) if mean else np.sum(each), abs=1e-4)


def test_a_choice_score_is_the_heads_for_any_number_of_options(choice):
    questions = [[(cloze.before, o + cloze.after) for o in cloze.options] for cloze in CLOZES]
    for pairs, found in zip(questions, choice_scores(choice, questions), strict=True):
        parts = [list(part) for part in zip(*pairs, strict=True)]
        inputs = choice.tokenizer(
            *parts, return_tensors="pt", padding=True, return_token_type_ids=True
        )
        with torch.inference_mode():
            whole = choice.model(**{name: t.unsqueeze(0) for name, t in inputs.items()}).logits[0]
        np.testing.assert_allclose(found, whole.numpy(), atol=1e-4)


def test_the_order_of_questions_changes_no_bit(causal):
    found = causal_scores(causal, CLOZES)
    for one, other in zip(causal_scores(causal, CLOZES[::-1]), found[::-1], strict=True):
        np.testing.assert_array_equal(one, other)


def test_nothing_asked_has_no_scores(causal, masked, choice):
    assert causal_scores(causal, []) == masked_scores(masked, []) == choice_scores(choice, []) == []


def test_what_cannot_be_scored_is_refused(causal, masked):
    with pytest.raises(ValueError, match="must be loaded for use 'causal', got 'masked'"):
        causal_scores(masked, CLOZES)
    with pytest.raises(ValueError, match=r"a text has 61 tokens, and .* takes at most 40"):
        causal_scores(causal, [Cloze("box " * 58, ("it", "ann"), " .")])
    with pytest.raises(ValueError, match="no token of 'ann fit it' is left to score"):
        causal_scores(causal, [Cloze("ann fit ", ("it", "joan"), "")], partial=True)


def test_a_score_that_is_no_number_is_refused(tmp_path):
    model = load_model(save_tiny(tmp_path, "causal"), "causal")
    with torch.no_grad():
        next(model.model.parameters()).fill_(torch.nan)
    with pytest.raises(ValueError, match="not finite"):
        causal_scores(model, CLOZES)


@pytest.mark.long
def test_smollm2_knows_what_is_too_large():
    model = load_model(SMOLLM2, "causal", dtype="bfloat16")
    before = "The trophy doesn't fit into the brown suitcase because "
    options = ("the trophy", "the suitcase")
    twins = [Cloze(before, options, f" is too {word}.") for word in ("large", "small")]
    large, small = causal_scores(model, twins, partial=True)
    assert large[0] - large[1] > small[0] - small[1]  # more of a trophy when large than when small


LENGTHS = st.lists(st.integers(1, 40), max_size=60).map(sorted)


@given(LENGTHS, st.integers(1, 100))
def test_batches_hold_every_row_once_within_the_budget(lengths, budget):
    batches = [list(range(len(lengths)))[part] for part in cut(lengths, budget=budget)]
    assert list(itertools.chain(*batches)) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * lengths[batch[-1]] <= budget


@given(LENGTHS, st.integers(1, 100))
def test_a_batch_takes_the_next_row_where_it_has_room(lengths, budget):
    for part in cut(lengths, budget=budget)[:-1]:
        assert (part.stop + 1 - part.start) * lengths[part.stop] > budget


def test_padding_is_masked_and_pooled_over():
    found = padded([Tokens([5, 6]), Tokens([7])], pad=9)
    assert found.keys() == {"input_ids", "attention_mask"}
    assert found["input_ids"].tolist() == [[5, 6], [7, 9]]
    mask = found["attention_mask"]
    assert mask.tolist() == [[1, 1], [1, 0]]
    hidden = torch.tensor([[[1.0], [3.0]], [[5.0], [99.0]]])
    found = {way: pool(hidden, mask, way).squeeze(1).tolist() for way in ("mean", "cls", "last")}
    assert found == {"mean": [2, 5], "cls": [1, 5], "last": [3, 5]}


def test_segments_are_padded_as_tokens_are():
    found = padded([Tokens([5, 6, 7], [0, 1, 1]), Tokens([8, 9], [0, 1])], pad=4)
    assert found["token_type_ids"].tolist() == [[0, 1, 1], [0, 1, 0]]


def test_a_failure_ends_the_work_and_leaves_the_threads_as_they_were():
    before = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError):
        list(on_single_threads(lambda n: 1 // n, [1, 0, 1]))
    assert torch.get_num_threads() == before
