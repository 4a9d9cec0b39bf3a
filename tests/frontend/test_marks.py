from collection.core.triggers import trigger_diff
from frontend.writing.marks import Piece, marked_article, marked_twins, with_blank


def test_the_words_that_differ_are_marked_and_the_blank_stands_apart() -> None:
    first, second = marked_twins(trigger_diff("the _ was large", "the _ was small"))
    assert first == [
        Piece("the "),
        Piece("_", "blank"),
        Piece(" was"),
        Piece(" "),
        Piece("large", "changed"),
    ]
    assert "".join(piece.text for piece in second) == "the _ was small"


def test_a_sentence_in_pieces_is_still_the_sentence() -> None:
    for sentence in ("_ fell", "it fell on _.", "_", "no blank", "__"):
        assert "".join(piece.text for piece in with_blank(sentence)) == sentence


def test_overlapping_anchors_lose_no_text_of_the_article() -> None:
    text = "Warm the baby bottle."
    anchors = [
        {"start": 14, "end": 20},
        {"start": 9, "end": 20},
        {"start": 9, "end": 13},
        {"start": 90, "end": 99},
    ]
    pieces = list(marked_article(text, anchors))
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.text for piece in pieces if piece.kind == "anchor"] == ["baby bottle"]
