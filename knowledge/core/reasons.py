"""Reasons that people and models gave for an answer: validity by votes, and visible faults."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from collection.core.words import is_function_word
from stats.groups import Names, group_numbers

VALID_FROM = Decimal("0.8")
INVALID_UP_TO = Decimal("0.2")
TYPES = ("property", "object", "eventuality", "spatial", "quantity", "others")
"""WinoWhy (ACL 2020), §3.3: the six knowledge types; a question may have several."""
_WORD = re.compile(r"\w+(?:'\w+)*")
_NEGATIONS = frozenset(
    {"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "less"}
)


class Validity(StrEnum):
    """What the shares of votes make of a reason."""

    VALID = "valid"
    INVALID = "invalid"
    UNDECIDED = "undecided"


class Flag(StrEnum):
    """A fault that the words of a reason show."""

    CIRCULAR = "circular"
    IRRELEVANT = "irrelevant"
    CONTRADICTING = "contradicting"


@dataclass(frozen=True, slots=True)
class AskedItem:
    """The question that a reason is about.

    Parameters
    ----------
    before, pronoun, after : str
        The sentence; ``after`` begins with the pronoun's clause.
    right, wrong : str
        The noun phrases of the answer and of the other option.
    """

    before: str
    pronoun: str
    after: str
    right: str
    wrong: str

    @property
    def sentence(self) -> str:
        """The sentence with single spaces between its parts."""
        return f"{self.before.strip()} {self.pronoun} {self.after.strip()}"


def validity_of(share: Decimal) -> Validity:
    """Return whether a reason is valid, from the share of people who accepted it.

    Source: WinoWhy (ACL 2020): valid from 4 of 5, invalid up to 1 of 5; WinoLogic uses the same.

    Examples
    --------
    >>> [validity_of(Decimal(share)).value for share in ("1.0", "0.8", "0.6", "0.2")]
    ['valid', 'valid', 'undecided', 'invalid']
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share must be from 0 to 1, got {share}")
    if share >= VALID_FROM:
        return Validity.VALID
    return Validity.INVALID if share <= INVALID_UP_TO else Validity.UNDECIDED


def flags(reason: str, asked: AskedItem) -> frozenset[Flag]:
    """Return the faults that the words of a reason show.

    Parameters
    ----------
    reason : str
    asked : AskedItem

    Returns
    -------
    frozenset of Flag
        ``CIRCULAR``: all its content words stand in the question. ``IRRELEVANT``: none does.
        ``CONTRADICTING``: it says of the other option what the sentence says of the pronoun. Words
        are compared as they are written, without case. A reason without content words has none.

    Source: WinoLogic (EMNLP 2021), §1, names the three faults; the rules are ours.

    Examples
    --------
    >>> asked = AskedItem("It doesn't fit into the suitcase because", "it", "is too large.",
    ...               "the trophy", "the suitcase")
    >>> sorted(flags("the suitcase is too large", asked))
    [<Flag.CIRCULAR: 'circular'>, <Flag.CONTRADICTING: 'contradicting'>]
    >>> sorted(flags("it is a game.", asked))
    [<Flag.IRRELEVANT: 'irrelevant'>]
    """
    words = content_words(reason)
    own = content_words(f"{asked.sentence} {asked.right} {asked.wrong}")
    reason_flags = set()
    if words and words <= own:
        reason_flags.add(Flag.CIRCULAR)
    if words and not words & own:
        reason_flags.add(Flag.IRRELEVANT)
    if _contradicts(reason, asked):
        reason_flags.add(Flag.CONTRADICTING)
    return frozenset(reason_flags)


def content_words(text: str) -> frozenset[str]:
    """Return the content words of a text in lower case, without a possessive ending.

    >>> sorted(content_words("The man's drawings don't hang above Tina's."))
    ['drawings', 'hang', 'man', 'tina']
    """
    words = (word.removesuffix("'s") for word in _words(text) if not is_function_word(word))
    return frozenset(word for word in words if not is_function_word(word))


def _contradicts(reason: str, item: AskedItem) -> bool:
    """Whether the other option, without the right one, stands before the pronoun's clause."""
    words = _words(reason)
    clause = content_words(_clause(item.after))
    wrong, right = content_words(item.wrong), content_words(item.right)
    only_wrong, only_right = wrong - right, right - wrong
    places = [k for k, word in enumerate(words) if word in only_wrong]
    if not clause or not places or only_right & set(words):
        return False
    rest = words[places[0] + 1 :]
    same = content_words(" ".join(rest)) == clause
    return same and _negated(rest) == _negated(_words(_clause(item.after)))


def _clause(after: str) -> str:
    return re.split(r"[,;.!?]", after.strip(), maxsplit=1)[0]


def _negated(words: Sequence[str]) -> bool:
    return sum(word in _NEGATIONS or word.endswith("n't") for word in words) % 2 == 1


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def types_of(of_type: Mapping[str, Sequence[int]], question: int) -> tuple[str, ...]:
    """Return the knowledge types of a question, in the order of ``of_type``.

    >>> types_of({"spatial": [2, 5], "others": [5]}, 5)
    ('spatial', 'others')
    """
    return tuple(name for name, questions in of_type.items() if question in questions)


def folds(groups: Names, *, seed: int, n: int = 5) -> NDArray[np.int64]:
    """Divide rows into folds so that the rows of a group are in one fold.

    Parameters
    ----------
    groups : (n_rows,)
        The twins' group of each reason's question: reasons for both twins share it.
    seed : int, at least 0
    n : int, at least 2, at most the number of groups

    Returns
    -------
    int (n_rows,), from 0 to n - 1
        The numbers of groups in two folds differ by at most 1.

    Raises
    ------
    ValueError
        When there are fewer groups than folds.

    Source: WinoWhy (ACL 2020) uses five folds, but divides the reasons one by one, so that those
    of one question are in several folds.

    Examples
    --------
    >>> folds(["a", "b", "a", "b"], seed=0, n=2).tolist() in ([0, 1, 0, 1], [1, 0, 1, 0])
    True
    """
    numbers = group_numbers(groups)
    n_groups = int(numbers.max()) + 1 if len(numbers) else 0
    if not 2 <= n <= n_groups:
        raise ValueError(f"n must be from 2 to the number of groups, {n_groups}; got {n}")
    order = np.random.default_rng([seed, n]).permutation(n_groups)
    fold = np.empty(n_groups, dtype=np.int64)
    fold[order] = np.arange(n_groups) % n
    return fold[numbers]
