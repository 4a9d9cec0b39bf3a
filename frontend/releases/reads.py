"""Releases and their previews, as pages show them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from corpora.core.bundle import layout
from corpora.core.bundle.collection import collection_of, validating, writing
from corpora.core.bundle.filter_facts import fresh_results
from corpora.core.bundle.layout import BLIND, DEBIASED, DEV, FULL, STEMS, TRAINING
from corpora.models import Release, ReleaseFile, ReleasePreview
from frontend.findings import DIRECTIONS
from frontend.runs.words import RunWords, register
from winoplatform.runs.models import RunStatus


class ReleaseWords(RunWords[Release]):
    stage = 5
    related = ("selection__filter_run",)

    def short(self, run: Release) -> str:
        return run.name

    def about(self, run: Release) -> str:
        return run.name

    def href(self, run: Release) -> str:
        # A release that gave up its name has no page: the address shows its successor.
        return reverse("release", args=[run.name]) if run.holds_name else ""


class ReleasePreviewWords(RunWords[ReleasePreview]):
    is_brief = True
    page = "release-preview"

    def about(self, run: ReleasePreview) -> str:
        return _("figures of a release, without files")


register(Release, ReleaseWords())
register(ReleasePreview, ReleasePreviewWords())

NEWEST = 50
"""The versions that a page lists."""

TITLES = {
    FULL: later("train, all (xl)"),
    DEBIASED: later("train, filtered"),
    DEV: later("dev"),
    BLIND: later("test (blind)"),
}
LEFT_OUT = {
    "withheld": later("in no split: a sentence is shared with train and with test"),
    "in_validation": later("still open to validators, or telling the answer of one that is"),
    "near_duplicate": later(
        "too similar to a blind question, or blind and too similar to a public one"
    ),
    "not_selected": later("dev, not kept by the filter"),
    "blind_not_published": later("blind, and not published by the first release that could"),
}


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A split or training size, its figures, and which of them depend on a draw of the build."""

    title: str
    figures: Mapping[str, Any]
    draws_options: bool = False
    draws_pairs: bool = False

    @property
    def domains(self) -> str:
        return ", ".join(f"{name} {n:,}" for name, n in self.figures["domains"].items() if name)


def use_lines(release: Release, names: Collection[str]) -> str:
    """Return lines that load a release and evaluate on it, as its card has them.

    Parameters
    ----------
    release : Release
    names : collection of str
        Its files. A line is left out if the file that it needs is not among them.
    """
    name = release.name
    ask = f"lm_eval --model hf --model_args pretrained=MODEL --include_path {name}/harness --tasks"
    answers = layout.answers(name)
    needed = {
        f'pandas.read_parquet("{name}/data/dev.parquet")': layout.parquet(DEV),
        f'datasets.load_dataset("{name}")': layout.README,
        f"python {name}/score.py --preds_file predictions.lst": layout.SCORER,
        f"{ask} {name}": layout.harness_task(name),
        f"{ask} {answers} --apply_chat_template": layout.harness_task(answers),
        f"inspect eval {name}/{layout.INSPECT} --model MODEL": layout.INSPECT,
    }
    verify = f"python manage.py verify {name}.zip --sha256 {release.content_hash}"
    return "\n".join([*(line for line, file in needed.items() if file in names), verify])


def split_rows(facts: Mapping[str, Any], *, is_preview: bool = False) -> list[SplitRow]:
    """Return the splits of a release or a preview, training sizes first.

    A release's key draws the order of options and the pairs of the sizes below the full set.
    """
    splits = facts["splits"]
    return [
        SplitRow(
            title=str(TITLES.get(stem, stem.replace("_", " "))),
            figures=splits[stem],
            draws_options=is_preview,
            draws_pairs=is_preview and stem in TRAINING and stem != FULL,
        )
        for stem in STEMS
        if stem in splits
    ]


def origin_sentences(facts: Mapping[str, Any]) -> list[tuple[Any, tuple[str, ...]]]:
    """Return how the questions of training and dev came to be, in the sentences of the card."""
    collection = collection_of(facts)
    if collection is None:
        return []
    return [(later("Writing"), writing(collection)), (later("Validating"), validating(collection))]


def left_out(facts: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return why questions of the snapshot are in no file, and how many."""
    counts = facts["left_out"].items()
    return [(str(LEFT_OUT.get(why, why.replace("_", " "))), n) for why, n in counts if n]


def fresh_models(facts: Mapping[str, Any]) -> list[tuple[Any, Any, int, float | None]]:
    """Return the side of one half that fresh models are on, n, and the detectable accuracy.

    For all and for the kept questions; the accuracy only where no side was found. A manifest has
    no accuracies of models (docs/decisions/0087-one-test.md).
    """
    titles = {
        "before": later("all questions of the snapshot"),
        "after": later("the kept questions"),
    }
    unknown = later("not measured")
    return [
        (
            titles[when],
            DIRECTIONS[side] if (side := result.get("direction")) else unknown,
            result["n"],
            result.get("detectable") if side == "none" else None,
        )
        for when, result in fresh_results(facts["selection"]).items()
    ]


def shown_files(release: Release, files: list[ReleaseFile]) -> dict[str, list[ReleaseFile]]:
    """Return a release's files by kind: data, documents, and those for curators alone."""
    data = {f"{stem}{ending}" for stem in STEMS for ending in (".jsonl", "-labels.lst")}
    by_kind: dict[str, list[ReleaseFile]] = {"documents": [], "data": [], "restricted": []}
    for file in files:
        is_data = file.name in data or file.name.startswith("data/")
        kind = "restricted" if file.restricted else "data" if is_data else "documents"
        by_kind[kind].append(file)
    return by_kind


def versions_of(release: Release, user: Any) -> list[Release]:
    """Return the releases of a release's campaign that a visitor may see, the newest first."""
    rows = Release.objects.visible_to(user).filter(snapshot__campaign=release.campaign.pk)
    return list(rows.filter(status=RunStatus.DONE).order_by("-ended_at", "-pk")[:NEWEST])
