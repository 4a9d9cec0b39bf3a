"""What differs between twins, and the gender, number and animacy of words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from typing import Literal

from collection.core.anchors import trigger_key
from collection.core.words import word_key, word_spans, words

Gender = Literal["female", "male"]

# Names that the crowd uses often and Faker's lists lack.
_FEMALE, _MALE = frozenset({"elena"}), frozenset({"nick", "nelson"})

# Singular words that end in "s"; those in -ss, -us and -is need no entry.
_SINGULAR = """
gas lens canvas atlas bias pancreas thermos chaos cosmos asbestos christmas alias kudos albatross
rhinoceros texas
"""
_PLURAL = """
men women people children feet teeth geese mice lice oxen clothes police cattle criteria phenomena
bacteria data dice menus emus
"""
_EITHER = """
fish sheep deer moose elk shrimp salmon trout cod tuna squid bison species series aircraft
spacecraft offspring headquarters crossroads means news staff
"""
# Words that name a thing or a food more often than an animal are left out: bat, crane, mouse, seal,
# bug, chicken, turkey, lamb, shrimp, tuna, salmon.
_ANIMALS = """
alligator animal ant antelope ape baboon badger bear beaver bee beetle bird bison buffalo bull
bunny butterfly calf camel canary cat caterpillar cheetah chimpanzee chipmunk cobra cockroach
cougar cow coyote crocodile crow deer dog dolphin donkey dove duck eagle elephant elk falcon
ferret fish flamingo flea fox frog gecko gerbil giraffe goat goldfish goose gorilla grasshopper
hamster hare hawk hedgehog hen hippopotamus hog hornet horse hyena iguana insect jaguar kangaroo
kitten koala ladybug leopard lion lizard llama monkey moose mosquito moth mule newt octopus
ostrich otter owl ox oxen panda panther parakeet parrot peacock pelican penguin pet pig pigeon
pony puppy rabbit raccoon rat raven reindeer rhinoceros rooster salamander scorpion shark sheep
skunk slug snail snake sparrow spider squirrel swan tiger toad tortoise turtle wasp weasel whale
wolf worm zebra
"""
SINGULAR = frozenset(_SINGULAR.split())
PLURAL = frozenset(_PLURAL.split())
EITHER = frozenset(_EITHER.split())
ANIMALS = frozenset(_ANIMALS.split())
_NO_ANIMALS = ("hot dog", "hot dogs", "teddy bear", "teddy bears", "gummy bears")
_ANIMAL_PLURALS = {"geese": "goose", "wolves": "wolf", "calves": "calf"}


def name_gender(name: str) -> Gender | None:
    """Return the gender of a person's first name in the United States.

    None if the name is unknown or used for both (Leslie, Jordan). The lists are Faker's, with three
    additional names.

    >>> name_gender("Rebecca"), name_gender("Ian Smith"), name_gender("Leslie")
    ('female', 'male', None)
    """
    first = next(iter(name.split()), "").casefold()
    female, male = (first in names for names in _names())
    if female is male:
        return None
    return "female" if female else "male"


@cache
def _names() -> tuple[frozenset[str], frozenset[str]]:
    """Return the first names of women and of men."""
    # Transformations that need no names are used where Faker is not installed.
    from faker.providers.person.en_US import Provider

    lists = (Provider.first_names_female, Provider.first_names_male)
    women, men = (frozenset(map(str.casefold, names)) for names in lists)
    return women | _FEMALE, men | _MALE


def is_plural(phrase: str) -> bool | None:
    """Return whether a noun phrase is plural, by its head; None if the form is ambiguous.

    What counts is the agreement of the verb, as that could reveal an answer: scissors are plural,
    furniture is singular.

    >>> is_plural("slice of cakes"), is_plural("kitchen knives"), is_plural("sheep")
    (False, True, None)
    """
    lower = phrase.casefold()
    if " and " in lower:
        return True
    head = head_noun(lower)
    if head in EITHER or head.endswith(("ics", "is")):
        return None
    if head in PLURAL:
        return True
    return head.endswith("s") and head not in SINGULAR and not head.endswith(("ss", "us", "'s"))


def is_animal(phrase: str) -> bool:
    """Return whether a noun phrase names an animal.

    >>> is_animal("two puppies"), is_animal("dog house")
    (True, False)
    """
    lower = phrase.casefold()
    if lower.endswith(_NO_ANIMALS):
        return False
    head = head_noun(lower)
    forms = {head, head.removesuffix("s"), head.removesuffix("es")}
    if head.endswith("ies"):
        forms.add(head[:-3] + "y")
    forms.add(_ANIMAL_PLURALS.get(head, head))
    return not forms.isdisjoint(ANIMALS)


def head_noun(phrase: str) -> str:
    """Return the head of a noun phrase: its last word, or the last before "of"."""
    head = phrase.split(" of ", 1)[0].split() or [""]
    return head[-1].strip(".,;:!?\"'()")


# A table of this size takes about a tenth of a second; sentences within the length rules
# need fewer than a thousand.
MAX_CELLS = 1_000_000

Span = tuple[int, int]
Block = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of words that both sentences share, or in which they differ.

    `first` and `second` are slices of the two sentences, `first_span` and `second_span` their
    character offsets; a side without words has empty text and an empty span.
    """

    kind: Literal["same", "changed"]
    first: str
    second: str
    first_span: Span
    second_span: Span


