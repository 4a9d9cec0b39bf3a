"""Anchors of an article."""

import pytest
from glin_profanity.data.dictionary import dictionary

from collection.core.anchors import find_anchors, is_function_word

ARTICLE = """How to descale a kettle
Fill the old kettle with white vinegar. Let the vinegar stand for 1 hour; it's worth the wait.
Rinse the kettle thoroughly with the cold tap water, and don't use a steel-wool pad."""


def texts(article: str, **options: int) -> list[str]:
    return [anchor.text for anchor in find_anchors(article, **options)]


def test_the_words_an_article_repeats_come_first() -> None:
    assert texts(ARTICLE)[:2] == ["kettle", "vinegar"]


def test_noun_phrases_are_anchors() -> None:
    assert {"old kettle", "cold tap water", "steel-wool pad"} <= set(texts(ARTICLE))


def test_a_phrase_does_not_cross_a_comma_or_end_in_an_adverb() -> None:
    assert not {"kettle thoroughly", "water and", "vinegar stand hour"} & set(texts(ARTICLE))


def test_function_words_and_colourless_verbs_are_never_offered() -> None:
    assert not {"the", "it's", "for", "don't", "with", "use", "Let"} & set(texts(ARTICLE))
    assert not any(map(is_function_word, texts(ARTICLE)))


def test_an_anchor_says_where_it_stands() -> None:
    for anchor in find_anchors(ARTICLE):
        assert ARTICLE[anchor.start : anchor.end] == anchor.text
        assert anchor.text in anchor.sentence
        assert anchor.sentence in ARTICLE.splitlines()[0] or anchor.sentence[-1] in ".!?"


def test_what_is_likely_a_verb_comes_after_what_is_likely_a_noun() -> None:
    found = texts("Wash the plates in soap. Wash them to save water. They dry.")
    assert found[:3] == ["plates", "soap", "water"]
    assert set(found[3:]) == {"Wash", "save", "dry"}


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        ("Shake the deep rug twice.", "deep rug"),
        ("Hold the lid open.", None),
        ("Then the rice cooker follows the soup.", "rice cooker"),
        ("Beside it a keen blade glides along.", "keen blade"),
        ("Wash the kitchen knives.", "kitchen knives"),
    ],
)
def test_a_phrase_ends_with_its_noun(sentence: str, phrase: str | None) -> None:
    phrases = [text for text in texts(sentence) if " " in text]
    assert phrases == ([phrase] if phrase else [])


def test_forms_of_a_word_count_as_one() -> None:
    assert texts("Wash the cups. A CUP is fine. Wash a dress.")[0] == "cups"
    assert texts("Wash the cups. A CUP is fine.").count("CUP") == 0


def test_offensive_words_are_never_offered() -> None:
    listed = next(word for word in dictionary.get_words("english") if word.isalpha())
    assert texts(f"Clean the {listed} lamp. The {listed} is here.") == ["lamp", "Clean"]


@pytest.mark.parametrize("word", ["sexting", "Masturbation", "raped", "slutty", "semi-erotic"])
def test_forms_that_the_list_lacks_are_offensive_too(word: str) -> None:
    assert texts(f"Clean the {word} lamp.") == ["lamp", "Clean"]


@pytest.mark.parametrize("word", ["hoe", "escort", "cornhole", "sextant", "grape", "butter"])
def test_a_tool_a_guide_and_a_fruit_are_not_offensive(word: str) -> None:
    assert word in texts(f"Clean the {word} first.")


def test_half_a_contraction_is_no_anchor() -> None:
    assert texts("They are n't in the box.") == ["box"]


def test_a_limit_cuts_the_list() -> None:
    assert texts(ARTICLE, limit=1) == ["kettle"]
    with pytest.raises(ValueError, match="limit must be 1 or more, got 0"):
        find_anchors(ARTICLE, limit=0)


@pytest.mark.parametrize("article", ["", " \n\t", "... !!! 123", "of the and"])
def test_an_article_without_content_words_has_no_anchors(article: str) -> None:
    assert find_anchors(article) == ()
