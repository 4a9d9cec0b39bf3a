"""Words, overlap, trigger and local context."""

import pytest

from collection.core.triggers import MAX_CELLS, Segment, trigger_diff
from collection.core.words import local_window, one_line, overlap, words

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
