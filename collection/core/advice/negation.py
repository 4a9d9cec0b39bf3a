"""Advice on twins that differ only in a negation."""

import re
from collections.abc import Iterator, Sequence

from collection.core.findings import Finding, found, quote
from collection.core.matching import fold
from collection.core.triggers import TriggerDiff
from collection.core.words import bare

_CONTRACTED = {"can't": "can", "cannot": "can", "won't": "will", "shan't": "shall", "ain't": "be"}
_NEGATIONS = frozenset({"not", "never", "no"})
# Words that English adds or removes with a negation ("it fits", "it does not fit any").
_SUPPORT = frozenset({"do", "does", "did", "any", "some", "ever"})
_IRREGULAR = {"had": "have", "has": "have"}
_ENDINGS = re.compile(r"(?:ied|ies)$|(?<=..)(?:ed|es|d|s|e)$")


def negation_findings(trigger: TriggerDiff) -> Iterator[Finding]:
    """Yield advice if the twins differ only in a negation.

    Source: the crowd task's "Things to Avoid", 6: "a contrasting sentence can always be created
    using simple negation i.e. by adding not, never, etc."

    The value of the finding is how many more negations one sentence has than the other.
    """
    more = negations_apart(trigger.first_words, trigger.second_words)
    if more:
        more_negated = max((trigger.first_words, trigger.second_words), key=_count)
        words = " ".join(more_negated)
        yield found(
            "trigger_negation",
            f"The sentences differ only in the negation {quote(words)}; use two contrasting words "
            "instead, such as “light” and “heavy”.",
            value=float(more),
            example=words,
        )


def negations_apart(first: Sequence[str], second: Sequence[str]) -> int:
    """Return by how many negations the two sides differ; 0 if anything else differs.

    A negation is "not", "never", "no", or a verb that ends in "n't". Words that accompany it ("do",
    "does", "did", "any", "some", "ever") and the verb's ending do not count as a difference.

    >>> negations_apart(["fits"], ["does", "not", "fit."]), negations_apart(["large"], ["small"])
    (1, 0)
    """
    apart = abs(_count(first) - _count(second))
    if not apart or list(_rest(first)) != list(_rest(second)):
        return 0
    return apart


def _count(side: Sequence[str]) -> int:
    return sum(_is_negation(word) for word in map(_bare, side))


def _is_negation(word: str) -> bool:
    return word in _NEGATIONS or word == "cannot" or word.endswith("n't")


def _rest(side: Sequence[str]) -> Iterator[str]:
    """Yield the stems of the words that are neither negations nor accompany one."""
    for word in map(_bare, side):
        plain = _CONTRACTED.get(word, word.removesuffix("n't"))
        if plain and plain not in _NEGATIONS and plain not in _SUPPORT:
            yield _stem(plain)


def _stem(word: str) -> str:
    """Return a verb without its ending: just enough to match "stopped" and "stop"."""
    stem = _ENDINGS.sub("", _IRREGULAR.get(word, word)).removesuffix("y")
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem


def _bare(word: str) -> str:
    return bare(fold(word))
