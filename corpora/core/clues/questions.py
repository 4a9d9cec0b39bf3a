"""Questions with the places that clues are about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

BLANK = "_"
ARTICLE = "the "

Span = tuple[int, int]
NOWHERE: Span = (0, 0)

PARTS = (
    "the sentence",
    "the part before the blank",
    "the part after the blank",
    "the words that the twin does not have",
    "the part before the options",
    "the part between the options",
    "the part from the options to the blank",
    "the first word",
    "the last word",
)
"""The parts of a sentence in which characters are counted."""


@dataclass(frozen=True)
class Question:
    """A sentence with a blank, and two options.

    Parameters
    ----------
    sentence : str
    options : tuple of two str
    listed : int
        1 if they are in the order in which they are listed, else -1.
    """

    sentence: str
    options: tuple[str, str]
    listed: int = 1

    @cached_property
    def blank(self) -> int:
        """The place of the blank, in characters; the end if there is none."""
        place = self.sentence.find(BLANK)
        return place if place >= 0 else len(self.sentence)

    @cached_property
    def mentions(self) -> tuple[Sequence[Span], Sequence[Span]]:
        """The characters of every mention of each option, in order."""
        first, second = (mentions(option, self.sentence) for option in self.options)
        return first, second

    def parts(self, own: Span) -> Iterator[Span]:
        """Yield the spans of `PARTS`, given that of the words that the twin does not have."""
        end, blank = len(self.sentence), self.blank
        yield from ((0, end), (0, blank), (min(end, blank + 1), end), own)
        spans = sorted(mention[0] for mention in self.mentions if mention)
        if len(spans) == 2:
            (start, one), (two, last) = spans
            yield from ((0, start), (one, max(one, two)), (last, max(last, blank)))
        else:
            yield from (NOWHERE, NOWHERE, NOWHERE)
        stripped = self.sentence.rstrip()
        yield (0, len(self.sentence.split(" ", 1)[0]))
        yield (stripped.rfind(" ") + 1, end)


Unit = tuple[Question, ...]
"""A question, or twins with opposite answers."""


def mentions(option: str, sentence: str) -> list[Span]:
    """Return the mentions of an option, in any case and without an initial "the".

    They are whole words, unless there are none.

    Examples
    --------
    >>> mentions("the cat", "Cats like the Cat."), mentions("cat", "Cats!")
    ([(14, 17)], [(0, 3)])
    """
    text, wanted = sentence.lower(), option.strip().lower().removeprefix(ARTICLE)
    if not wanted or len(text) != len(sentence):  # some letters have longer small ones
        text, wanted = sentence, option
    places, start = [], text.find(wanted)
    while start >= 0:
        places.append((start, start + len(wanted)))
        start = text.find(wanted, start + 1)
    return [place for place in places if _is_whole(text, *place)] or places


def _is_whole(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


def own_words(sentence: str, twin: str) -> tuple[Span, Span]:
    """Return the whole words in which each of two sentences differs from the other.

    Examples
    --------
    >>> own_words("It was too big for it.", "It was very small for it.")
    ((7, 14), (7, 17))
    """
    start = _n_equal(sentence, twin)
    end = _n_equal(sentence[start:][::-1], twin[start:][::-1])
    start = sentence.rfind(" ", 0, start) + 1
    tail = sentence[len(sentence) - end :].find(" ") if end else -1
    end = end - tail if tail >= 0 else 0
    return (start, len(sentence) - end), (start, len(twin) - end)


def _n_equal(word: str, other: str) -> int:
    """Return how many characters at the start are equal."""
    pairs = enumerate(zip(word, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(word), len(other)))
