"""Results of detectors, as a JSON document and back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from corpora.core.bundle.codec import value_of
from corpora.core.clues.results import Family, found_in
from stats.intervals import Estimate

LEVEL = 0.05
NOTHING = "No leak could be found or excluded: no detector can tell these items apart."
POWER = 0.8
# What each detector sees, as the end of a sentence; an encoding is named by its encoder.
SEES: Mapping[str, str] = {
    "full_sentence": "the whole sentence",
    "local_context": "two words before the blank and what follows",
    "no_candidates": "the sentence without the options in it",
    "part_sentence": "what follows the last connective or punctuation mark before the blank",
    "candidates_only": "only the options",
    "option_position": "only the order of the options",
}


EXCERPTS = ("local_context", "no_candidates", "part_sentence", "candidates_only")
"""The texts that should not determine the answer: what scorers are asked."""

# Between a detector's name and its scorer, in the name of one that was not run.
SEPARATOR = " · "


def titled(name: str, scorer: str) -> str:
    """Return a detector's name with its scorer, if it has one."""
    return SEPARATOR.join(filter(None, [name, scorer]))


@dataclass(frozen=True, slots=True)
class Measure:
    """An accuracy of a detector, over items or over groups, and its test.

    Parameters
    ----------
    estimate : Estimate
        With the interval over groups.
    chance : float in [0, 1]
        The mean over random relabellings. Over pairs it depends on how often the detector tells
        twins apart: 0 for one that never does, 1/2 for one that always does.
    p : float in (0, 1]
        Two-sided.
    p_corrected : float in (0, 1]
        By Holm's method over all measures of the set.
    detectable : float or None
        The distance from chance that would have been found with a power of 80 %; None if no
        relabelling changes the accuracy, so that no leak can be found.
    """

    estimate: Estimate
    chance: float
    p: float
    p_corrected: float
    detectable: float | None

    @property
    def leaks(self) -> bool:
        """Whether the accuracy differs from chance; below is a leak too, as it can be reversed."""
        return self.p_corrected <= LEVEL

    @property
    def distance(self) -> float:
        """The accuracy minus chance."""
        return (self.estimate.value or 0.0) - self.chance


@dataclass(frozen=True, slots=True)
class Detected:
    """A detector's result.

    Parameters
    ----------
    name : str
        A text kind of `TEXTS`, ``option_position``, or the name of an encoding.
    n, n_groups : int
        Number of items that the detector saw, and of their groups.
    dropped : mapping of str to int
        The number of other items, by reason.
    single : Measure
        Over items.
    group : Measure or None
        Over groups of two or more items; None if there are none.
    scorer : str
        What answers, in words; empty for a model that was trained on the set.
    """

    name: str
    n: int
    n_groups: int
    single: Measure
    group: Measure | None
    dropped: Mapping[str, int] = field(default_factory=dict)
    scorer: str = ""

    @property
    def leaks(self) -> bool:
        return self.single.leaks or (self.group is not None and self.group.leaks)

    @property
    def sees(self) -> str:
        """What the detector sees, as the end of a sentence."""
        return SEES.get(self.name, f"the encoding by {self.name}")

    @property
    def subject(self) -> str:
        """What answers, and what it sees, as the subject of a sentence."""
        if self.scorer:
            return f"{self.scorer}, which sees {self.sees},"
        return f"a simple model that sees {self.sees}"

    @property
    def leading(self) -> tuple[Measure, str]:
        """The measure to report first, and what it counts: items, unless only groups leak."""
        if self.group is not None and self.group.leaks and not self.single.leaks:
            return self.group, "groups"
        return self.single, "items"


@dataclass(frozen=True, slots=True)
class Artifacts:
    """The results of all detectors on a set.

    Parameters
    ----------
    detected : tuple of Detected
    not_run : mapping of str to str
        The detectors without a result (`titled`), with the reason.
    clues : tuple of Family
        Single clues by kind, with p corrected for all tests of the set. Empty if none were looked
        for.
    """

    detected: tuple[Detected, ...]
    not_run: Mapping[str, str]
    clues: tuple[Family, ...] = ()

    @property
    def leaks(self) -> tuple[Detected, ...]:
        """The detectors that found a leak, the most certain first."""
        return tuple(sorted((artifact for artifact in self.detected if artifact.leaks), key=_p))

    @property
    def is_leaking(self) -> bool:
        """Whether a detector or a single clue tells the answers."""
        return bool(self.leaks) or any(clue.found for clue in self.clues)

    @property
    def verdict(self) -> str:
        """Plain sentences: what leaks, where, and how much; and what was looked for and not found.

        The smallest leak that would have been found differs between detectors, so that its range
        over their accuracies is stated, without those that no relabelling changes.
        """
        models = self._leak(self.leaks[0]) if self.leaks else self._not_seen
        parts = [models, found_in(self.clues)]
        if any(clue.found for clue in self.clues):
            parts = parts if self.leaks else ["This set leaks.", *parts[::-1]]
        return " ".join(filter(None, parts)) or NOTHING

    @property
    def _not_seen(self) -> str:
        able = [one for one in self.detected if one.single.detectable is not None]
        if not able:
            return ""
        points = [100 * (one.single.detectable or 0.0) for one in able]
        low, high = f"{min(points):.1f}", f"{max(points):.1f}"
        size = f"{low} points" if low == high else f"{low} to {high} points"
        which = "" if low == high else ", depending on the model"
        return (
            f"No leak found by {'; '.join(one.subject.rstrip(',') for one in able)}. One of {size} "
            f"(in the accuracy over items{which}) would have been found with a probability of "
            f"{POWER:.0%}."
        )

    def _leak(self, first: Detected) -> str:
        measure, noun = first.leading
        share, points = measure.estimate.value or 0.0, 100 * measure.distance
        side = "above" if points > 0 else "below"
        end = "" if points > 0 else " Below chance is a leak too: the answers can be reversed."
        return (
            f"This set leaks: {first.subject} is right on {share:.1%} of "
            f"{measure.estimate.n:,} {noun}, {abs(points):.1f} points {side} chance "
            f"({measure.chance:.1%}; corrected p = {measure.p_corrected:.2g}). "
            f"{len(self.leaks)} of {len(self.detected)} detectors found a leak.{end}"
        )


def _p(artifact: Detected) -> float:
    measures = [artifact.single] if artifact.group is None else [artifact.single, artifact.group]
    return min(measure.p for measure in measures)


FORMAT = 2
BEFORE_CLUES = 1  # a document of this format has no single clues


def document(found: Artifacts, examples: Mapping[str, Any]) -> dict[str, Any]:
    """Return results as a JSON document.

    Parameters
    ----------
    found : Artifacts
    examples : mapping
        An item as each detector sees it; see `examples_of`.

    Returns
    -------
    dict
        ``format``; ``detected``, the fields of each `Detected`; ``clues``, those of each `Family`;
        ``not_run``; ``examples``.
    """
    return {
        "format": FORMAT,
        "detected": [asdict(artifact) for artifact in found.detected],
        "clues": [asdict(clue) for clue in found.clues],
        "not_run": dict(found.not_run),
        "examples": dict(examples),
    }


def results(document: Mapping[str, Any]) -> Artifacts:
    """Return the results in a document.

    Raises
    ------
    ValueError
        When the document has another format.
    """
    if document.get("format") not in (BEFORE_CLUES, FORMAT):
        raise ValueError(f"format must be {FORMAT}, got {document.get('format')!r}")
    fields = {name: document[name] for name in ("detected", "not_run", "clues") if name in document}
    return value_of(Artifacts, fields)
