"""Where a sentence mentions an option."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from corpora.core.transformations.results import Dropped

ABSENT = "an option is not in the sentence"
REPEATED = "an option is in the sentence more than once"
_ARTICLE = re.compile(r"the (?=\S)", re.IGNORECASE)


def mentions(option: str, sentence: str) -> list[tuple[int, int]]:
    """Return the characters of every mention of an option, in order.

    A mention is the option as whole words. If there is none, an initial "the" may have the other
    case, and if there is still none it is ignored: "the suitcase" is mentioned by "the brown
    suitcase". Otherwise case counts, since a name may also be a verb (Will).

    Examples
    --------
    >>> mentions("the suitcase", "It fits into the brown suitcase, not the suitcases.")
    [(23, 31)]
    """
    for form in _forms(option.strip()):
        if found := [match.span() for match in _whole(form).finditer(sentence)]:
            return found
    return []


def single_mentions(options: Sequence[str], sentence: str) -> list[tuple[int, int]]:
    """Return the mention of each option; `Dropped` if one has none or several, or two overlap."""
    spans = []
    for option in options:
        found = mentions(option, sentence)
        if len(found) != 1:
            raise Dropped(REPEATED if found else ABSENT)
        spans.append(found[0])
    if any(start < end for (_, end), (start, _) in pairwise(sorted(spans))):
        raise Dropped("an option contains another one")
    return spans


def contains(sentence: str, phrase: str) -> bool:
    """Return whether a phrase is in a sentence exactly, as whole words."""
    return _whole(phrase).search(sentence) is not None


def replaced(sentence: str, words: Mapping[str, str]) -> str:
    """Return a sentence in which whole words or phrases are replaced, all at the same time."""
    longest_first = sorted(words, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda found: words[found[0]], sentence)


def without_articles(options: Sequence[str]) -> list[str]:
    """Return options without an initial "the" if all of them have one, otherwise unchanged.

    So "the man" and "John" are not exchanged in "a man": that would give "a John".
    """
    stripped = [option.strip() for option in options]
    if not all(_ARTICLE.match(option) for option in stripped):
        return stripped
    return [_ARTICLE.sub("", option, count=1) for option in stripped]


def _forms(option: str) -> list[str]:
    if not _ARTICLE.match(option):
        return [option]
    return [option, option[0].swapcase() + option[1:], _ARTICLE.sub("", option, count=1)]


def _whole(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
