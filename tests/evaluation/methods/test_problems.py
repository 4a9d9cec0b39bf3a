"""Judgements of problems against plain loops, one text at a time."""

import numpy as np
import pytest
import torch

from evaluation.methods.problems import margins
from knowledge.core.problems import Problem
from modeling.loading import load_model
from modeling.scoring import continuation_scores
from modeling.scoring.clozes import start_token
from tests.modeling.tiny import save_tiny

LABELS = ("neutral", "entailment", "contradiction")
FITS = Problem(
    "the trophy does not fit in the suitcase because it is too large.",
    "it", "the trophy", "the suitcase", "large trophy does not fit in small box.",
)  # fmt: skip
PROBLEMS = [FITS, FITS.swapped, Problem("ann is small as it is.", "it", "ann", "joan", "ann is.")]


def silent(done: int, total: int) -> None:
    pass


@pytest.fixture(scope="module")
def load(tmp_path_factory):
    def loaded(use, **options):
        return load_model(save_tiny(tmp_path_factory.mktemp(use), use, **options), use)

    return loaded


def log_probabilities(model, ids):
    with torch.inference_mode():
        return torch.log_softmax(model.model(input_ids=torch.tensor([ids])).logits[0], dim=-1)


def test_a_causal_model_compares_what_follows_the_pronoun_with_the_mentions_swapped(load):
    model = load("causal", positions=128)

    def plain(problem, begin):
        encoded = model.tokenizer(problem.text, return_offsets_mapping=True)
        start = start_token(model.tokenizer)
        ids = [*start, *encoded["input_ids"]]
        first = len(start) + sum(a < begin for a, _ in encoded["offset_mapping"])
        said = log_probabilities(model, ids)
        return float(sum(said[place - 1, ids[place]] for place in range(first, len(ids))))

    found = margins(model, PROBLEMS, silent)
    for one, margin in zip(PROBLEMS, found, strict=True):
        end = one.span[1]
        assert margin == pytest.approx(plain(one, end) - plain(one.swapped, end), abs=1e-3)
        # What precedes the mentions is the same in both texts and cancels.
        assert margin == pytest.approx(plain(one, 0) - plain(one.swapped, 0), abs=1e-3)
    assert found[1] == pytest.approx(-found[0], abs=1e-4)
    assert continuation_scores(model, []) == []


def test_a_masked_model_compares_the_two_mentions_masked_together(load):
    model = load("masked", positions=128)
    mask = model.tokenizer.mask_token_id

    def plain(problem):
        ids = model.tokenizer(problem.text)["input_ids"]
        claim = model.tokenizer(problem.sentence + " " + problem.claim)["input_ids"][:-1]
        wrong = model.tokenizer(problem.wrong, add_special_tokens=False)["input_ids"]
        right = model.tokenizer(problem.right, add_special_tokens=False)["input_ids"]
        last = range(len(claim) - len(wrong), len(claim))
        middle = range(last[0] - 1 - len(right), last[0] - 1)
        places = [*middle, *last]
        said = log_probabilities(model, [mask if p in places else i for p, i in enumerate(ids)])
        return float(sum(said[place, ids[place]] for place in places))

    found = margins(model, PROBLEMS, silent)
    expected = [plain(one) - plain(one.swapped) for one in PROBLEMS]
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_an_entailment_model_says_true_only_where_entailment_is_likeliest(load):
    model = load("entailment", labels=LABELS, positions=128)
    found = margins(model, PROBLEMS, silent)
    for one, margin in zip(PROBLEMS, found, strict=True):
        pair = model.tokenizer(
            one.premise, one.resolved, return_tensors="pt", return_token_type_ids=True
        )
        with torch.inference_mode():
            said = model.model(**pair).logits[0].log_softmax(dim=-1)
        assert (margin > 0) == (LABELS[int(said.argmax())] == "entailment")
        assert margin == pytest.approx(float(said[1] - max(said[0], said[2])), abs=1e-4)


def test_a_model_of_another_use_is_refused(load):
    with pytest.raises(ValueError, match="one of causal, masked, entailment, got 'choice'"):
        margins(load("choice"), PROBLEMS, silent)


def test_a_text_without_a_token_in_its_spans_is_refused(load):
    odd = Problem("it is.", "it", "", "", "box.")
    with pytest.raises(ValueError, match="is left to score"):
        margins(load("masked", positions=128), [odd], silent)
