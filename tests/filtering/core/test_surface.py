"""The surface of questions: each planted leak shows in its own place, and nowhere else."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from corpora.core.items import TwinItem
from filtering.core.contrasts import contrast
from filtering.core.examples import choose_examples
from filtering.core.surface import FEATURES, LEAST_COUNT, leaning_words, surface
from tests.data_dir import needs_data
from tests.winogrande_data import winogrande_questions

HAPPY = "Ann loved the {a} but hated the {b} because the _ was {end}."
NEUTRAL = "Ann put the {a} beside the {b} on shelf {i} because the _ was {end}."


def twin(
    i: int,
    sentence: str = NEUTRAL,
    ends: tuple[str, str] = ("tall", "short"),
    options: tuple[str, str] = ("lamp", "bowl"),
) -> list[TwinItem]:
    """Two questions; the first ending means option 1, which stands first in every other twin."""
    a, b = options if i % 2 else options[::-1]
    return [
        TwinItem(
            id=f"q{i}-{answer}",
            group=f"t{i}",
            sentence=sentence.format(a=a, b=b, i=i, end=end),
            options=options,
            answer=answer,
        )
        for answer, end in zip((1, 2), ends, strict=True)
    ]


def clean(count: int = 60) -> list[TwinItem]:
    ends = ("tall", "short"), ("short", "tall")
    return [question for i in range(count) for question in twin(i, ends=ends[i // 2 % 2])]


def told(questions: list[TwinItem], kept: np.ndarray) -> set[str]:
    """The features in which removed and kept questions clearly differ."""
    found = surface(questions)
    units = np.unique([question.group for question in questions], return_inverse=True)[1]
    every = {name: contrast(found.values[name], kept, units) for name in FEATURES}
    return {name for name, one in every.items() if one.p is not None and one.p < 0.001}


def test_clean_questions_that_chance_removed_differ_in_nothing() -> None:
    questions = clean()
    assert not told(questions, np.random.default_rng(0).random(len(questions)) < 0.5)


def test_a_removed_answer_shows_in_the_labels() -> None:
    questions = clean()
    first = np.array([question.answer == 1 for question in questions])
    kept = ~first | (np.random.default_rng(0).random(len(first)) < 0.3)
    assert told(questions, kept) == {"answer_is_first"}


def test_a_removed_place_shows_in_the_place_of_the_right_option() -> None:
    questions = clean()
    place = surface(questions).values["right_stands_first"]
    kept = (place == 0) | (np.random.default_rng(0).random(len(place)) < 0.3)
    assert told(questions, kept) == {"right_stands_first"}


def test_removed_long_options_show_in_the_length() -> None:
    sizes = [("lamp", "wardrobe"), ("wardrobe", "lamp")]
    questions = [q for i in range(60) for q in twin(i, options=sizes[i // 2 % 2])]
    longer = surface(questions).values["right_is_longer"]
    kept = (longer == 0) | (np.random.default_rng(0).random(len(longer)) < 0.3)
    assert "right_is_longer" in told(questions, kept)
    assert "answer_is_first" not in told(questions, kept)


def test_removed_feelings_show_in_the_polarity() -> None:
    feeling = [
        question
        for i in range(30)
        for question in twin(1, HAPPY, ("wonderful", "awful"), (f"lamp{i}", f"bowl{i}"))
    ]
    feeling = [replace(q, id=f"f{i}", group=f"f{i // 2}") for i, q in enumerate(feeling)]
    questions = [*clean(), *feeling]
    kept = np.arange(len(questions)) < 120
    assert {"polarity_clear", "polarity_pattern"} <= told(questions, kept)
    assert surface(feeling).values["polarity_right"].tolist() == [1.0] * 60
    examples = choose_examples(questions, kept, surface(questions), seed=0)
    assert {example.twin for example in examples["polarity"]} <= {q.group for q in feeling}
    assert len(examples["polarity"]) == 5


def test_removed_trigger_words_show_in_their_pmi_and_in_the_list_of_words() -> None:
    leaky = [question for i in range(60, 120) for question in twin(i, ends=("huge", "tiny"))]
    questions = [*clean(), *leaky]
    kept = np.arange(len(questions)) < 120
    assert "trigger_pmi" in told(questions, kept)
    words = leaning_words(surface(questions), [q.answer for q in questions], kept, limit=2)
    assert {(word.word, word.before, word.after) for word in words} == {
        ("huge", (60, 0), (0, 0)),
        ("tiny", (0, 60), (0, 0)),
    }


def test_what_only_one_twin_has_is_its_trigger_and_an_unpaired_question_has_none() -> None:
    found = surface([*twin(0), twin(1)[0]])
    assert found.triggers == (Counter(["tall"]), Counter(["short"]), Counter())
    assert np.isnan(found.values["polarity_pattern"][2])


def leaning(count: int) -> list[TwinItem]:
    """Twins whose trigger words come so often, always with the same answer."""
    return [question for i in range(count) for question in twin(i)]


def test_of_a_trigger_word_with_too_few_occurrences_nothing_is_said() -> None:
    few, enough = leaning(LEAST_COUNT - 1), leaning(LEAST_COUNT)
    for questions, says in ((few, False), (enough, True)):
        found, kept = surface(questions), np.arange(len(questions)) % 2 == 0
        answers = [question.answer for question in questions]
        assert bool(leaning_words(found, answers, kept)) is says
        assert bool(choose_examples(questions, kept, found, seed=0)["pmi"]) is says
        assert np.isfinite(found.values["trigger_pmi"]).all() == says


def test_a_rare_trigger_word_beside_a_common_one_counts_as_nothing() -> None:
    rare = twin(99, ends=("tall and rusty", "short"))
    pmi = surface([*leaning(LEAST_COUNT), *rare, twin(100)[0]]).values["trigger_pmi"]
    assert pmi[-3] == pmi[0] > 0
    assert np.isnan(pmi[-1])  # an unpaired question has no trigger words


def test_the_order_of_the_questions_changes_no_value() -> None:
    questions = [*clean(20), twin(99)[0]]
    order = np.random.default_rng(0).permutation(len(questions))
    found, moved = surface(questions), surface([questions[i] for i in order])
    for name in FEATURES:
        np.testing.assert_array_equal(moved.values[name], found.values[name][order])
    kept = np.arange(len(questions)) % 3 > 0
    shuffled = [questions[i] for i in order]
    assert choose_examples(shuffled, kept[order], moved, seed=0)["broken"] == [
        *choose_examples(questions, kept, found, seed=0)["broken"]
    ]


def test_examples_say_what_became_of_either_question() -> None:
    questions = clean(8)
    kept = np.arange(16) % 2 == 0
    examples = choose_examples(questions, kept, surface(questions), seed=0)
    assert examples["kept"] == []
    assert all([q.kept for q in e.questions] == [True, False] for e in examples["broken"])
    assert [q.answer for q in examples["broken"][0].questions] == [1, 2]


@needs_data
def test_the_real_crowd_lets_feelings_speak_for_the_right_option() -> None:
    right = surface(winogrande_questions("train_l", limit=4000)).values["polarity_right"]
    assert np.nanmean(right) > 0.55


@pytest.mark.parametrize("name", FEATURES)
def test_every_feature_has_a_value_forevery_question(name: str) -> None:
    assert len(surface(clean(3)).values[name]) == 6
