"""Anchors of an article, and the keys under which uses of anchors and triggers are counted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from collection.core.offensive import is_offensive
from collection.core.words import bare, is_function_word

LONGEST_TRIGGER_KEY = 300


def anchor_key(anchor: str) -> str:
    """Return the key of an anchor: without case, extra white space and an ending "s".

    >>> anchor_key("Baby  Bottles"), anchor_key("glass")
    ('baby bottle', 'glass')
    """
    folded = " ".join(anchor.casefold().split())
    return folded if folded.endswith("ss") else folded.removesuffix("s")


def trigger_key(first: Sequence[str], second: Sequence[str]) -> str:
    """Return the key of twins' trigger words, which ignores order, case and punctuation.

    Parameters
    ----------
    first, second : sequences of words
        The words in which each sentence differs, as in ``TriggerDiff``.

    Returns
    -------
    str
        At most 300 characters; a side without words is empty.

    >>> trigger_key(["too", "Small."], ["too", "large."])
    'too large|too small'
    """
    sides = sorted(" ".join(bare(word.casefold()) for word in side) for side in (first, second))
    return "|".join(sides)[:LONGEST_TRIGGER_KEY]


__all__ = ["Anchor", "find_anchors", "is_function_word"]

LONGEST_PHRASE = 3
# Measured on the anchors of WinoGrande's crowd; see ``find_anchors``.
PHRASE_WEIGHT, PHRASE_BONUS = 0.5, 0.1
VERB_WEIGHT = 0.15  # of an occurrence that is more likely a verb than a noun
OTHER_WEIGHT = 0.3  # of one that looks like an adjective, an adverb or a form of a verb
HEAD_WEIGHT = 1.5  # of one that ends a noun phrase

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_NO_NOUN = re.compile(r"(?:ing|ed|ly|ful|ous|ive|able|est)$")
# The last mark of several is enough: it is the one before white space.
_SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s|$)|$)", re.MULTILINE)
_DETERMINERS = """
a an the this that these those my your his her its our their some any no each every another both
several many few
"""
# Words so common in instructions that they would displace the others; they are not function words,
# so a writer may still choose one ("can" of soup).
_COLOURLESS = """
make makes making use uses using get gets getting want wants need needs try put puts take takes
keep keeps let lets go goes going come comes give gives start starts become becomes sure thing
things way ways lot bit kind sort etc can will might like well one two three first second third
leave leaves find finds ask asks help helps begin begins stay stays remain remains look looks good
better best little ready able four five six seven eight nine ten
"""
# Words that follow a noun phrase but are not part of it ("fold the shirt twice").
_TRAILING = """
once twice together apart again deep deeper hard loose open shut tight flat straight overnight
afterwards sideways forward backward upright outside inside alone ahead aside thoroughly
"""
_SUBJECTS = "i you he she it we they who that which"
_AUXILIARIES = """
to can could will would shall should must may might do does did don't doesn't didn't cannot can't
won't please then never always
"""
_SINGULAR_DETERMINERS = frozenset({"a", "an", "this", "that", "each", "every", "another"})
# A noun phrase follows a determiner; without a tagger this is the most reliable sign.
DETERMINERS = frozenset(_DETERMINERS.split())
COLOURLESS = frozenset(_COLOURLESS.split())
TRAILING = frozenset(_TRAILING.split())
BEFORE_VERBS = frozenset(f"{_SUBJECTS} {_AUXILIARIES}".split())
AFTER_VERBS = DETERMINERS | {"to", "me", "him", "them", "us", "you", "it"}


@dataclass(frozen=True, slots=True)
class Anchor:
    """A word or phrase of an article, at its first occurrence.

    Parameters
    ----------
    text : str
    sentence : str
        The article's sentence that contains it.
    start, end : int
        Its characters in the article's text.
    score : float
        Its rank, highest first.
    """

    text: str
    sentence: str
    start: int
    end: int
    score: float


def find_anchors(text: str, *, limit: int = 40) -> tuple[Anchor, ...]:
    """Return the content words and noun phrases of an article, best first.

    Parameters
    ----------
    text : str
        An article in English; sentences end with ``.``, ``!``, ``?`` or a line break.
    limit : int >= 1
        Maximum number of anchors.

    Returns
    -------
    tuple of Anchor
        Words of three letters or more, and phrases of two or three content words that follow a
        determiner. Never function words, and never offensive ones (`is_offensive`). The score
        sums the weights of the occurrences, plus `PHRASE_BONUS` for each additional word of a
        phrase. Nouns come first: an occurrence counts less if it is more likely a verb (at the
        start of a sentence, as instructions begin with imperatives; after "to", a pronoun or an
        auxiliary; before a determiner) or ends as adjectives, adverbs and forms of verbs do, and
        more if it ends a noun phrase. Ties go to the earlier one. Forms that differ only in case
        or in an ending "s" count as one.

    Raises
    ------
    ValueError
        When `limit` is below 1.

    Source: AAAI 2020, section 2: workers picked anchor words, not function words, from a
    randomly assigned article. The selection and ranking are ours: of the first twelve anchors
    of the starter's articles, 75 % are anchors that WinoGrande's crowd chose (docs/benchmarks.md).

    >>> [anchor.text for anchor in find_anchors("Warm the baby bottle. The bottle is hot.")]
    ['bottle', 'baby', 'hot', 'baby bottle', 'Warm']
    """
    if limit < 1:
        raise ValueError(f"limit must be 1 or more, got {limit}")
    places: dict[str, list[_Place]] = {}
    for place in _candidates(text):
        places.setdefault(anchor_key(text[place.start : place.end]), []).append(place)
    anchors = [_anchor(text, same) for same in places.values()]
    return tuple(sorted(anchors, key=lambda anchor: (-anchor.score, anchor.start))[:limit])


@dataclass(frozen=True, slots=True)
class _Place:
    """An occurrence of an anchor, with its weight."""

    start: int
    end: int
    sentence: str
    weight: float


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring content words of a sentence, and the words around them ("" if none)."""

    before: str
    spans: list[tuple[int, int]]
    after: str


