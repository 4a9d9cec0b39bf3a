"""What the search for leaks finds, for curators and for the public."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log2
from typing import Any

from corpora.core.clues.results import POWERS, Family, Tested, found_in, rounded_up

FORMAT = 2
FILES = "files"  # in place of a split, where whole files are examined
UNITS = "pairs and unpaired questions"
# The kinds of clues of the publication, which share its part of a section's error rate equally.
FAMILIES = ("one clue", "two clues", "all clues")
ABOUT = ("release", "split", "blind", "pairs", "unpaired", "alpha", "leaks", "clues", "summary",
         "text_summary")  # fmt: skip
LOOKED_AT = "ids, line numbers, files, hashes, fields and lengths"
OF_OTHERS = "presence, places, orders of options and ids there"
OF_FILES = "sizes, numbers of rows and hashes"


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
        Clues of the sentences and their options (`corpora.core.clues`); of labelled splits alone.
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
    def clues(self) -> bool:
        """Whether the sentences themselves tell it."""
        return any(family.found for family in self.text)

    @property
    def n_tests(self) -> int:
        return sum(family.n_tests for family in self.publication)

    @property
    def alpha(self) -> float:
        """The probability of any finding where there is none."""
        return sum(family.alpha for family in (*self.publication, *self.text))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was looked at and found, without anything about single questions."""
        return (self.summary, self.text_summary) if self.text else (self.summary,)

    @property
    def summary(self) -> str:
        """A plain sentence about the publication."""
        over = f"in {self.n_tests:,} tests over {self._size_text}"
        if self.leaks:
            suffix = "" if self.blind else f": {self._first_found}"
            return f"{self._where}: leak found among {self._looked_at}, {over}{suffix}."
        shares = [family.detectable[0] for family in self.publication if family.n_tests]
        if not shares or shares[0] is None:
            return f"{self._where}: too few to find a clue among {self._looked_at} ({over[3:]})."
        return (
            f"{self._where}: no clue found among {self._looked_at}, {over}; {_powers(shares)} "
            f"would have been found with a probability of {POWERS[0]:.0%}."
        )

    @property
    def text_summary(self) -> str:
        """Plain sentences about the texts; empty if they are not tested."""
        return f"{self._where}, sentences and options: {found_in(self.text)}" if self.text else ""

    @property
    def _where(self) -> str:
        where = f"{self.release} {self.split}".strip()
        return f"{where} with {', '.join(self.others)}" if self.others else where

    @property
    def _looked_at(self) -> str:
        if self.split == FILES:
            return OF_FILES
        parts = [LOOKED_AT]
        parts += [OF_OTHERS] if self.others else []
        parts += ["published answers"] if self.blind else []
        return "; ".join(parts)

    @property
    def _size_text(self) -> str:
        single = "file" if self.split == FILES else "unpaired question"
        parts = [(self.pairs, "pair"), (self.unpaired, single)]
        texts = [f"{n:,} {noun}{'' if n == 1 else 's'}" for n, noun in parts if n]
        return " and ".join(texts) or f"no {single}s"

    @property
    def _first_found(self) -> str:
        first = next(family.found[0] for family in self.publication if family.found)
        return f"{first.clue} ({first.right_on()})"

    def document(self, *, curators: bool) -> dict[str, Any]:
        """Return the section as plain values; of a blind split only what its labels do not change.

        The exception is ``leaks``, see `LeakReport.bits`.
        """
        about = {name: getattr(self, name) for name in ABOUT} | {"others": list(self.others)}
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
        The probability that any clue is found, in the publication or in the texts of any section,
        where none tells the answer.
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
        """What was looked at and found, for data cards and pages; it may be published."""
        return tuple(sentence for section in self.sections for sentence in section.sentences)

    @property
    def leak_sentences(self) -> tuple[str, ...]:
        """The sentences about leaks of the publication; they may be published."""
        return tuple(section.summary for section in self.sections if section.leaks)

    @property
    def text_found(self) -> tuple[str, ...]:
        """The sentences about clues of the texts; they may be published."""
        return tuple(section.text_summary for section in self.sections if section.clues)

    @property
    def n_tests(self) -> int:
        """The number of tests over questions, alone and with other releases."""
        return sum(section.n_tests for section in self._of_questions)

    @property
    def clues(self) -> bool:
        """Whether the sentences of any labelled split tell the answer."""
        return any(section.clues for section in self.sections)

    @property
    def kinds(self) -> dict[str, float | None]:
        """By what was looked at in the texts, the accuracy that is found with a power of 80 %.

        In the split where it is smallest; None if the kind is too rare in each.
        """
        shares: dict[str, list[float]] = {}
        for section_family in (family for section in self.sections for family in section.text):
            detectable = (share for share in section_family.detectable[:1] if share is not None)
            shares.setdefault(section_family.looked_at, []).extend(detectable)
        return {kind: rounded_up(min(of), 4) if of else None for kind, of in shares.items()}

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
        return rounded_up(max(known), 4) if known and len(known) == len(shares) else None

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
            "clues": self.clues,
            "sections": [section.document(curators=curators) for section in self.sections],
        }

    def to_json(self, *, curators: bool = False) -> str:
        """Return `document` as indented JSON with a newline at the end."""
        return json.dumps(self.document(curators=curators), indent=2, sort_keys=True) + "\n"


def _powers(shares: Sequence[float | None]) -> str:
    """Return the accuracies that would have been found, of one clue, two and all."""
    names = (
        "a clue that is right on {} or more of them",
        "two that agree on {}",
        "all together on {}",
    )
    powers = [
        name.format(f"{rounded_up(share, 3):.1%}")
        for name, share in zip(names, shares, strict=False)
        if share is not None
    ]
    return ", ".join(powers)


def _without_labels(family: Family) -> dict[str, Any]:
    about = {name: getattr(family, name) for name in ("name", "alpha", "n", "unit", "n_tests")}
    return about | {"detectable": _rounded(family.detectable)}


def _family(family: Family) -> Mapping[str, Any]:
    return {
        **_without_labels(family),
        "n_found": family.n_found,
        "found": [_rounded_test(clue) for clue in family.found],
        "nearest": [_rounded_test(clue) for clue in family.nearest],
    }


def _rounded_test(clue: Tested) -> dict[str, Any]:
    (detectable,) = _rounded([clue.detectable])
    small = {"p": float(f"{clue.p:.3g}"), "p_corrected": float(f"{clue.p_corrected:.3g}")}
    return asdict(clue) | small | {"detectable": detectable}


def _rounded(shares: Sequence[float | None]) -> list[float | None]:
    return [None if share is None else rounded_up(share, 4) for share in shares]


def _entropy(share: float) -> float:
    return -share * log2(share) - (1 - share) * log2(1 - share) if 0 < share < 1 else 0.0
