"""Split text into pieces that are shown differently: changed words, blanks, anchors."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from collection.core.triggers import TriggerDiff
from collection.models import Article

BLANK = "_"
OPENING_WORDS = 30
"""An article shows its first sentences up to so many words, and the rest when one wants more."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one kind: ``plain``, ``changed``, ``blank`` or ``anchor``."""

    text: str
    kind: str = "plain"


def marked_twins(diff: TriggerDiff) -> tuple[list[Piece], list[Piece]]:
    """Return both sentences in pieces, with the differing words and the blank marked."""
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for segment in diff.segments:
        kind = "plain" if segment.kind == "same" else "changed"
        for pieces, text in zip(sides, (segment.first, segment.second), strict=True):
            space = [Piece(" ")] if pieces and text else []
            pieces += space + with_blank(text, kind=kind)
    return sides


def with_blank(text: str, *, kind: str = "plain") -> list[Piece]:
    """Return *text* in pieces, each blank a separate piece."""
    if not text:
        return []
    pieces = []
    for number, part in enumerate(text.split(BLANK)):
        if number:
            pieces.append(Piece(BLANK, "blank"))
        if part:
            pieces.append(Piece(part, kind))
    return pieces


def marked_article(text: str, anchors: Sequence[dict[str, Any]]) -> Iterator[Piece]:
    """Yield an article in pieces with its anchors marked; of two overlapping anchors, the first."""
    position = 0
    for anchor in sorted(anchors, key=lambda anchor: (anchor["start"], -anchor["end"])):
        start, end = anchor["start"], anchor["end"]
        if start < position or not start < end <= len(text):
            continue
        if position < start:
            yield Piece(text[position:start])
        yield Piece(text[start:end], "anchor")
        position = end
    if position < len(text):
        yield Piece(text[position:])


def article_pieces(article: Article) -> dict[str, list[Piece]]:
    """Return the opening of an article and its rest, each in pieces with the anchors marked."""
    middle = _end_of_opening(article.text)
    before = [each for each in article.anchors if each["end"] <= middle]
    after = [
        each | {"start": each["start"] - middle, "end": each["end"] - middle}
        for each in article.anchors
        if each["start"] >= middle
    ]
    return {
        "article_opening": list(marked_article(article.text[:middle], before)),
        "article_rest": list(marked_article(article.text[middle:], after)),
    }


def _end_of_opening(text: str) -> int:
    """Return where the sentence ends that has the last word of the opening."""
    ends = (match.end() for match in re.finditer(r"[.!?][”\"')]*\s+", text))
    return next((end for end in ends if len(text[:end].split()) >= OPENING_WORDS), len(text))
