"""What a paper kit is made of: the manifest, and what a few files add to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpora.core.bundle import codec
from corpora.core.bundle.layout import DEV, FULL, MANIFEST, RATES, README, jsonl
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.reading import Bundle
from corpora.core.notices import ReleaseNotice


@dataclass(frozen=True, slots=True)
class PositionBaseline:
    """The option that is more often right in the full training set, as the answer to all of dev.

    Parameters
    ----------
    option : int
        1 or 2; 1 in a tie.
    right, questions : int
        Of dev.
    right_pairs, pairs : int
        Complete pairs of dev, and those of which both questions are right.
    """

    option: int
    right: int
    questions: int
    right_pairs: int
    pairs: int


@dataclass(frozen=True, slots=True)
class KitFacts:
    """Everything that a kit says comes from here.

    Parameters
    ----------
    manifest : Manifest
    plain : mapping
        The manifest as JSON values, for pointers into it.
    baseline : PositionBaseline, or None
        None where training or dev has no questions.
    rates : mapping of str to list of float
        By kind of work, what an hour of it paid each person, lowest first.
    card : str
        README.md.
    notices : tuple of ReleaseNotice
        Errata and a retraction, which no bundle has: they come after it.
    """

    manifest: Manifest
    plain: Mapping[str, Any]
    baseline: PositionBaseline | None
    rates: Mapping[str, list[float]]
    card: str
    notices: tuple[ReleaseNotice, ...] = ()

    @property
    def is_retracted(self) -> bool:
        return any(notice.is_retraction for notice in self.notices)


def read_facts(bundle: Bundle, notices: Sequence[ReleaseNotice] = ()) -> KitFacts:
    """Read what a kit needs; *notices* of the release are known where it was published.

    Raises
    ------
    ValueError
        When the manifest is not that of a release of questions, or a file cannot be read.
    """
    manifest = codec.from_json(Manifest, bundle.content(MANIFEST).decode())
    names = set(bundle.names())
    rates: dict[str, list[float]] = {}
    for line in bundle.rows(RATES) if RATES in names else ():
        rates.setdefault(str(line["work"]), []).append(float(line["rate"]))
    return KitFacts(
        manifest=manifest,
        plain=bundle.document(MANIFEST),
        baseline=_position(bundle, manifest),
        rates={work: sorted(of) for work, of in rates.items()},
        card=bundle.content(README).decode() if README in names else "",
        notices=tuple(notices),
    )


def _position(bundle: Bundle, manifest: Manifest) -> PositionBaseline | None:
    training, dev = manifest.splits.get(FULL), manifest.splits.get(DEV)
    if not (training and dev and training.questions and dev.questions):
        return None
    option = 1 if 2 * (training.label_1 or 0) >= training.questions else 2
    right: dict[str, list[bool]] = {}
    for row in bundle.rows(jsonl(DEV)):
        base = str(row["qID"]).rpartition("-")[0]
        right.setdefault(base, []).append(row["answer"] == str(option))
    pairs = [both for both in right.values() if len(both) == 2]
    return PositionBaseline(
        option=option,
        right=sum(map(sum, right.values())),
        questions=sum(map(len, right.values())),
        right_pairs=sum(all(both) for both in pairs),
        pairs=len(pairs),
    )
