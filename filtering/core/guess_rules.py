"""When a twin can be guessed, when it is, and what names its text.

Apart from ``guessers``, which web processes have no need of: it imports scikit-learn.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from filtering.core.questions import BLANK


def guesses_pair(right: tuple[int, int], *, n: int, tau: float) -> bool:
    """Tell whether n classifiers guess both twins: a share of at least tau, and over half.

    ``tau`` is taken as the decimal it prints as, as AFLite takes it. A tau of a half or less may
    suit a filter, but what a coin reaches is no guess that a writer could mend.

    >>> guesses_pair((48, 50), n=64, tau=0.75), guesses_pair((47, 64), n=64, tau=0.75)
    (True, False)
    """
    fewest = min(right)
    return fewest >= Fraction(str(tau)) * n and 2 * fewest > n


def is_whole(sentences: Sequence[str], options: Sequence[str], answers: Sequence[int]) -> bool:
    """Tell whether a twin is written far enough to be guessed: blanks, options, both answers.

    Answers are opposite: with the same one twice, any writer could ask for one sentence at a time.
    """
    texts = [*sentences, *options]
    return (
        all(text.strip() and "\x00" not in text for text in texts)
        and all(sentence.count(BLANK) == 1 for sentence in sentences)
        and sorted(answers) == [1, 2]
        and not any("\ud800" <= character <= "\udfff" for text in texts for character in text)
    )


def as_read(text: str) -> str:
    """Return a text as an encoder may read it: without accents and other ways to write a letter.

    >>> as_read("The thrée ﬁsh")
    'The three fish'
    """
    parts = unicodedata.normalize("NFKD", text)
    return "".join(part for part in parts if not unicodedata.combining(part))


def text_fingerprint(
    sentences: Sequence[str], options: Sequence[str], answers: Sequence[int]
) -> str:
    """Name a twin's text as an encoder reads it: order and case count, the width of gaps not.

    Returns
    -------
    str
        SHA-256 in hex, 64 characters.
    """
    texts = [[" ".join(text.split()) for text in part] for part in (sentences, options)]
    return hashlib.sha256(json.dumps([*texts, list(answers)]).encode()).hexdigest()
