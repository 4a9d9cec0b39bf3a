"""PMI of words and answers: by hand, in any order, and for all of the paper's scores."""

from math import log

import numpy as np
import pytest

from filtering.core.pmi import PMI_SCORES, Association, tokens, twin_scores
from tests.data_dir import needs_data
from tests.winogrande_data import winogrande_questions

# Two twins and an unpaired question; with smoothing 1 every count can be done by hand.
SENTENCES = ["a _ big", "a _ small", "b _ big", "b _ small", "a _ c"]
ANSWERS = [1, 2, 1, 2, 1]
TWINS = ["t", "t", "u", "u", "v"]
# Counts (answer 1, answer 2): a (2, 1), b (1, 1), big (2, 0), c (1, 0), small (0, 2); each + 1.
JOINT = {"a": (3, 2), "b": (2, 2), "big": (3, 1), "c": (2, 1), "small": (1, 3)}
TOTAL, FIRST = 20, 11


def by_hand(word: str, answer: int = 1) -> float:
    p_answer = (FIRST if answer == 1 else TOTAL - FIRST) / TOTAL
    joint = JOINT[word]
    return log((joint[answer - 1] / TOTAL) / (sum(joint) / TOTAL * p_answer))


def scores(score: str, smoothing: float = 1.0) -> list[float]:
    return twin_scores(SENTENCES, ANSWERS, TWINS, score=score, smoothing=smoothing).tolist()


def test_the_signed_score_is_the_difference_of_the_twins_sums() -> None:
    twin = by_hand("big") - by_hand("small")
    unpaired = by_hand("a") + by_hand("c")
    assert scores("signed") == pytest.approx([twin, twin, twin, twin, unpaired])


def test_an_unpaired_question_of_answer_2_counts_against() -> None:
    found = twin_scores(["x _ y", "x _ z"], [1, 2], ["t", "u"], score="signed", smoothing=1.0)
    mirrored = twin_scores(["x _ y", "x _ z"], [2, 1], ["t", "u"], score="signed", smoothing=1.0)
    assert found[1] == pytest.approx(mirrored[0])
    assert found[1] == pytest.approx(-(log(2 / 4 / 0.5) + log(1 / 3 / 0.5)))


def test_the_maximum_takes_the_word_that_tells_most_of_its_own_answer() -> None:
    twin = max(by_hand("big"), by_hand("a"), by_hand("small", 2), by_hand("a", 2))
    assert scores("maximum")[:2] == pytest.approx([twin, twin])
    assert scores("maximum")[4] == pytest.approx(max(by_hand("a"), by_hand("c")))


def test_pairs_of_words_are_counted_once_a_sentence() -> None:
    # a-big, b-big, a-c came once with answer 1; a-small, b-small once with answer 2.
    first, total = 3 + 5, 5 + 10
    told = log((2 / total) / (3 / total * first / total))
    other = log((1 / total) / (3 / total * first / total))
    assert scores("pairs") == pytest.approx([told - other] * 4 + [told])
    doubled = twin_scores(["a a _ big", *SENTENCES[1:]], ANSWERS, TWINS, score="pairs", smoothing=1)
    assert doubled.tolist() == scores("pairs")


def test_smoothing_is_added_to_every_count() -> None:
    counts = np.array([[3, 1], [0, 2]])
    found = Association(counts, 100).pmi()
    joint = counts + 100
    p = joint / joint.sum()
    assert found == pytest.approx(np.log(p / p.sum(1, keepdims=True) / p.sum(0)))
    assert abs(Association(counts, 0.5).pmi()).max() > abs(found).max()


@pytest.mark.parametrize("score", PMI_SCORES)
def test_the_order_of_the_questions_changes_no_bit(score: str) -> None:
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(30)]
    sentences = [" ".join(rng.choice(words, 9)) + " _" for _ in range(60)]
    answers, twins = np.tile([1, 2], 30), np.repeat(np.arange(30), 2)
    found = twin_scores(sentences, answers, twins, score=score)
    order = rng.permutation(60)
    moved = twin_scores(
        [sentences[i] for i in order], answers[order], twins[order].tolist(), score=score
    )
    assert (moved == found[order]).all()
    assert (found[::2] == found[1::2]).all()


def test_the_absolute_score_has_no_sign() -> None:
    assert scores("absolute") == pytest.approx([abs(f) for f in scores("signed")])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"score": "median"}, "score must be one of"),
        ({"smoothing": 0}, "smoothing must be above 0"),
        ({"answers": [0, 1]}, "answers must be 1 or 2, got 0"),
        ({"twins": ["t"]}, "of one length"),
    ],
)
def test_bad_input_is_named(change: dict[str, object], said: str) -> None:
    good = {"sentences": ["a _", "b _"], "answers": [1, 2], "twins": ["t", "t"]}
    with pytest.raises(ValueError, match=said):
        twin_scores(**{"score": "signed", **good, **change})


def test_a_word_without_letters_is_none() -> None:
    assert tokens("Stop — _ 's, she  said ...") == ["stop", "s", "she", "said"]


@needs_data
def test_in_the_real_data_words_that_only_one_twin_has_lean_to_an_answer() -> None:
    questions = winogrande_questions("train_s")
    found = twin_scores(
        [question.sentence for question in questions],
        [question.answer for question in questions],
        [question.group for question in questions],
        score="signed",
    )
    assert found.mean() > 0.01
