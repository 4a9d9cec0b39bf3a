"""The words of sentences, as texts that stand for columns."""

from __future__ import annotations

from collections.abc import Sequence

from corpora.core.clues.numbers import PUNCTUATION
from corpora.core.clues.questions import Question


def words_of(question: Question) -> list[str]:
    """Return a sentence's words, those at its ends and at the blank, and their lengths."""
    words = question.sentence.split()
    plain = [word.strip(PUNCTUATION).lower() for word in words]
    return [
        *plain,
        *(f"a word of {len(word)} letters" for word in plain),
        *_at("first word", plain[:1]),
        *_at("last word", plain[-1:]),
        *_at("word before the blank", question.sentence[: question.blank].split()[-1:]),
        *_at("word after the blank", question.sentence[question.blank + 1 :].split()[:1]),
    ]


def words_beside(question: Question, option: int) -> list[str]:
    """Return the words before and after each mention of an option, and its own at their ends."""
    found = []
    for start, end in question.mentions[option]:
        found += _at("word before the option", question.sentence[:start].split()[-1:])
        found += _at("word after the option", question.sentence[end:].split()[:1])
    return found


def contexts(question: Question, option: int) -> list[str]:
    """Return an option as it is listed, and its mentions with three characters on either side."""
    sentence = question.sentence
    return [
        question.options[option],
        *(sentence[max(0, start - 3) : end + 3] for start, end in question.mentions[option]),
    ]


def _at(place: str, words: Sequence[str]) -> list[str]:
    return [f"{place} {word}" for word in words]
