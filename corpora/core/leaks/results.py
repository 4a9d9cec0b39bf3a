"""What the search for leaks finds, for curators and for the public."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, log2
from typing import Any

FORMAT = 1
FILES = "files"  # in place of a split, where whole files are examined
POWERS = (0.8, 0.9)
# The kinds of clues that share a section's error rate equally.
FAMILIES = ("one clue", "two clues", "all clues")


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


@dataclass(frozen=True, slots=True)
class Family:
    """Tests that are corrected for each other.

    Parameters
    ----------
    name : str
        One of `FAMILIES`.
    alpha : float
        The probability of any finding where there is no leak.
    n_tests : int
    detectable : tuple of float or None
        For each power of `POWERS`, the smallest accuracy on all questions that would have been
        found; None if they are too few.
    found : tuple of Tested
        The clues that tell the answer, the most certain first.
    nearest : tuple of Tested
        The other clues with the smallest p, for curators.
    """

    name: str
    alpha: float
    n_tests: int
    detectable: tuple[float | None, ...]
    found: tuple[Tested, ...]
    nearest: tuple[Tested, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """The tests of one split of one release.

    Parameters
    ----------
    release : str
    split : str
        Or `FILES`.
    blind : bool
        Whether the labels are secret.
    others : tuple of str
        The releases whose files are read as well; none if the release is examined alone.
    pairs, unpaired : int
    publication : tuple of Family
        Clues that do not change when the two options change places. The order of options is a
        fair coin for each pair, so they can tell the answer only by a fault of the publication.
    text : tuple of Family
        Clues that compare the two options: properties of the sentences, in any order of options.
    """

    release: str
    split: str
    blind: bool
    others: tuple[str, ...]
    pairs: int
    unpaired: int
    publication: tuple[Family, ...]
    text: tuple[Family, ...]

    @property
    def leaks(self) -> bool:
        """Whether the publication tells the answer."""
        return any(family.found for family in self.publication)

    @property
    def n_tests(self) -> int:
        return sum(family.n_tests for family in self.publication)

    @property
    def alpha(self) -> float:
        return sum(family.alpha for family in self.publication)

    @property
    def summary(self) -> str:
        """Plain sentences without anything about single questions."""
        where = f"{self.release} {self.split}".strip()
        if self.others:
            where += f" with {', '.join(self.others)}"
        over = f"in {self.n_tests:,} tests over {self._counted}"
        if self.leaks:
            found = "" if self.blind else f": {self._first_found}"
            return f"{where}: leak found {over}{found}."
        low = self.publication[0].detectable[-1]
        if low is None:
            return f"{where}: too few to find any leak ({over[3:]})."
        share = f"{_up(low, 3):.1%}"
        return (
            f"{where}: no leak seen {over}; a clue that is right on {share} or more of them "
            f"would have been found with {POWERS[-1]:.0%} power."
        )

    @property
    def _counted(self) -> str:
        single = "file" if self.split == FILES else "unpaired question"
        parts = [(self.pairs, "pair"), (self.unpaired, single)]
        texts = [f"{n:,} {noun}{'' if n == 1 else 's'}" for n, noun in parts if n]
        return " and ".join(texts) or f"no {single}s"

    @property
    def _first_found(self) -> str:
        first = next(family.found[0] for family in self.publication if family.found)
        return f"{first.clue} (right on {first.right:,} of {first.throws:,})"

    def document(self, *, curators: bool) -> dict[str, Any]:
        """Return the section as plain values; of a blind split only what its labels do not change.

        The exception is ``leaks``, see `LeakReport.bits`.
        """
        about = {
            "release": self.release,
            "split": self.split,
            "blind": self.blind,
            "others": list(self.others),
            "pairs": self.pairs,
            "unpaired": self.unpaired,
            "alpha": self.alpha,
            "leaks": self.leaks,
            "summary": self.summary,
        }
        if self.blind and not curators:
            return {**about, "publication": [_without_labels(one) for one in self.publication]}
        families = {"publication": self.publication, "text": self.text}
        return about | {name: [_family(one) for one in part] for name, part in families.items()}


@dataclass(frozen=True, slots=True)
class LeakReport:
    """The result of `leak_report`.

    Parameters
    ----------
    alpha : float
        The probability that a clue of any section's publication is found where nothing leaks.
    sections : tuple of Section
    """

    alpha: float
    sections: tuple[Section, ...]

    @property
    def leaks(self) -> bool:
        """Whether the publication of any split tells the answer."""
        return any(section.leaks for section in self.sections)

    @property
    def summary(self) -> tuple[str, ...]:
        """A sentence for each section, for data cards and pages; it may be published."""
        return tuple(section.summary for section in self.sections)

    @property
    def found(self) -> tuple[str, ...]:
        """The sentences about leaks; they may be published."""
        return tuple(section.summary for section in self.sections if section.leaks)

    @property
    def n_tests(self) -> int:
        """The number of tests over questions, alone and with other releases."""
        return sum(section.n_tests for section in self._of_questions)

    @property
    def detectable(self) -> float | None:
        """The accuracy that each of these tests finds with a power of 80 % or more.

        None if one section has too few questions.
        """
        shares = [
            family.detectable[0]
            for section in self._of_questions
            for family in section.publication
            if family.n_tests
        ]
        known = [share for share in shares if share is not None]
        return _up(max(known), 4) if known and len(known) == len(shares) else None

    @property
    def _of_questions(self) -> list[Section]:
        # Whole files are too few to find anything, as their own section says.
        return [section for section in self.sections if section.split != FILES]

    @property
    def bits(self) -> float:
        """The most that the public form tells about all blind labels together, in bits.

        Only ``leaks`` of blind sections depends on blind labels. Without a leak it is false with a
        probability of at least 1 - α, so that its entropy is at most that of a coin with α.
        """
        shares = [section.alpha for section in self.sections if section.blind]
        return sum(_entropy(share) for share in shares)

    def document(self, *, curators: bool = False) -> dict[str, Any]:
        """Return the report as plain values.

        Parameters
        ----------
        curators : bool
            Whether figures that depend on blind labels are included. They must not be published:
            each of them is an equation for the labels.
        """
        return {
            "format": FORMAT,
            "alpha": self.alpha,
            "powers": list(POWERS),
            "bits_about_blind_labels": round(self.bits, 3),
            "leaks": self.leaks,
            "sections": [section.document(curators=curators) for section in self.sections],
        }

    def to_json(self, *, curators: bool = False) -> str:
        """Return `document` as indented JSON with a newline at the end."""
        return json.dumps(self.document(curators=curators), indent=2, sort_keys=True) + "\n"


def _without_labels(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "alpha": family.alpha,
        "n_tests": family.n_tests,
        "detectable": _rounded(family.detectable),
    }


def _family(family: Family) -> Mapping[str, Any]:
    return {
        **_without_labels(family),
        "found": [_rounded_test(one) for one in family.found],
        "nearest": [_rounded_test(one) for one in family.nearest],
    }


def _rounded_test(one: Tested) -> dict[str, Any]:
    (detectable,) = _rounded([one.detectable])
    small = {"p": float(f"{one.p:.3g}"), "p_corrected": float(f"{one.p_corrected:.3g}")}
    return asdict(one) | small | {"detectable": detectable}


def _rounded(shares: Sequence[float | None]) -> list[float | None]:
    return [None if share is None else _up(share, 4) for share in shares]


def _up(share: float, digits: int) -> float:
    """Round up: a smaller accuracy would be found with less than the stated power."""
    step: int = 10**digits
    return min(1.0, ceil(share * step) / step)


def _entropy(share: float) -> float:
    return -share * log2(share) - (1 - share) * log2(1 - share) if 0 < share < 1 else 0.0
