"""The manifest: every fact about a release, from which all its documents are made."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from collection.core.people import DEMONSTRATION, People
from corpora.core.bundle import checks, layout
from corpora.core.bundle.canary import guid_of
from corpora.core.bundle.codec import later_field
from corpora.core.bundle.facts import (
    BackgroundCounts,
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

FORMAT = 5
EARLIER = (3, 4)
"""Formats that are still read and verified: they lack some fields."""


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
    """An earlier release of the campaign; *retracted* is the reason if it was retracted.

    Where it is for members alone, its *name* is its version.
    """

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
class Named:
    """How a release of any kind is called and cited, and who worked on it.

    Parameters
    ----------
    name : str
        The release's address; the folder in the archive.
    title : str
    authors : tuple of str
    licence : str
        SPDX identifier, or a text.
    built_at : str
        ISO 8601 date and time with offset.
    people : People
        Curators aside; no origins in releases that were built before it was known.
    left_out : mapping of str to int
        What no file has, by the reason.
    language : str
        BCP 47.
    canary : str, or None
        The GUID of `canary.guid_of`; None in releases that were built before they had one.
    """

    name: str
    title: str
    authors: tuple[str, ...]
    licence: str
    built_at: str
    people: People = field(default_factory=People)
    left_out: Mapping[str, int] = field(default_factory=dict)
    language: str = "en"
    canary: str | None = later_field()
    format: int
    EARLIER: ClassVar[tuple[int, ...]] = ()

    def __post_init__(self) -> None:
        (known,) = (one.default for one in fields(self) if one.name == "format")
        if self.format not in (known, *self.EARLIER):
            raise ValueError(f"format must be {known}, got {self.format}")
        checks.plain_name("name", self.name)
        checks.date("built_at", self.built_at)
        checks.counts("left_out", self.left_out)
        guid = guid_of(self.name, self.built_at)
        if self.canary not in (None, guid):
            raise ValueError(f"canary must be {guid}, got {self.canary!r:.80}")
        if self.people.is_simulated and not self.title.endswith(DEMONSTRATION):
            raise ValueError(f"title must end with {DEMONSTRATION}, as the people are simulated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest(Named):
    """Every fact about a release of questions.

    Parameters
    ----------
    version : str
        Semantic version.
    campaign : str
    files : tuple of FileFacts
        The public files that are not made from the manifest, and no others.
    splits : mapping of str to SplitFacts
        By the names of `layout.STEMS`.
    snapshot : SnapshotFacts
    selection : mapping, or None
        The encoding and the filter run of the selection, with their settings and hashes; None for
        an unfiltered release.
    collection : Collection
    statements : Statements
    background : tuple of BackgroundCounts, or None
        None where people were not asked, or too few answered.
    origin : Origin
    software : mapping of str to str
        Versions.
    warnings : tuple of str
        About leaks that fresh models of the filter run show, and about too few pairs.
    min_pairs : int
        Complete pairs below which dev, the test or ``train_xl`` gets a warning.
    near_duplicate : float
        The similarity to a blind question from which a question was left out.
    agreement : mapping of str to Figure
        By measure; of the votes in the release.
    human : tuple of HumanPerformance
        Empty without fresh votes.
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
    """

    version: str
    campaign: str
    files: tuple[FileFacts, ...]
    splits: Mapping[str, SplitFacts]
    snapshot: SnapshotFacts
    selection: Mapping[str, Any] | None
    collection: Collection
    origin: Origin
    software: Mapping[str, str]
    min_pairs: int
    near_duplicate: float
    statements: Statements = field(default_factory=Statements)
    background: tuple[BackgroundCounts, ...] | None = later_field()
    warnings: tuple[str, ...] = ()
    agreement: Mapping[str, Figure] = field(default_factory=dict)
    human: tuple[HumanPerformance, ...] = ()
    repeats: RepeatFacts | None = None
    draws: tuple[DrawFacts, ...] = ()
    commitments: int = 0
    changes: Changes | None = None
    earlier: tuple[EarlierRelease, ...] = ()
    leaks: LeakSummary | None = None
    limits: tuple[str, ...] = ()
    format: int = FORMAT
    EARLIER: ClassVar[tuple[int, ...]] = EARLIER

    def __post_init__(self) -> None:
        Named.__post_init__(self)  # the class with slots is another one than ``super()`` knows
        checks.version("version", self.version)
        checks.at_least_zero(commitments=self.commitments, min_pairs=self.min_pairs)
        for stem in self.splits:
            if stem not in layout.STEMS:
                raise ValueError(f"splits must be among {', '.join(layout.STEMS)}, got {stem!r}")
        checks.differ_in_name("files", (file.name for file in self.files))
        for file in self.files:
            if not layout.is_public(file.name):
                raise ValueError(f"files must be public, got {file.name!r}")

    @property
    def stems(self) -> tuple[str, ...]:
        """The names of the split files, in the order of `layout.STEMS`."""
        return tuple(stem for stem in layout.STEMS if stem in self.splits)


def has_pairs(manifest: Manifest) -> bool:
    """Return whether any file has both questions of a twin."""
    return any(split.pairs for split in manifest.splits.values())
