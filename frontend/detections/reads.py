"""Artifact detections as the pages show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from corpora.core.clues.results import Family, rounded_up
from evaluation.core.artifacts.results import LEVEL, Artifacts, Detected, Measure, results
from evaluation.models import ArtifactDetection
from frontend.detections import words
from frontend.findings import p_value
from frontend.marks import Piece, with_blank
from frontend.pictures import Picture, interval_series
from workers.models import User

MOST_CLUES = 3  # shown of each kind


def detections(user: User) -> "QuerySet[ArtifactDetection]":
    """Return the searches that *user* sees, with what their pages need."""
    return ArtifactDetection.objects.visible_to(user).select_related(
        "release__snapshot__campaign", "reference_set", "snapshot__campaign", "encoding"
    )


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """A share of correct items or groups, and its test."""

    noun: str
    found: Measure

    @property
    def p(self) -> str:
        return p_value(self.found.p_corrected)

    @property
    def detectable(self) -> str:
        """The smallest leak that would have been found, in percentage points."""
        size = self.found.detectable
        return "–" if size is None else _("%.1f points") % (100 * size)


@dataclass(frozen=True, slots=True)
class DetectorRow:
    """A detector's figures, and an item as it sees it: no sentence for an order of options."""

    found: Detected
    title: str
    seen: str
    pieces: tuple[Piece, ...]
    options: tuple[str, ...]
    dropped: list[tuple[str, int]]

    @property
    def measures(self) -> "list[MeasureRow]":
        """The figures over items and, where there are any, over groups."""
        rows = [MeasureRow(_("items"), self.found.single)]
        if self.found.group is not None:
            rows.append(MeasureRow(_("groups"), self.found.group))
        return rows


@dataclass(frozen=True, slots=True)
class ClueRow:
    """A clue and its test."""

    clue: str
    right: int
    throws: int
    p: str
    is_found: bool


@dataclass(frozen=True, slots=True)
class KindRow:
    """A kind of clues, with those that are farthest from chance."""

    family: Family
    title: str
    over: str

    @property
    def tests(self) -> list[ClueRow]:
        clues = (*self.family.found, *self.family.nearest)[:MOST_CLUES]
        return [
            ClueRow(
                clue.clue,
                clue.right,
                clue.throws,
                p_value(clue.p_corrected),
                clue.p_corrected <= LEVEL,
            )
            for clue in clues
        ]

    @property
    def detectable(self) -> str:
        """The accuracy that would have been found."""
        share = self.family.detectable[0]
        return "–" if share is None else f"{rounded_up(share, 3):.1%}"


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search has found."""

    artifacts: Artifacts
    rows: list[DetectorRow]
    clues: list[KindRow]
    not_run: list[tuple[str, str]]
    n_items: int
    n_examined: int

    @property
    def has_dropped(self) -> bool:
        return any(row.dropped for row in self.rows)

    @property
    def verdict(self) -> str:
        """One sentence for a set without a leak: what was looked for, and its power."""
        able = [size for row in self.rows if (size := row.found.single.detectable) is not None]
        looked = _("No leak was found by %(models)s models and among %(clues)s kinds of clues") % {
            "models": len(self.rows),
            "clues": len(self.clues),
        }
        if not able:
            return f"{looked}."
        power = _(
            "a leak of %(low)s to %(high)s points, depending on the model, would have been found "
            "with a probability of 80%%"
        ) % {"low": f"{100 * min(able):.1f}", "high": f"{100 * max(able):.1f}"}
        return f"{looked}; {power}."

    @property
    def picture(self) -> Picture | None:
        """The share of correct items of each detector, with its interval."""
        rows = [(row.title, row.found.single.estimate) for row in self.rows]
        return Picture("dots", (interval_series(rows),), x_format=".1%") if rows else None


def findings(run: ArtifactDetection) -> Findings | None:
    """Return the results of a search; None if it has none."""
    if run.result is None:
        return None
    artifacts = results(run.result)
    return Findings(
        artifacts,
        [_row(artifact, run.result["examples"]) for artifact in artifacts.detected],
        [
            KindRow(clue, words.kind_of(clue), words.over(clue))
            for clue in artifacts.clues
            if clue.n_tests
        ],
        [(words.title_of(name), reason) for name, reason in artifacts.not_run.items()],
        run.result["n_items"],
        run.result["n_examined"],
    )


def _row(artifact: Detected, examples: Mapping[str, Any]) -> DetectorRow:
    example = examples.get(artifact.name, {"sentence": "", "options": []})
    sentence = example["sentence"]
    return DetectorRow(
        artifact,
        words.title_of(artifact.name),
        words.seen_by(artifact.name),
        tuple(with_blank(sentence)) if sentence else (),
        tuple(example["options"]),
        words.dropped(artifact),
    )
