"""Split text into pieces that are shown differently: changed words, blanks, anchors."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from collection.core.triggers import TriggerDiff

BLANK = "_"


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