@dataclass(frozen=True, slots=True)
class TriggerDiff:
    """The segments of two twins in reading order; shared and changed ones alternate."""

    segments: tuple[Segment, ...] = ()

    @property
    def first_words(self) -> tuple[str, ...]:
        """The words of the first sentence that the second does not share."""
        return tuple(word for part in self._changed for word in words(part.first))

    @property
    def second_words(self) -> tuple[str, ...]:
        """The words of the second sentence that the first does not share."""
        return tuple(word for part in self._changed for word in words(part.second))

    def as_dict(self) -> dict[str, str]:
        """Return the changed words of each sentence, joined, as stored with a twin."""
        return {"first": " ".join(self.first_words), "second": " ".join(self.second_words)}

    @property
    def key(self) -> str:
        """The key under which uses of this trigger are counted; empty if nothing differs."""
        first, second = self.first_words, self.second_words
        return trigger_key(first, second) if first or second else ""

    @property
    def _changed(self) -> Iterator[Segment]:
        return (part for part in self.segments if part.kind == "changed")


def trigger_diff(a: str, b: str) -> TriggerDiff:
    """Return a minimal word-by-word difference of two sentences.

    Parameters
    ----------
    a, b : str
        The twins. Words are compared by `word_key`, as in `overlap`.

    Returns
    -------
    TriggerDiff
        Its segments' words, joined, are exactly `words(a)` and `words(b)`. The shared words are a
        longest common subsequence; among equally long ones, words are matched as early as
        possible in the sentence that sorts first, so the order of the twins does not matter: the
        difference of `b` and `a` is this one mirrored. If the differing middles are so long that
        the table would exceed `MAX_CELLS`, the middle is one changed segment: correct, but not
        minimal.

    >>> trigger_diff("the _ was too large", "the _ was too small").first_words
    ('large',)
    """
    spans = word_spans(a), word_spans(b)
    keys = [word_key(word) for word in words(a)], [word_key(word) for word in words(b)]
    if keys[0] <= keys[1]:
        blocks = _blocks(*keys)
    else:
        blocks = [(in_a, in_b, size) for in_b, in_a, size in _blocks(keys[1], keys[0])]
    return TriggerDiff(tuple(_segments((a, b), spans, blocks)))


def _segments(
    texts: tuple[str, str],
    spans: tuple[list[Span], list[Span]],
    blocks: Sequence[Block],
) -> Iterator[Segment]:
    i = j = 0
    end = (len(spans[0]), len(spans[1]), 0)
    for start_a, start_b, size in chain(blocks, [end]):
        if start_a > i or start_b > j:
            yield _segment("changed", texts, spans, (i, start_a), (j, start_b))
        i, j = start_a + size, start_b + size
        if size:
            yield _segment("same", texts, spans, (start_a, i), (start_b, j))


def _segment(
    kind: Literal["same", "changed"],
    texts: tuple[str, str],
    spans: tuple[list[Span], list[Span]],
    first: Span,
    second: Span,
) -> Segment:
    first_span = _characters(spans[0], first)
    second_span = _characters(spans[1], second)
    return Segment(
        kind, texts[0][slice(*first_span)], texts[1][slice(*second_span)], first_span, second_span
    )


def _characters(spans: list[Span], run: Span) -> Span:
    """Return the characters of a run of words; for an empty run, the position where it would be."""
    start, stop = run
    if start < stop:
        return spans[start][0], spans[stop - 1][1]
    if start < len(spans):
        return spans[start][0], spans[start][0]
    end = spans[-1][1] if spans else 0
    return end, end


def _blocks(a: Sequence[str], b: Sequence[str]) -> list[Block]:
    """Return the maximal runs (start in a, start in b, size) that both share, in order."""
    shortest = min(len(a), len(b))
    head = next((k for k in range(shortest) if a[k] != b[k]), shortest)
    rest = shortest - head
    tail = next((k for k in range(rest) if a[-1 - k] != b[-1 - k]), rest)
    stop_a, stop_b = len(a) - tail, len(b) - tail
    middle = _common_pairs(a[head:stop_a], b[head:stop_b])
    pairs = chain(
        ((k, k) for k in range(head)),
        ((head + i, head + j) for i, j in middle),
        ((stop_a + k, stop_b + k) for k in range(tail)),
    )
    return _runs(list(pairs))


def _runs(pairs: Sequence[tuple[int, int]]) -> list[Block]:
    if not pairs:
        return []
    runs = [[*pairs[0], 1]]
    for (i, j), (next_i, next_j) in pairwise(pairs):
        if (next_i, next_j) == (i + 1, j + 1):
            runs[-1][2] += 1
        else:
            runs.append([next_i, next_j, 1])
    return [(i, j, size) for i, j, size in runs]


def _common_pairs(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the index pairs of a longest common subsequence."""
    if not a or not b or len(a) * len(b) > MAX_CELLS:
        return
    left = _lengths(a, b)
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif left[i + 1][j] > left[i][j + 1]:
            i += 1
        else:
            j += 1


def _lengths(a: Sequence[str], b: Sequence[str]) -> list[list[int]]:
    """Return the length of the longest common subsequence of every pair of endings."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]  # (len(a) + 1, len(b) + 1)
    for i in range(len(a) - 1, -1, -1):
        row, below = table[i], table[i + 1]
        for j in range(len(b) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if a[i] == b[j] else max(below[j], row[j + 1])
    return table
