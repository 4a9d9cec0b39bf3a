"""What the checker takes for function words, plurals, animals, names, and a word of its own."""

import pytest

from collection.core.matching import Fit, best_place, fold
from collection.core.triggers import is_animal, is_plural, name_gender
from collection.core.words import has_content_word, is_function_word


@pytest.mark.parametrize("word", ["the", "it", "he", "of", "The", "isn’t", "they're", "(with)"])
def test_function_words(word: str) -> None:
    assert is_function_word(word)


@pytest.mark.parametrize("word", ["trophy", "run", "can", "back", "will", "past", "mine", "7", ""])
def test_content_words_and_words_that_may_be_nouns(word: str) -> None:
    assert not is_function_word(word)


@pytest.mark.parametrize(
    ("phrase", "has"),
    [("of the", False), ("", False), ("by the door", True), ("7", True)],
)
def test_a_phrase_needs_one_content_word(phrase: str, has: bool) -> None:
    assert has_content_word(phrase) is has


@pytest.mark.parametrize(
    ("phrase", "plural"),
    [
        ("lamp", False),
        ("boxes", True),
        ("glass", False),
        ("bus", False),
        ("gas", False),
        ("feet", True),
        ("scissors", True),
        ("furniture", False),
        ("slices of cake", True),
        ("bread and butter", True),
        ("sheep", None),
        ("skis", None),
        ("physics", None),
        ("", False),
    ],
)
def test_number(phrase: str, plural: bool | None) -> None:
    assert is_plural(phrase) is plural


@pytest.mark.parametrize("phrase", ["dog", "Puppies", "wild geese", "wolves", "foxes"])
def test_animals(phrase: str) -> None:
    assert is_animal(phrase)


@pytest.mark.parametrize("phrase", ["dog house", "hot dogs", "baseball bat", "mice", "lamp", ""])
def test_things_that_are_no_animals(phrase: str) -> None:
    assert not is_animal(phrase)


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("Rebecca", "female"),
        ("ian", "male"),
        ("Mary Ann", "female"),
        ("Nick", "male"),
        ("Leslie", None),
        ("Xq", None),
    ],
)
def test_the_gender_of_a_name(name: str, gender: str | None) -> None:
    assert name_gender(name) == gender


@pytest.mark.parametrize(
    ("phrase", "sentence", "fit"),
    [
        ("pen", "The pencil and the pen", Fit.WHOLE),
        ("cup", "All the cups", Fit.START),
        ("ball", "A football", Fit.INSIDE),
        ("Ian", "Ian's car", Fit.WHOLE),
        ("cream", "ice-cream", Fit.WHOLE),
        ("open  book", "an open\u00a0book", Fit.WHOLE),
    ],
)
def test_how_a_phrase_occurs_in_a_sentence(phrase: str, sentence: str, fit: Fit) -> None:
    place = best_place(phrase, fold(sentence))
    assert place is not None
    assert place.fit is fit


@pytest.mark.parametrize("phrase", ["", " ", "lid", "a much longer phrase than the sentence"])
def test_a_phrase_that_does_not_stand_there(phrase: str) -> None:
    assert best_place(phrase, "the cup") is None


def test_folding_keeps_every_character_in_its_place() -> None:
    assert fold("İSTANBUL’S Lamp") == "İstanbul's lamp"
