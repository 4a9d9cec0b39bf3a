"""Clues, their tests, and the tests that are corrected for each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

POWERS = (0.8, 0.9)
PAIRS, UNPAIRED = "pairs", "unpaired questions"

# Of a family's name, what was looked at, as part of a sentence.
KINDS: Mapping[str, str] = {
    "lengths": "which twin has more words, characters or marks",
    "numbers": "which twin has more of a class of characters or words in a part of the sentence",
    "remainders": "odd and even numbers of characters and words, remainders, lengths",
    "characters": "one to three characters in a row, with case, punctuation, digits and spaces",
    "words": "single words, their lengths and places",
    "options": "order, length and form of the options",
    "beside": "characters and words in the options and beside their mentions",
    "two together": "two properties of a sentence together",
    "all together": "all of these in one model",
    "ids and options": "places and ids together with the order and form of the options",
}
MIXED = "ids and options"
"""The kinds of clues of texts."""


@dataclass(frozen=True, slots=True)
class Tested:
    """A clue and its test.

    Parameters
    ----------
    clue : str
        What a reader would look at.
    throws : int
        Number of pairs and unpaired questions for which the clue says something.
    right : int
        Number of those where the right option is the one that the clue names.
    p, p_corrected : float in (0, 1]
        Two-sided; corrected by Holm's method within the family.
    detectable : float or None
        The share of the throws that would have been found with a power of 90 %.
    """

    clue: str
    throws: int
    right: int
    p: float
    p_corrected: float
    detectable: float | None

    def right_on(self, units: str = "") -> str:
        """Say how often the clue is right and, if the other option is right more often, so too.

        Examples
        --------
        >>> Tested("longer option", 29, 0, 3.7e-9, 3.7e-9, 0.8).right_on("pairs")
        'right on 0 of 29 pairs, so taking the other option is right on 29 of 29'
        """
        throws = f"{self.throws:,}"
        said = f"right on {self.right:,} of {' '.join(filter(None, [throws, units]))}"
        if 2 * self.right >= self.throws:
            return said
        other = f"{self.throws - self.right:,} of {throws}"
        return f"{said}, so taking the other option is right on {other}"


@dataclass(frozen=True, slots=True)
class Family:
    """Tests that are corrected for each other.

    Parameters
    ----------
    name : str
        The kind of clues.
    alpha : float
        The probability of any finding where there is no clue.
    n : int
        Number of units; no clue says something of more.
    unit : str
        What is counted: pairs, unpaired questions, both, or files.
    n_tests, n_found : int
    detectable : tuple of float or None
        For each power of `POWERS`, the smallest accuracy on all n that would have been found;
        None if they are too few.
    found : tuple of Tested
        The clues that tell the answer, the most certain first; at most `MOST_FOUND` of a text's.
    nearest : tuple of Tested
        The other clues with the smallest p.
    """

    name: str
    alpha: float
    n: int
    unit: str
    n_tests: int
    n_found: int
    detectable: tuple[float | None, ...]
    found: tuple[Tested, ...]
    nearest: tuple[Tested, ...]

    @property
    def looked_at(self) -> str:
        """What was looked at, as part of a sentence."""
        return KINDS.get(self.name, self.name)


NONE_AMONG = "No clue found among:"
TOO_RARE = "Too rare here for any clue to be found:"


def found_in(families: Sequence[Family]) -> str:
    """Return what was found in texts, and among which kinds nothing was, as sentences.

    Examples
    --------
    >>> print(found_in([Family("options", 0.05, 90, PAIRS, 8, 0, (0.6412, 0.66), (), ())]))
    No clue found among: order, length and form of the options (64.2% of 90 pairs). In brackets: \
the accuracy of one clue of the kind that would have been found with a probability of 80%.
    """
    hits = sorted(
        (family for family in families if family.found),
        key=lambda family: family.found[0].p_corrected,
    )
    none = [family for family in families if not family.found and family.detectable[0] is not None]
    few = [family for family in families if not family.found and family.detectable[0] is None]
    among = f"{NONE_AMONG} {_kinds(none)}. In brackets: {BRACKETS}." if none else ""
    short = f"{TOO_RARE} {_names(few)}." if few else ""
    return " ".join(filter(None, [_hits(hits, len(families)), among, short]))


def clue_alone(summary: str) -> str:
    """Return what `found_in` says about the clues that were found, without the other kinds.

    Examples
    --------
    >>> clue_alone("train: Clue found: length. No clue found among: words (64.2% of 90 pairs).")
    'train: Clue found: length.'
    """
    return summary.partition(f" {NONE_AMONG}")[0].partition(f" {TOO_RARE}")[0]


BRACKETS = (
    f"the accuracy of one clue of the kind that would have been found with a probability of "
    f"{POWERS[0]:.0%}"
)


def _hits(hits: Sequence[Family], n_kinds: int) -> str:
    if not hits:
        return ""
    first, kind = hits[0].found[0], hits[0]
    some = f"It says something of {first.throws:,} of {kind.n:,} {kind.unit}. "
    return (
        f"Clue found: {first.clue}: {first.right_on(kind.unit)} "
        f"(corrected p = {first.p_corrected:.2g}). {some if first.throws < kind.n else ''}"
        f"{len(hits)} of {n_kinds} searches found one, among: {_names(hits)}."
    )


def _names(families: Sequence[Family]) -> str:
    return "; ".join(dict.fromkeys(family.looked_at for family in families))


def _kinds(families: Sequence[Family]) -> str:
    return "; ".join(
        f"{one.looked_at} ({rounded_up(one.detectable[0] or 1, 3):.1%} of {one.n:,} {one.unit})"
        for one in families
    )


def rounded_up(share: float, digits: int) -> float:
    """Round an accuracy up: a smaller one would be found with less than the stated power."""
    step: int = 10**digits
    return min(1.0, ceil(share * step) / step)
