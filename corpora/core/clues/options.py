"""Clues that compare the two options, and so name one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from corpora.core.clues.questions import Question

Compares = Callable[[Question], int]
FAR = 10**6


def more(first: float, second: float) -> int:
    """Return 1 if the first is more, -1 if the second is, 0 if they are equal."""
    return (first > second) - (first < second)


def _by_option(measure: Callable[[str], float]) -> Compares:
    return lambda question: more(*map(measure, question.options))


def _alphabet(question: Question) -> int:
    first, second = (option.casefold() for option in question.options)
    return (first < second) - (first > second)


def _last_letters(question: Question) -> int:
    first, second = (option.casefold()[::-1] for option in question.options)
    return (first < second) - (first > second)


def _mentioned_first(question: Question) -> int:
    first, second = (spans[0][0] if spans else FAR for spans in question.mentions)
    return more(second, first) if FAR not in (first, second) else 0


def _nearer(question: Question) -> int:
    first, second = (
        min((abs(start - question.blank) for start, _ in spans), default=FAR)
        for spans in question.mentions
    )
    return more(second, first) if FAR not in (first, second) else 0


def _mentions(question: Question) -> int:
    first, second = map(len, question.mentions)
    return more(first, second)


def has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


COMPARISONS: Mapping[str, Compares] = {
    "option that is first in the sentence": _mentioned_first,
    "option nearer to the blank": _nearer,
    "longer option": _by_option(len),
    "option that is first in the alphabet": _alphabet,
    "option with more words": _by_option(lambda text: len(text.split())),
    "option with a capital": _by_option(lambda text: text[:1].isupper()),
    "option with a digit": _by_option(has_digit),
    "option that is mentioned more often": _mentions,
    "option whose ending is first in the alphabet": _last_letters,
}
"""Say 1 for option 1, -1 for option 2, or 0 for neither. The first four tell most pairs apart."""
MAIN = 4
