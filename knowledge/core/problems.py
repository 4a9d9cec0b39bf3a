"""Problems for annotators and models: a question, its answer and a knowledge sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import BLANK, Item
from knowledge.core.slots import inside_sentence
from stats.groups import Names, group_numbers

Ints = NDArray[np.int64]

APART = 20
"""At least this many places between the two problems of a pair."""
# Each part ends at its first end: where the rest does not follow, it does not follow later either.
_FRAME = re.compile(
    r"(?>(?P<sentence>.+?) The (?P<pronoun>\S+) is more likely to refer to )"
    r"(?>(?P<right>.+?) than )(?>(?P<wrong>.+?) because )(?P<knowledge>.*)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Problem:
    """The parts of a problem.

    Parameters
    ----------
    sentence : str
        Of the question, with its pronoun.
    pronoun : str
    right, wrong : str
        Noun phrases, as they stand inside a sentence.
    knowledge : str
        The knowledge sentence, as it stands after "because".
    place : int, optional
        Where the pronoun begins in the sentence. Without it, its last occurrence as a word is
        taken, which is right for 264 questions of WSC273.
    """

    sentence: str
    pronoun: str
    right: str
    wrong: str
    knowledge: str
    place: int | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """The problem as it is shown.

        Source: WinoWhy (ACL 2020); WinoLogic (EMNLP 2021), Example 4.

        Examples
        --------
        >>> Problem("He slept because he was tired.", "he", "Tom", "Ray", "people sleep.").text
        'He slept because he was tired. The he is more likely to refer to Tom than Ray because \
people sleep.'
        """
        return f"{self.sentence} {self.claim} because {self.knowledge}"

    @property
    def claim(self) -> str:
        """What the problem says of the pronoun."""
        return f"The {self.pronoun} is more likely to refer to {self.right} than {self.wrong}"

    @property
    def swapped(self) -> Problem:
        """The same problem with its two noun phrases exchanged."""
        return replace(self, right=self.wrong, wrong=self.right)

    @property
    def premise(self) -> str:
        """The knowledge as a sentence of its own.

        >>> Problem("A b.", "it", "the a", "the b", "if c, d.").premise
        'If c, d.'
        """
        return self.knowledge[:1].upper() + self.knowledge[1:]

    @property
    def span(self) -> tuple[int, int]:
        """Where the pronoun begins and ends in the sentence; see ``place``.

        Raises
        ------
        ValueError
            When the sentence does not have it as a word.

        >>> Problem("He fell as he ran.", "he", "Tom", "Ray", "").span
        (11, 13)
        """
        if self.place is not None:
            return self.place, self.place + len(self.pronoun)
        word = rf"(?<!\w){re.escape(self.pronoun)}(?!\w)"
        places = [found.span() for found in re.finditer(word, self.sentence, re.IGNORECASE)]
        if not places:
            raise ValueError(f"{self.pronoun!r} is no word of {self.sentence[:80]!r}")
        return places[-1]

    @property
    def resolved(self) -> str:
        """The sentence with the answer in the pronoun's place.

        In the place of a possessive pronoun it has a possessive ending.

        >>> Problem("Tom saw Ray and took his bag.", "his", "Ray", "Tom", "").resolved
        "Tom saw Ray and took Ray's bag."
        """
        item = Item(
            id="resolved",
            group="resolved",
            sentence=self.sentence,
            options=(self.right, self.wrong),
            form="pronoun",
            span=self.span,
        )
        return item.filled[0]


def read_problem(text: str) -> Problem:
    """Return the parts of a problem's text.

    Raises
    ------
    ValueError
        When the text has another form.

    Examples
    --------
    >>> read_problem(Problem("A b.", "it", "the a", "the b", "of c.").text).wrong
    'the b'
    """
    match = _FRAME.fullmatch(text)
    if match is None:
        raise ValueError(f"text is not a problem: {text[:80]!r}")
    sentence, pronoun, right, wrong, knowledge = match.groups()
    return Problem(sentence, pronoun, right, wrong, knowledge)


def problem_of(item: Item, knowledge: str) -> Problem:
    """Return the problem of a question with its answer and a knowledge sentence.

    Parameters
    ----------
    item : Item
        Of the form 'pronoun', or 'blank': then the blank stands in the pronoun's place.
    knowledge : str
        As it stands inside a sentence.

    Raises
    ------
    ValueError
        When the question has another form, or its answer is unknown.

    Examples
    --------
    >>> item = Item(id="a", group="a", sentence="The cup fit the box as _ was big.",
    ...             options=("The cup", "The box"), answer=2)
    >>> problem_of(item, "big things hold others.").claim
    'The _ is more likely to refer to the box than the cup'
    """
    if item.answer is None or item.form not in ("blank", "pronoun"):
        raise ValueError(f"item {item.id} needs a pronoun or blank, and a known answer")
    options = [inside_sentence(option) for option in item.options]
    right = options.pop(item.answer - 1)
    place = item.sentence.index(BLANK) if item.span is None else item.span[0]
    pronoun = BLANK if item.span is None else item.sentence[slice(*item.span)]
    return Problem(item.sentence, pronoun, right, " or ".join(options), knowledge, place)


def unbalanced_pairs(pairs: Names, labels: Sequence[bool]) -> list[int]:
    """Return the pairs that are not one true and one false problem.

    Parameters
    ----------
    pairs : (n,)
        The pair of each problem.
    labels : bool (n,)

    Returns
    -------
    list of int
        Positions of the first problem of each such pair.

    Examples
    --------
    >>> unbalanced_pairs(["a", "a", "b", "b", "c"], [True, False, True, True, False])
    [2, 4]
    """
    numbers = group_numbers(pairs)
    flags = np.asarray(labels, dtype=bool)
    trues, sizes = np.bincount(numbers, weights=flags), np.bincount(numbers)
    _, first = np.unique(numbers, return_index=True)
    return [int(first[k]) for k in np.flatnonzero((trues != 1) | (sizes != 2))]


def annotators_order(pairs: Names, *, seed: int, annotator: int, apart: int = APART) -> list[int]:
    """Return the order in which one annotator gets the problems.

    Parameters
    ----------
    pairs : (n,)
        The pair of each problem; at most two problems have the same.
    seed : int, at least 0
    annotator : int, at least 0
        Each number has its own order.
    apart : int, at least 1
        Places between the two of a pair. Where there are fewer pairs than that, the two are as
        far apart as every pair can be: as many places as there are pairs.

    Returns
    -------
    list of int
        A permutation of the positions.

    Raises
    ------
    ValueError
        When a pair has more than two problems.

    Notes
    -----
    A random order is drawn; then each problem that is too near its other one changes places with a
    random one, until all are far enough. Among few pairs that may not end; then one of each pair,
    drawn by coin, comes in the first half, and the others follow in the same order of pairs.

    Examples
    --------
    >>> order = annotators_order([k // 2 for k in range(100)], seed=1, annotator=2)
    >>> place = {problem: k for k, problem in enumerate(order)}
    >>> min(abs(place[k] - place[k + 1]) for k in range(0, 100, 2)) >= 20
    True
    """
    numbers = group_numbers(pairs)
    sizes = np.bincount(numbers)
    if (sizes > 2).any():
        raise ValueError("pairs must have at most two problems each")
    rng = np.random.default_rng([seed, annotator])
    partner = _partners(numbers)
    needed = min(apart, int((sizes == 2).sum()))
    order = rng.permutation(len(numbers))
    if _spread(order, partner, needed, rng):
        return [int(row) for row in order]
    return _in_halves(numbers, rng)


def _partners(numbers: Ints) -> Ints:
    """Return the position of each problem's other one; its own if it has none."""
    partner = np.arange(len(numbers))
    rows = np.argsort(numbers, kind="stable")
    same = np.flatnonzero(numbers[rows][1:] == numbers[rows][:-1])
    partner[rows[same]], partner[rows[same + 1]] = rows[same + 1], rows[same]
    return partner


def _spread(order: Ints, partner: Ints, needed: int, rng: np.random.Generator) -> bool:
    """Exchange places in ``order`` until partners are far enough; return whether they are."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))

    def near(row: int) -> bool:
        other = partner[row]
        return bool(other != row and abs(place[row] - place[other]) < needed)

    for _ in range(50):
        wrong = [row for row in range(len(order)) if near(row) and place[row] > place[partner[row]]]
        if not wrong:
            return True
        for row in wrong:
            start = int(place[row])
            for target in map(int, rng.permutation(len(order))[:40]):
                _exchange(order, place, start, target)
                if not near(int(order[start])) and not near(int(order[target])):
                    break
                _exchange(order, place, start, target)
    return False


def _exchange(order: Ints, place: Ints, one: int, other: int) -> None:
    order[one], order[other] = order[other], order[one]
    place[order[one]], place[order[other]] = one, other


def _in_halves(numbers: Ints, rng: np.random.Generator) -> list[int]:
    rows: dict[int, list[int]] = {}
    for row in rng.permutation(len(numbers)):
        rows.setdefault(int(numbers[row]), []).append(int(row))
    twos = [of_pair for of_pair in rows.values() if len(of_pair) == 2]
    singles = [of_pair[0] for of_pair in rows.values() if len(of_pair) == 1]
    return [two[0] for two in twos] + singles + [two[1] for two in twos]
