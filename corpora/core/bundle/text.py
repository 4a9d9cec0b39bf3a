"""The length and the vocabulary of a set of sentences, measured as near to WinoGrande's as we can.

Table 5 of the WinoGrande paper does not say how it counts. The figures of its eight sets that are
at hand are those of NLTK's ``word_tokenize`` in lower case (docs/releases-format.md).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from sys import intern

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"^\"|(?<=[ (\[{<])\"", " `` "),  # quotes that open
        (r"[,:](?=\D|$)", r" \g<0> "),
        (r"\.\.\.|--", r" \g<0> "),
        (r"[;@#$%&?!()\[\]{}<>]", r" \g<0> "),
        (r"(?<!\.)\.(?=[\])}>\"']*\s)", " . "),
        (r"\"", " '' "),
        (r"(?<=[^'\s])'(?=\s|$)", " '"),
        (r"(?<=[^'\s])('s|'m|'d|'ll|'re|'ve|n't)(?=\s)", r" \1"),
        (r"\b(can)(not)\b", r"\1 \2"),
        (r"\b(?:(gim|lem)(me)|(gon)(na)|(got)(ta))\b", r"\1\3\5 \2\4\6"),
        (r"\b(wan)(na)(?=\s)", r"\1 \2"),
    )
)


@lru_cache(maxsize=1)  # a question is counted in each file that has it, one after the other
def tokens(sentence: str) -> tuple[str, ...]:
    """Return the tokens of a text by the rules of the Penn Treebank, in lower case.

    Notes
    -----
    *Source*: R. MacIntyre's ``tokenizer.sed`` (1995), which expects one sentence. As in NLTK's
    ``word_tokenize`` the text may have several; here one ends at each full stop before a space.
    ``word_tokenize`` asks a trained model, which knows abbreviations: its vocabulary of
    WinoGrande is smaller by 0.5 %.

    Examples
    --------
    >>> tokens("Ann didn't like Eve's cup. So _ left.")
    ('ann', 'did', "n't", 'like', 'eve', "'s", 'cup', '.', 'so', '_', 'left', '.')
    """
    text = f"{sentence} ".lower()
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return tuple(map(intern, text.split()))  # several vocabularies share the words


@dataclass(slots=True)
class TextFigures:
    """The length and vocabulary of sentences, counted one by one.

    Memory grows with the vocabulary alone.
    """

    sentences: int = 0
    words: int = 0
    tokens: int = 0
    types: set[str] = field(default_factory=set)

    def add(self, sentence: str) -> None:
        """Count a sentence."""
        found = tokens(sentence)
        self.sentences += 1
        self.words += len(sentence.split())
        self.tokens += len(found)
        self.types.update(found)

    @property
    def mean_words(self) -> float | None:
        """Mean number of words between white space, as the rules count them; two decimals."""
        return round(self.words / self.sentences, 2) if self.sentences else None

    @property
    def mean_tokens(self) -> float | None:
        """Mean number of `tokens`, two decimals."""
        return round(self.tokens / self.sentences, 2) if self.sentences else None

    @property
    def vocabulary(self) -> int:
        """Number of different `tokens`."""
        return len(self.types)
