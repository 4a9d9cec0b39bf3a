from collection.core.triggers import trigger_diff
from collection.models import Article
from frontend.marks import (
    OPENING_WORDS,
    Piece,
    article_pieces,
    marked_article,
    marked_twins,
    with_blank,
)


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


def test_an_article_opens_with_whole_sentences_and_loses_no_word_and_no_anchor() -> None:
    text = "Fold the map. " * OPENING_WORDS
    anchors = [
        {"start": start, "end": start + 3}
        for start in range(len(text))
        if text.startswith("map", start)
    ]
    pieces = article_pieces(Article(text=text, anchors=anchors))
    opening, rest = pieces["article_opening"], pieces["article_rest"]
    shown = "".join(piece.text for piece in opening)
    assert OPENING_WORDS <= len(shown.split()) < OPENING_WORDS + 3
    assert shown.endswith(". ")
    assert shown + "".join(piece.text for piece in rest) == text
    assert {piece.text for piece in (*opening, *rest) if piece.kind == "anchor"} == {"map"}
    n_marked = sum(piece.kind == "anchor" for piece in (*opening, *rest))
    assert n_marked == len(anchors)


def test_a_short_article_has_no_rest() -> None:
    pieces = article_pieces(Article(text="Fold the map.", anchors=[]))
    assert pieces["article_rest"] == []
