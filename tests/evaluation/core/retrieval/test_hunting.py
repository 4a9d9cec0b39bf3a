"""Retrieval: with the knowledge in the corpus items are solved, without it they tie."""

import gzip
import json
from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.retrieval.hunting import SentenceIndex, hunt
from evaluation.core.retrieval.queries import Queries
from tests.data_dir import data_dir, needs_data
from tests.evaluation.core.retrieval.knowledge import (
    PROPERTIES,
    VERBS,
    Text,
    corpus,
    items,
    knowledge,
    share_right,
)

TRUTH = knowledge(0)
QUERIES = Queries(
    context=(("yell",),), query=(("upset",),), roles=("agent", "patient"), place="subject",
    excluded=("jim",),
)  # fmt: skip


def test_planted_knowledge_solves_every_item():
    texts, answers = items(TRUTH, 1)
    hunts = hunt(SentenceIndex(corpus(TRUTH, 2)), texts)
    assert share_right(hunts, answers) > 0.99
    assert {rule.rule for found in hunts for rule in found.evidence} == {
        "same word", "shared subject", "agreement",
    }  # fmt: skip


def test_more_sentences_outvote_the_wrong_ones():
    texts, answers = items(TRUTH, 1)
    once, often = (
        share_right(hunt(SentenceIndex(corpus(TRUTH, 3, copies=n, noise=0.2)), texts), answers)
        for n in (1, 9)
    )
    assert once == pytest.approx(0.8, abs=0.1)
    assert often > 0.95


def test_knowledge_that_is_unrelated_to_the_answers_gives_chance():
    texts, answers = items(TRUTH, 1)
    shares = [
        share_right(hunt(SentenceIndex(corpus(knowledge(seed), seed)), texts), answers)
        for seed in range(1, 6)
    ]
    assert np.mean(shares) == pytest.approx(0.5, abs=3 * 0.5 / np.sqrt(5 * len(texts)))


def test_contrary_knowledge_gives_contrary_answers():
    texts, answers = items(TRUTH, 1)
    hunts = hunt(SentenceIndex(corpus(TRUTH, 2, noise=1)), texts)
    assert share_right(hunts, answers) < 0.01


def test_without_the_knowledge_every_item_ties_and_says_why():
    texts, _ = items(TRUTH, 1)
    apart = [f"The nurse {verb} the boy." for verb in VERBS]
    apart += [f"The boy was {property}." for property in PROPERTIES]
    hunts = hunt(SentenceIndex(apart), texts)
    assert all(found.scores.tolist() == [0, 0] for found in hunts)
    assert {found.reason for found in hunts} == {"no sentence of the corpus has both predicates"}


def test_a_sentence_that_no_rule_decides_is_no_evidence():
    index = SentenceIndex(["Rebecca yelled at Mary because she was upset."])
    (found,) = hunt(index, [Text("Ann yelled at Bob because ", ("Ann", "Bob"), " was upset.")])
    assert (found.n_found, found.evidence) == (1, ())
    assert found.reason == "no rule decided any sentence found"


def test_a_tie_is_told_by_equal_scores_of_zero():
    (found,) = hunt(
        SentenceIndex(["Nothing here."]), [Text("Ann left because ", ("Ann", "Bob"), ".")]
    )
    assert found.scores.tolist() == [0, 0]
    assert found.queries is None
    assert found.reason == "fewer than two options are named in the text"


def test_the_item_itself_is_not_found():
    sentence = "Jim yelled at Kevin because Jim was upset."
    index = SentenceIndex([sentence, sentence.replace("Jim", "he")])
    assert index.search(QUERIES) == [1]


def test_a_sentence_must_have_a_word_of_both_sets():
    index = SentenceIndex(["He yelled.", "He was upset.", "He yells, upset.", ""])
    assert index.search(QUERIES) == [2]
    assert SentenceIndex(["nothing"]).search(QUERIES) == []


words = st.sampled_from(["yell", "upset", "dog", "the", "we"])


@given(st.lists(st.lists(words, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=12))
def test_the_order_is_that_of_a_slow_bm25(texts):
    found = SentenceIndex(texts).search(QUERIES, depth=100)
    slow = _bm25(texts)
    both = [i for i, text in enumerate(texts) if {"yell", "upset"} <= set(text.split())]
    assert sorted(found) == both
    ranked = [slow[i] for i in found]
    assert ranked == pytest.approx(sorted(ranked, reverse=True), rel=1e-9)


def _bm25(texts, k1=1.5, b=0.75):
    """Return the BM25 scores of "yell upset", after Robertson's formula."""
    split = [text.split() for text in texts]
    mean = sum(map(len, split)) / len(split)
    scores = [0.0] * len(split)
    for word in ("yell", "upset"):
        df = sum(word in text for text in split)
        idf = log(1 + (len(split) - df + 0.5) / (df + 0.5))
        for i, text in enumerate(split):
            tf = Counter(text)[word]
            scores[i] += idf * tf / (tf + k1 * (1 - b + b * len(text) / mean))
    return scores


@given(st.permutations(range(3)), st.integers(0, 20))
def test_permuting_options_permutes_scores(order, seed):
    options = ("the baker", "the singer", "the pilot")
    verb, property = list(TRUTH)[seed]
    before = f"The pilot left. The baker {verb} the singer because "
    text = Text(before, options, f" was {property}.")
    other = Text(before, tuple(options[i] for i in order), text.after)
    index = SentenceIndex(corpus(TRUTH, 2))
    (one,), (two,) = hunt(index, [text]), hunt(index, [other])
    assert two.scores.tolist() == one.scores[list(order)].tolist()
    assert one.evidence == two.evidence


def test_depth_bounds_the_sentences_examined():
    index = SentenceIndex(["He yelled because he was upset."] * 30)
    text = Text("Ann yelled at Bob because ", ("Ann", "Bob"), " was upset.")
    (found,) = hunt(index, [text], depth=7)
    assert (found.n_found, len(found.evidence)) == (7, 7)
    assert [each.place for each in found.evidence] == list(range(7))
    assert found.scores.tolist() == [21, 0]


def test_progress_is_told_after_each_item():
    texts, told = items(TRUTH, 1)[0][:3], []
    hunt(SentenceIndex(["a word"]), texts, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="corpus must hold at least one word, got none"):
        SentenceIndex(["", "..."])
    with pytest.raises(ValueError, match="depth must be at least 1, got 0"):
        hunt(SentenceIndex(["a word"]), [], depth=0)


@needs_data
@pytest.mark.long
def test_wikihow_has_evidence_for_few_items_and_decides_them_by_chance():
    """16,000 sentences hold the knowledge of about 3 % of WinoGrande; no figure is better."""
    with gzip.open(data_dir() / "wikihow" / "annotated_step_goal.json.gz", "rt") as stream:
        sentences = list(json.load(stream))
    lines = (data_dir() / "winogrande" / "dev.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    texts = []
    for row in rows:
        before, _, after = row["sentence"].partition("_")
        texts.append(Text(before, (row["option1"], row["option2"]), after))
    hunts = hunt(SentenceIndex(sentences), texts)
    parsed = sum(found.queries is not None for found in hunts)
    solved = sum(np.ptp(found.scores) > 0 for found in hunts)
    assert 0.3 < parsed / len(rows) < 0.4
    assert 20 <= solved <= 60
    assert share_right(hunts, [int(row["answer"]) - 1 for row in rows]) == pytest.approx(
        0.5, abs=0.02
    )