def _anchor(text: str, same: Sequence[_Place]) -> Anchor:
    first = same[0]
    phrase = text[first.start : first.end]
    bonus = PHRASE_BONUS * (len(phrase.split()) - 1)
    score = sum(place.weight for place in same) + bonus
    return Anchor(phrase, first.sentence, first.start, first.end, score)


def _candidates(text: str) -> Iterator[_Place]:
    """Yield every occurrence of a word or phrase that may be an anchor."""
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        for run in _runs(sentence):
            for start, end in run.spans:
                if _is_word(sentence[start:end]):
                    weight = _weight(sentence, run, start, end)
                    yield _Place(match.start() + start, match.start() + end, sentence, weight)
            phrase = _phrase(sentence, run)
            if phrase:
                start, end = phrase
                yield _Place(match.start() + start, match.start() + end, sentence, PHRASE_WEIGHT)


def _weight(sentence: str, run: _Run, start: int, end: int) -> float:
    """Return how much an occurrence of a single word counts: nouns most."""
    weight = VERB_WEIGHT if _is_verb_like(run, start) else 1.0
    if _NO_NOUN.search(sentence[start:end].casefold()):
        weight *= OTHER_WEIGHT
    if end != run.spans[-1][1]:
        return weight
    if run.after in AFTER_VERBS - {"to"}:
        return weight * OTHER_WEIGHT
    return weight * HEAD_WEIGHT if run.before in DETERMINERS else weight


def _is_verb_like(run: _Run, start: int) -> bool:
    """Return whether a word starts its sentence or follows a word that precedes verbs."""
    return start == 0 or (start == run.spans[0][0] and run.before in BEFORE_VERBS - DETERMINERS)


def _runs(sentence: str) -> Iterator[_Run]:
    """Yield the runs of content words separated only by spaces."""
    before, last_end = "", 0
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(sentence):
        word = match.group()
        joined = not sentence[last_end : match.start()].strip()
        if spans and (not joined or is_function_word(word)):
            yield _Run(before, spans, word.casefold() if joined else "")
            before, spans = "", []
        if is_function_word(word):
            before = word.casefold()
        else:
            before = before if joined else ""
            spans.append(match.span())
        last_end = match.end()
    if spans:
        yield _Run(before, spans, "")


def _phrase(sentence: str, run: _Run) -> tuple[int, int] | None:
    """Return the noun phrase at the start of a run after a determiner; None if there is none."""
    words = [sentence[start:end] for start, end in run.spans]
    if run.before not in DETERMINERS:
        return None
    count = len(words)
    if _ends_in_verb(words, run):
        count -= 1
    if not 2 <= count <= LONGEST_PHRASE or not all(map(_is_word, words[:count])):
        return None
    last = words[count - 1].casefold()
    if last in TRAILING or last.endswith("ly"):
        return None
    return run.spans[0][0], run.spans[count - 1][1]


def _ends_in_verb(words: Sequence[str], run: _Run) -> bool:
    """Distinguish "the rice cooker follows" (a …) and "a dog barks" from "the kitchen knives"."""
    last = words[-1].casefold()
    has_s = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return (
        last in TRAILING
        or run.after in AFTER_VERBS
        or (has_s and run.before in _SINGULAR_DETERMINERS)
    )


def _is_word(word: str) -> bool:
    """Return whether a word may be an anchor: not one of two letters, nor a separate "n't"."""
    is_long = sum(map(str.isalpha, word)) >= 3
    return is_long and word.casefold() not in COLOURLESS and not is_offensive(word)
