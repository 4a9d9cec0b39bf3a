"""Words, overlap, trigger and local context."""

import pytest

from collection.core.matching import Fit, best_place, fold
from collection.core.triggers import (
    MAX_CELLS,
    Segment,
    is_animal,
    is_plural,
    name_gender,
    trigger_diff,
)
from collection.core.words import (
    has_content_word,
    is_function_word,
    local_window,
    one_line,
    overlap,
    words,
)

RACE = "The racecar passed the school bus because the _ was going so fast. It won."


def test_words_are_what_whitespace_separates() -> None:
    assert words(" The  cup's\u00a0blank is _ . ") == ["The", "cup's", "blank", "is", "_", "."]


@pytest.mark.parametrize(
    ("a", "b", "share"),
    [
        ("", "", 0.0),
        ("", "a", 0.0),
        ("a b", "A B", 1.0),
        ("a b", "b a", 1.0),
        ("a a b", "a b b", 2 / 3),
        ("a b", "a b c d", 0.5),
        (" ".join("s" * 14 + "a" * 6), " ".join("s" * 14 + "b" * 6), 0.7),
        (" ".join("s" * 21 + "a" * 9), " ".join("s" * 21 + "b" * 9), 0.7),
    ],
)
def test_overlap_is_the_multiset_share_of_the_longer_sentence(a: str, b: str, share: float) -> None:
    assert overlap(a, b) == share


def test_the_trigger_is_what_differs() -> None:
    diff = trigger_diff("It was too  large for us.", "it was far too small for us.")
    assert diff.first_words == ("large",)
    assert diff.second_words == ("far", "small")
    assert [part.kind for part in diff.segments] == ["same", "changed", "same", "changed", "same"]


def test_a_word_only_one_twin_has_leaves_an_empty_place_in_the_other() -> None:
    changed = trigger_diff("Ann did go", "Ann did not go").segments[1]
    assert changed == Segment("changed", "", "not", (8, 8), (8, 11))


def test_a_moved_word_is_a_change() -> None:
    diff = trigger_diff("black paper and pen", "paper and black pen")
    assert diff.first_words == diff.second_words == ("black",)


def test_equal_sentences_have_no_trigger() -> None:
    assert trigger_diff("a b", "A  b").first_words == ()
    assert trigger_diff("", "").segments == ()


def test_a_difference_too_large_to_compare_is_one_change() -> None:
    count = int(MAX_CELLS**0.5) + 1
    diff = trigger_diff("x" + " a b" * count + " z", "x" + " b a" * count + " c z")
    assert [part.kind for part in diff.segments] == ["same", "changed", "same"]


@pytest.mark.parametrize(
    ("sentence", "before", "window"),
    [
        (RACE, 2, "because the _ was going so fast. It won."),
        (RACE, 0, "_ was going so fast. It won."),
        (RACE, 99, RACE),
        ("_ won.", 2, "_ won."),
        ("He won as  the _'s wheel broke", 2, "as  the _'s wheel broke"),
        ("Who won? It was (_)", 1, "was (_)"),
    ],
)
def test_the_local_window_runs_from_the_words_before_the_blank_to_the_end(
    sentence: str, before: int, window: str
) -> None:
    assert local_window(sentence, before=before) == window


@pytest.mark.parametrize(("sentence", "count"), [("no blank", 0), ("_ and _", 2)])
def test_a_window_needs_exactly_one_blank(sentence: str, count: int) -> None:
    with pytest.raises(ValueError, match=f"sentence must have exactly one blank '_', got {count}"):
        local_window(sentence)


def test_a_window_cannot_start_after_the_blank() -> None:
    with pytest.raises(ValueError, match="before must be 0 or more, got -1"):
        local_window(RACE, before=-1)


def test_forms_of_quotation_marks_make_no_other_word() -> None:
    first = "Don't ask, said Ann, the _ isn't here"
    second = "Don’t ask, said Ann, the _ isn’t there"
    assert overlap(first, second) == 7 / 8
    assert overlap("„so“ it _ was", '"so" it _ is') == 3 / 4


def test_a_decomposed_option_is_found_in_its_sentence() -> None:
    composed, decomposed = "Ren\u00e9", "Rene\u0301"
    assert one_line(decomposed) == composed


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
