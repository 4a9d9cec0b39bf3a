"""The answer of a table's line: an option's text, its letter, or its number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from corpora.core.items import TRUTH
from corpora.core.readers.records import label_from_zero
from tabular import is_unknown, whole_number

_ANSWERS = {"true": 1, "false": 2, "yes": 1, "no": 2}
_LABELS = {"1": 1, "0": 2, "true": 1, "false": 2}
_LETTER = re.compile(r"\(?([A-Za-z])[.)]?")


def answer_of(answer: Any, label: Any, options: Sequence[str]) -> int | None:
    """Return an answer as the option's number from 1; None if neither answer nor label tells it.

    An answer or label that is empty, -1 or NaN is unknown.

    Parameters
    ----------
    answer : JSON value
        An option's text, its letter (``B``, ``b.``, ``(B)``), or its number from 1 (``2``,
        ``2.0``). For a true/false question, true or false, yes or no.
    label : JSON value
        The option's number from 0. For a true/false question, 1 or true, 0 or false.
    options : sequence of str

    Raises
    ------
    ValueError
        When both are given, when one names no option, and when an answer names one option as a text
        and another one as a letter or number.

    Examples
    --------
    >>> [answer_of(one, None, ("cup", "jar")) for one in ("jar", "b.", "2", 2)]
    [2, 2, 2, 2]
    >>> answer_of(None, 1, ("cup", "jar")), answer_of(None, 1, ("true", "false"))
    (2, 1)
    """
    is_given = [not is_unknown(value) or value in options for value in (answer, label)]
    if not any(is_given):
        return None
    if all(is_given):
        raise ValueError(f"either answer or label must be given, got {answer!r} and {label!r}")
    if tuple(options) == TRUTH:
        return (
            _truth(answer, _ANSWERS, "answer") if is_given[0] else _truth(label, _LABELS, "label")
        )
    return _named(answer, options) if is_given[0] else label_from_zero(label, k=len(options))


def _truth(value: Any, known: Mapping[str, int], name: str) -> int:
    number = whole_number(value)
    text = str(value if number is None else number).strip().casefold()
    if text not in known:
        raise ValueError(f"{name} must be {' or '.join(known)}, got {text!r:.80}")
    return known[text]


def _named(answer: Any, options: Sequence[str]) -> int:
    """Return the only option that the answer names in any of the three ways."""
    text = str(answer).strip()
    number, letter = whole_number(answer), _LETTER.fullmatch(text)
    named = {n for n, option in enumerate(options, 1) if option == text}
    if number is not None:
        named.add(number)
    if letter:
        named.add(ord(letter[1].upper()) - ord("A") + 1)
    inside = named & set(range(1, len(options) + 1))
    if isinstance(answer, bool) or not inside:
        raise ValueError(
            "answer must be the text of an option, its letter, or its number from 1 to "
            f"{len(options)}, got {answer!r:.80}"
        )
    if len(inside) > 1:
        raise ValueError(f"the answer {text!r} is the text of one option and names another one")
    return inside.pop()
