"""What the pages of releases and previews show of their facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import BLIND, DEBIASED, DEV, FULL, STEMS
from corpora.models import Release, ReleaseFile
from frontend.evidence.words import DIRECTIONS

TITLES = {
    FULL: _("train, all (xl)"),
    DEBIASED: _("train, filtered"),
    DEV: _("dev"),
    BLIND: _("test (blind)"),
}
LEFT_OUT = {
    "withheld": _("in no split: they would have to be in two"),
    "in_validation": _("validators can still get them, or a question that they tell"),
    "near_duplicate": _(
        "too similar to a blind question, or blind and too similar to a public one"
    ),
    "not_selected": _("dev, not kept by the filter"),
    "blind_not_published": _("blind, and left out by the first release that had them"),
}


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A split or training size, and its figures."""

    title: str
    figures: Mapping[str, Any]

    @property
    def domains(self) -> str:
        return ", ".join(f"{name} {n:,}" for name, n in self.figures["domains"].items() if name)


def split_rows(facts: Mapping[str, Any]) -> list[SplitRow]:
    """Return the splits of a release or a preview, training sizes first."""
    splits = facts["splits"]
    return [
        SplitRow(str(TITLES.get(stem, stem.replace("_", " "))), splits[stem])
        for stem in STEMS
        if stem in splits
    ]


def left_out(facts: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return why questions of the snapshot are in no file, and how many."""
    counts = facts["left_out"].items()
    return [(str(LEFT_OUT.get(why, why.replace("_", " "))), n) for why, n in counts if n]


def fresh_models(facts: Mapping[str, Any]) -> list[tuple[Any, Any, int]]:
    """Return on which side of one half fresh models are on all and on the kept questions, and n.

    A manifest has no accuracies (docs/decisions/0070-fresh-models.md).
    """
    found = ((facts["selection"] or {}).get("filter") or {}).get("fresh_models") or {}
    titles = {"before": _("all valid questions"), "after": _("the kept questions")}
    unknown = _("not measured")
    return [
        (titles[when], DIRECTIONS.get(one.get("direction"), unknown), one["n"])
        for when, one in found.items()
    ]


def shown_files(release: Release, files: list[ReleaseFile]) -> dict[str, list[ReleaseFile]]:
    """Return a release's files by kind: data, documents, and those for curators alone."""
    data = {f"{stem}{ending}" for stem in STEMS for ending in (".jsonl", "-labels.lst")}
    found: dict[str, list[ReleaseFile]] = {"documents": [], "data": [], "restricted": []}
    for file in files:
        is_data = file.name in data or file.name.startswith("data/")
        kind = "restricted" if file.restricted else "data" if is_data else "documents"
        found[kind].append(file)
    return found
