"""Parts of pages: marks in texts, charts, and values as people read them."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.utils import timezone

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
from frontend.names import short_float
from frontend.templatetags import pages

pytestmark = pytest.mark.rowless


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


@pytest.mark.parametrize(
    ("amount", "currency", "written"),
    [
        ("0.40", "USD", "$0.40"),
        ("1234.5", "EUR", "€1,234.50"),
        ("-0.03", "CHF", "−0.03 CHF"),
    ],
)
def test_money_is_written_with_its_currency(amount: str, currency: str, written: str) -> None:
    assert pages.money(Decimal(amount), currency) == written


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(None, "–"), (0.25, "0.2 s"), (59.6, "1 min 0 s"), (75, "1 min 15 s"), (7300, "2 h 1 min")],
)
def test_a_duration_is_written_as_people_say_it(seconds: float | None, written: str) -> None:
    assert pages.duration(seconds) == written


def test_a_chance_that_rounds_to_certain_is_not_written_as_certain() -> None:
    written = [pages.chance(value) for value in (1.0, 0.9996, 0.9712, 0.0, None)]
    assert written == ["> 99.9%", "> 99.9%", "97.1%", "< 0.1%", "–"]


def test_an_estimate_is_written_with_its_interval_and_n() -> None:
    metric = {"value": 0.5, "low": 0.25, "high": 0.75, "n": 1200}
    assert pages.estimate(metric) == "50.0% (25.0% – 75.0%, n = 1,200)"
    assert pages.estimate({"value": None, "low": None, "high": None, "n": 0}) == "none (n = 0)"


def test_the_blank_is_a_gap_that_a_screen_reader_names() -> None:
    assert 'class="blank"><span class="unseen">(blank)' in pages.blank("the _ fell")
    assert "_" not in pages.blank("the _ fell")


def test_what_people_write_never_becomes_html() -> None:
    assert "<b>" not in pages.blank("<b>the _ fell</b>", "<i>cup</i>")
    assert "<script>" not in pages.markdown("<script>alert(1)</script>")
    assert "javascript:" not in pages.markdown("[x](javascript:alert(1))").replace(
        "[x](javascript:alert(1))", ""
    )


def test_a_time_is_written_in_the_zone_that_is_active() -> None:
    moment = datetime(2026, 7, 1, 10, 0, tzinfo=UTC)
    with timezone.override("Europe/Berlin"):
        assert "12:00 CEST" in pages.when(moment)
    assert "10:00 UTC" in pages.when(moment)


@pytest.mark.parametrize(
    ("words", "shown"), [("large.", "large"), ("did not", "did not"), ("“big”!", "big"), ("", "")]
)
def test_trigger_words_are_shown_without_the_end_of_their_sentence(words: str, shown: str) -> None:
    assert pages.bare(words) == shown


@pytest.mark.parametrize(
    ("value", "written"), [(None, "–"), (0.125, "0.12"), (-0.2, "−0.20"), (-0.001, "0.00")]
)
def test_what_rounds_to_nothing_has_no_sign(value: float | None, written: str) -> None:
    assert pages.coefficient(value) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [(1e-5, "1e-5"), (0.75, "0.75"), (1.0, "1"), (1.2345678e-5, "1.2345678e-5")],
)
def test_a_float_is_written_as_it_is_typed_and_read_back_the_same(
    value: float, written: str
) -> None:
    assert short_float(value) == written
    assert float(written) == value
