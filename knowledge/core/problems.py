"""Problems for annotators and models: a question, its answer and a knowledge sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from corpora.core.items import BLANK, Item
from knowledge.core.slots import inside_sentence

# Each part ends at its first end: where the rest does not follow, it does not follow later either.
_FRAME = re.compile(
    r"(?>(?P<sentence>.+?) The (?P<pronoun>\S+) is more likely to refer to )"
    r"(?>(?P<right>.+?) than )(?>(?P<wrong>.+?) because )(?P<knowledge>.*)",
    re.DOTALL,
)


CLAIM = " is more likely to refer to "


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
        return f"The {self.pronoun}{CLAIM}{self.right} than {self.wrong}"

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
        places = [match.span() for match in re.finditer(word, self.sentence, re.IGNORECASE)]
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


def parts_of(text: str) -> tuple[str, str, str] | None:
    """Return the sentence, the answer and the reason of a problem as it is shown.

    None for a text that is not a problem's.

    Examples
    --------
    >>> parts_of("He slept. The he is more likely to refer to Tom than Ray because people sleep.")
    ('He slept.', 'The he is more likely to refer to Tom than Ray', 'people sleep.')
    >>> parts_of("He slept because people sleep.")
    """
    before, claims, after = text.rpartition(CLAIM)
    sentence, the, pronoun = before.rpartition(" The ")
    things, because, reason = after.partition(" because ")
    if not (claims and the and because):
        return None
    return sentence, f"The {pronoun}{CLAIM}{things}", reason


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
