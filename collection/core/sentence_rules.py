"""Rules of a sentence, its options and its anchor."""

import unicodedata
from collections.abc import Iterable, Iterator

from collection.core.drafts import Thresholds
from collection.core.findings import Finding, SentenceNumber, make_finding, quote
from collection.core.matching import Fit, PreparedText, best_place, fold, word_around
from collection.core.words import BLANK, has_content_word, word_spans, words


def option_findings(options: tuple[str, str], usable: Iterable[PreparedText]) -> Iterator[Finding]:
    """Yield findings about the options themselves and in each usable sentence."""
    sound = []
    for number, option in enumerate(options, start=1):
        if not option.strip():
            yield make_finding("option_empty", f"Write option {number}; it is empty.")
        elif BLANK in option:
            yield make_finding(
                "option_has_blank",
                f"Option {number} {quote(option)} contains an underscore; "
                "write the words that fill the blank.",
            )
        else:
            sound.append((number, option))
    if len(sound) == 2 and _same(*options):
        yield make_finding(
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
        yield make_finding(
            "option_missing",
            f"Option {number} {quote(option)} is not in {text.name}; "
            "write it there exactly as in the option.",
            sentence=text.number,
        )
    elif place.fit is not Fit.WHOLE:
        start, end = word_around(place, text.folded)
        yield make_finding(
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
        yield make_finding("anchor_empty", "The anchor is empty; choose a word from the article.")
    elif not has_content_word(anchor):
        yield make_finding(
            "anchor_function_word",
            f"The anchor {quote(anchor)} has no content word; choose a noun, verb or adjective.",
        )
    else:
        if article is not None and not _stands_whole(anchor, article):
            yield make_finding(
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
        yield make_finding(
            "anchor_missing",
            f"The anchor {quote(anchor)} is not in {text.name}; use it there.",
            sentence=text.number,
        )
    elif place.fit is Fit.INSIDE:
        start, end = word_around(place, text.folded)
        yield make_finding(
            "anchor_part_of_word",
            f"The anchor {quote(anchor)} is in {text.name} only as a part of "
            f"{quote(text.sentence[start:end])}; use it as a separate word.",
            sentence=text.number,
            span=(start, end),
        )


_INVISIBLE = {"Cf", "Cs", "Co"}
# Letters and symbols by category, but invisible.
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")


def prepare(
    sentence: str, *, number: SentenceNumber, name: str, thresholds: Thresholds
) -> PreparedText:
    """Split and fold a sentence once for all rules; a too long sentence is not folded."""
    folded = fold(sentence) if len(sentence) <= thresholds.max_characters else ""
    return PreparedText(number, name, sentence, tuple(words(sentence)), folded)


def is_usable(text: PreparedText, thresholds: Thresholds) -> bool:
    """Return whether a sentence is neither empty nor too long, so that every rule applies."""
    return bool(text.words) and len(text.sentence) <= thresholds.max_characters


def sentence_findings(texts: Iterable[PreparedText], thresholds: Thresholds) -> Iterator[Finding]:
    """Yield findings about each sentence by itself."""
    for text in texts:
        if not text.words:
            message = f"Write {text.name}; it is empty."
            yield make_finding("sentence_empty", message, sentence=text.number)
        elif not is_usable(text, thresholds):
            yield _too_long(text, thresholds)
        else:
            yield from _character_findings(text)
            yield from _length_findings(text, thresholds)
            yield from _blank_findings(text)


def _too_long(text: PreparedText, thresholds: Thresholds) -> Finding:
    limit = thresholds.max_characters
    return make_finding(
        "too_long",
        f"{text.name.capitalize()} has {len(text.sentence):,} characters; "
        f"shorten it to {limit:,} at most.",
        sentence=text.number,
        span=(limit, len(text.sentence)),
    )


def _character_findings(text: PreparedText) -> Iterator[Finding]:
    if text.sentence.isascii() and text.sentence.isprintable():
        return  # the usual case: no need to check every character
    for code, kind, belongs in (
        ("control_character", "a control character", _is_control),
        ("invisible_character", "an invisible character", _is_invisible),
    ):
        place = next((i for i, char in enumerate(text.sentence) if belongs(char)), None)
        if place is not None:
            yield make_finding(
                code,
                f"{text.name.capitalize()} contains {kind} (U+{ord(text.sentence[place]):04X}) "
                f"after {quote(_words_before(text.sentence, place))}; delete it.",
                sentence=text.number,
                span=(place, place + 1),
            )


def _words_before(sentence: str, place: int) -> str:
    """Return the last few whole words before a position; a very long one is cut."""
    start = max(0, place - 24)
    if start:
        start = sentence.find(" ", start, place) + 1 or start
    return sentence[start:place]


def _is_control(char: str) -> bool:
    # Line breaks and tabs are white space, which becomes plain spaces before a text is stored.
    return unicodedata.category(char) == "Cc" and not char.isspace()


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in _INVISIBLE or char in _BLANK_LETTERS


def _length_findings(text: PreparedText, thresholds: Thresholds) -> Iterator[Finding]:
    count, least, most = len(text.words), thresholds.min_words, thresholds.max_words
    if count < least:
        yield make_finding(
            "too_few_words",
            f"{text.name.capitalize()} has {count} of at least {least} words; "
            f"add {least - count} more.",
            sentence=text.number,
        )
    elif count > most:
        spans = word_spans(text.sentence)
        yield make_finding(
            "too_many_words",
            f"{text.name.capitalize()} has {count} words, and {most} are allowed; "
            f"remove {count - most}.",
            sentence=text.number,
            span=(spans[most][0], spans[-1][1]),
        )


def _blank_findings(text: PreparedText) -> Iterator[Finding]:
    count = text.sentence.count(BLANK)
    if count == 1:
        yield from _glued_blank(text)
    elif count == 0:
        yield make_finding(
            "blank_missing",
            f"{text.name.capitalize()} has no blank; write one underscore (_) where the answer "
            "belongs.",
            sentence=text.number,
        )
    else:
        second = text.sentence.index(BLANK, text.sentence.index(BLANK) + 1)
        yield make_finding(
            "blank_repeated",
            f"{text.name.capitalize()} has {count} underscores; keep only one (_) as its blank.",
            sentence=text.number,
            span=(second, second + 1),
        )


def _glued_blank(text: PreparedText) -> Iterator[Finding]:
    """Refuse letters that touch the blank; "_'s" and "_." are fine."""
    place = text.sentence.index(BLANK)
    around = text.sentence[max(0, place - 1) : place + 2]
    if any(map(str.isalnum, around)):
        start, end = max(0, place - 1), min(len(text.sentence), place + 2)
        yield make_finding(
            "blank_glued",
            f"A letter or digit touches the blank of {text.name}; put a space between them.",
            sentence=text.number,
            span=(start, end),
        )
