"""The manifest: every fact about a release, from which all its documents are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collection.core.people import DEMONSTRATION, People
from corpora.core.bundle import checks, codec, layout
from corpora.core.bundle.facts import (
    Collection,
    Figure,
    FileFacts,
    HumanPerformance,
    Origin,
    RepeatFacts,
    SnapshotFacts,
    SplitFacts,
    Statements,
)

FORMAT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawFacts:
    """A transaction that drew splits: the hash of its salted table, published when it was made."""

    sha256: str
    created_at: str
    twins: int

    def __post_init__(self) -> None:
        checks.sha256("sha256", self.sha256)
        checks.date("created_at", self.created_at)
        checks.at_least_zero(twins=self.twins)


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitChanges:
    """Questions of one file that an earlier release did not have, had, or had otherwise."""

    added: int
    removed: int
    changed: int

    def __post_init__(self) -> None:
        checks.at_least_zero(added=self.added, removed=self.removed, changed=self.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The differences to the release with the version *since*, by split file."""

    since: str
    splits: Mapping[str, SplitChanges]

    def __post_init__(self) -> None:
        checks.version("since", self.since)


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierRelease:
    """An earlier release of the campaign; *retracted* is the reason if it was retracted."""

    name: str
    version: str
    built_at: str
    changes: Changes | None
    retracted: str | None = None

    def __post_init__(self) -> None:
        checks.plain_name("name", self.name)
        checks.version("version", self.version)
        checks.date("built_at", self.built_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakSummary:
    """What the leak report found; the report itself is ``leaks.json``.

    Parameters
    ----------
    tests : int
        Ways to learn an answer from the publication that were tested, in these files alone and with
        earlier releases.
    alpha : float in (0, 1)
        Probability of at least one false alarm in all tests together, with those of the texts.
    detectable : float in [0.5, 1], or None
        Smallest accuracy of a guess that the weakest of them finds with a power of 80 %; None if a
        split of any of these releases has too few questions.
    found : tuple of str
        One sentence for each split where the publication tells answers.
    texts : mapping of str to float in [0.5, 1], or None
        By the kind of clues that were looked for in the sentences and options of the labelled
        splits, the smallest accuracy that is found with a power of 80 % in one of them; None if
        the kind is too rare in each.
    text_found : tuple of str
        Sentences for each split where the sentences or options tell answers.
    """

    tests: int
    alpha: float
    detectable: float | None
    found: tuple[str, ...]
    texts: Mapping[str, float | None] = field(default_factory=dict)
    text_found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Every fact about a release.

    Parameters
    ----------
    name : str
        The release's address; the folder in the archive.
    version : str
        Semantic version.
    title : str
    authors : tuple of str
    licence : str
        SPDX identifier, or a text.
    campaign : str
    built_at : str
        ISO 8601 date and time with offset.
    files : tuple of FileFacts
        The public files that are not made from the manifest, and no others.
    splits : mapping of str to SplitFacts
        By the names of `layout.STEMS`.
    snapshot : SnapshotFacts
    selection : mapping, or None
        The encoding and the filter run of the selection, with their settings and hashes; None for
        an unfiltered release.
    collection : Collection
    people : People
        Who worked on the questions; no origins in releases that were built before it was known.
    statements : Statements
    origin : Origin
    software : mapping of str to str
        Versions.
    warnings : tuple of str
        About leaks that fresh models of the filter run show, and about too few pairs.
    min_pairs : int
        Complete pairs below which a split gets a warning.
    near_duplicate : float
        The similarity to a blind question from which a question was left out.
    agreement : mapping of str to Figure
        By measure; of the votes in the release.
    human : tuple of HumanPerformance
        Empty without fresh votes.
    left_out : mapping of str to int
        Questions of the snapshot by the reason why no file has them.
    repeats : RepeatFacts, or None
        None if they were not counted.
    draws : tuple of DrawFacts
    commitments : int
        Blind questions with a commitment.
    changes : Changes, or None
        None for the first release of the campaign.
    earlier : tuple of EarlierRelease
        Newest first.
    leaks : LeakSummary, or None
    limits : tuple of str
        Known limits of this release, besides those of every release.
    language : str
        BCP 47.
    """

    name: str
    version: str
    title: str
    authors: tuple[str, ...]
    licence: str
    campaign: str
    built_at: str
    files: tuple[FileFacts, ...]
    splits: Mapping[str, SplitFacts]
    snapshot: SnapshotFacts
    selection: Mapping[str, Any] | None
    collection: Collection
    origin: Origin
    software: Mapping[str, str]
    min_pairs: int
    near_duplicate: float
    people: People = field(default_factory=People)
    statements: Statements = field(default_factory=Statements)
    warnings: tuple[str, ...] = ()
    agreement: Mapping[str, Figure] = field(default_factory=dict)
    human: tuple[HumanPerformance, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    repeats: RepeatFacts | None = None
    draws: tuple[DrawFacts, ...] = ()
    commitments: int = 0
    changes: Changes | None = None
    earlier: tuple[EarlierRelease, ...] = ()
    leaks: LeakSummary | None = None
    limits: tuple[str, ...] = ()
    language: str = "en"
    format: int = FORMAT

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise ValueError(f"format must be {FORMAT}, got {self.format}")
        checks.plain_name("name", self.name)
        checks.version("version", self.version)
        checks.date("built_at", self.built_at)
        checks.counts("left_out", self.left_out)
        checks.at_least_zero(commitments=self.commitments, min_pairs=self.min_pairs)
        if self.people.is_simulated and not self.title.endswith(DEMONSTRATION):
            raise ValueError(f"title must end with {DEMONSTRATION}, as the people are simulated")
        for stem in self.splits:
            if stem not in layout.STEMS:
                raise ValueError(f"splits must be among {', '.join(layout.STEMS)}, got {stem!r}")
        for name, count in Counter(file.name for file in self.files).items():
            if count > 1 or not layout.is_public(name):
                raise ValueError(f"files must be public and differ in name, got {name!r}")

    @property
    def stems(self) -> tuple[str, ...]:
        """The names of the split files, in the order of `layout.STEMS`."""
        return tuple(stem for stem in layout.STEMS if stem in self.splits)

    def file(self, name: str) -> FileFacts:
        """Return the facts of a file; `KeyError` for an unknown name."""
        return {file.name: file for file in self.files}[name]

    def to_json(self) -> str:
        """Return the bytes of ``manifest.json`` as a text; equal manifests give equal texts."""
        return codec.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Read `to_json`.

        Raises
        ------
        ValueError
            Naming the field and the rule.
        """
        return codec.from_json(cls, text)


def has_pairs(manifest: Manifest) -> bool:
    """Return whether any file has both questions of a twin."""
    return any(split.pairs for split in manifest.splits.values())
