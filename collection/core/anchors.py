"""Anchors: the words and phrases of an article that twins can be written around."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from glin_profanity import Filter

from collection.core.function_words import is_function_word

__all__ = ["Anchor", "find_anchors", "is_function_word"]

LONGEST_PHRASE = 3
PHRASE_BONUS = 0.5

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[^\s].*?(?:[.!?]+(?=\s|$)|$)", re.MULTILINE)
_DETERMINERS = """
a an the this that these those my your his her its our their some any no each every another both
several many few
"""
# Words so common in instructions that they would crowd out the rest; they are no function words,
# so a writer may still choose one ("can" of soup).
_COLOURLESS = """
make makes making use uses using get gets getting want wants need needs try put puts take takes
keep keeps let lets go goes going come comes give gives start starts become becomes sure thing
things way ways lot bit kind sort etc can will might like well one two three first second third
"""
# A noun phrase follows a determiner; without a tagger no other sign is as sure.
DETERMINERS = frozenset(_DETERMINERS.split())
COLOURLESS = frozenset(_COLOURLESS.split())
_OFFENSIVE = Filter({"languages": ["english"]})


@dataclass(frozen=True, slots=True)
class Anchor:
    """A word or phrase of an article, with its first place there.

    `sentence` is the text of the sentence it stands in, `start` and `end` its characters in the
    article, `score` its rank (higher first).
    """

    text: str
    sentence: str
    start: int
    end: int
    score: float


def find_anchors(text: str, *, limit: int = 40) -> tuple[Anchor, ...]:
    """Return the content words and noun phrases of an article, the best first.

    Parameters
    ----------
    text : str
        An article in English; sentences end with ``.``, ``!``, ``?`` or a line.
    limit : int >= 1
        How many anchors to return at most.

    Returns
    -------
    tuple of Anchor
        Words of three letters or more, and phrases of two or three content words that follow a
        determiner. Never function words, and never words on the list of `glin_profanity`. The
        score counts a word's occurrences, with half a point for each further word of a phrase;
        ties go to the one that stands earlier. Forms that differ in case or in an ending "s"
        count as one.

    Raises
    ------
    ValueError
        When `limit` is below 1.

    Source: AAAI 2020, section 2: workers picked anchor words, not function words, from a
    randomly assigned article. Which words a page should offer is this function's own choice.

    >>> [anchor.text for anchor in find_anchors("Warm the baby bottle. The bottle is hot.")]
    ['bottle', 'baby bottle', 'Warm', 'baby', 'hot']
    """
    if limit < 1:
        raise ValueError(f"limit must be 1 or more, got {limit}")
    places: dict[str, list[tuple[int, int, str]]] = {}
    for start, end, sentence in _candidates(text):
        places.setdefault(_key(text[start:end]), []).append((start, end, sentence))
    anchors = [
        Anchor(text[start:end], sentence, start, end, _score(len(same), text[start:end]))
        for same in places.values()
        for start, end, sentence in same[:1]
    ]
    return tuple(sorted(anchors, key=lambda anchor: (-anchor.score, anchor.start))[:limit])


def _score(count: int, phrase: str) -> float:
    return count + PHRASE_BONUS * (len(phrase.split()) - 1)


def _key(phrase: str) -> str:
    folded = " ".join(phrase.casefold().split())
    return folded if folded.endswith("ss") else folded.removesuffix("s")


def _candidates(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and sentence of every word and phrase that may be an anchor."""
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        for before, run in _runs(sentence):
            spans = [(start, end) for start, end in run if _is_word(sentence[start:end])]
            if before in DETERMINERS and spans == run and _is_phrase(sentence, run):
                spans.append((run[0][0], run[-1][1]))
            for start, end in spans:
                yield match.start() + start, match.start() + end, sentence


def _runs(sentence: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the runs of neighbouring content words, each with the word before it ("" if none)."""
    before, last_end = "", 0
    numbered: list[tuple[int, str, tuple[int, int]]] = []
    run = 0
    for match in _WORD.finditer(sentence):
        word = match.group()
        joined = not sentence[last_end : match.start()].strip()
        if is_function_word(word):
            before, run = word.casefold(), run + 1
        else:
            if not joined:
                before, run = "", run + 1
            numbered.append((run, before, match.span()))
        last_end = match.end()
    for (_, preceding), group in groupby(numbered, key=lambda item: item[:2]):
        yield preceding, [span for _, _, span in group]


def _is_phrase(sentence: str, run: list[tuple[int, int]]) -> bool:
    """Tell whether a run is as long as a noun phrase and does not end in an adverb."""
    start, end = run[-1]
    return 2 <= len(run) <= LONGEST_PHRASE and not sentence[start:end].endswith("ly")


def _is_word(word: str) -> bool:
    return len(word) >= 3 and word.casefold() not in COLOURLESS and not _is_offensive(word)


@lru_cache(maxsize=50_000)
def _is_offensive(word: str) -> bool:
    return bool(_OFFENSIVE.is_profane(word))
