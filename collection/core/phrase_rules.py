"""The rules about options and anchor, and their occurrence in the sentences."""

from collections.abc import Iterable, Iterator

from collection.core.findings import Finding, found, quote
from collection.core.function_words import has_content_word
from collection.core.matching import Fit, PreparedText, best_place, fold, word_around
from collection.core.words import BLANK


def option_findings(options: tuple[str, str], usable: Iterable[PreparedText]) -> Iterator[Finding]:
    """Yield findings about the options themselves and in each usable sentence."""
    sound = []
    for number, option in enumerate(options, start=1):
        if not option.strip():
            yield found("option_empty", f"Write option {number}; it is empty.")
        elif BLANK in option:
            yield found(
                "option_has_blank",
                f"Option {number} {quote(option)} contains an underscore; "
                "write the words that fill the blank.",
            )
        else:
            sound.append((number, option))
    if len(sound) == 2 and _same(*options):
        yield found(
            "options_same",
            f"Both options are {quote(options[0])}; name two different things or people.",
        )
    for text in usable:
        for number, option in sound:
            yield from _option_in_sentence(number, option, text)


def _same(a: str, b: str) -> bool:
    return fold(" ".join(a.split())) == fold(" ".join(b.split()))


def _option_in_sentence(number: int, option: str, text: PreparedText) -> Iterator[Finding]:
    place = best_place(option, text.folded)
    if place is None:
        yield found(
            "option_missing",
            f"Option {number} {quote(option)} is not in {text.name}; "
            "write it there exactly as in the option.",
            sentence=text.number,
        )
    elif place.fit is not Fit.WHOLE:
        start, end = word_around(place, text.folded)
        yield found(
            "option_part_of_word",
            f"Option {number} {quote(option)} is in {text.name} only as part of "
            f"{quote(text.sentence[start:end])}; use the same form in both places.",
            sentence=text.number,
            span=(start, end),
        )


def anchor_findings(
    anchor: str | None, usable: Iterable[PreparedText], *, article: str | None
) -> Iterator[Finding]:
    """Yield findings about an assigned anchor itself and in each usable sentence."""
    if anchor is None:
        return
    if not anchor.strip():
        yield found("anchor_empty", "The anchor is empty; choose a word from the article.")
    elif not has_content_word(anchor):
        yield found(
            "anchor_function_word",
            f"The anchor {quote(anchor)} has no content word; choose a noun, verb or adjective.",
        )
    else:
        if article is not None and not _stands_whole(anchor, article):
            yield found(
                "anchor_not_in_article",
                f"The anchor {quote(anchor)} is not in the article; choose a word that is.",
            )
        for text in usable:
            yield from _anchor_in_sentence(anchor, text)


def _stands_whole(phrase: str, text: str) -> bool:
    place = best_place(phrase, fold(text))
    return place is not None and place.fit is Fit.WHOLE


def _anchor_in_sentence(anchor: str, text: PreparedText) -> Iterator[Finding]:
    place = best_place(anchor, text.folded)
    if place is None:
        yield found(
            "anchor_missing",
            f"The anchor {quote(anchor)} is not in {text.name}; use it there.",
            sentence=text.number,
        )
    elif place.fit is Fit.INSIDE:
        start, end = word_around(place, text.folded)
        yield found(
            "anchor_part_of_word",
            f"The anchor {quote(anchor)} is in {text.name} only as a part of "
            f"{quote(text.sentence[start:end])}; use it as a separate word.",
            sentence=text.number,
            span=(start, end),
        )
