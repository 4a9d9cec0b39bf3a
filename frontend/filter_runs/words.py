"""Filter runs and their assessments in words; a run's settings also in the paper's symbols."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from filtering.core.parameters import Preset
from filtering.core.parameters import settings as preset_settings
from filtering.models import Assessment, Encoding, FilterRun
from filtering.selectors.comparisons import SETTINGS, differing, goes_by
from frontend.names import encoder_name, short_float
from frontend.runs.words import RunWords, register, words_of
from frontend.templatetags.pages import estimate
from winoplatform.described import column_of, symbol
from winoplatform.runs.models import Run, RunStatus

# Presets that the form of a new run offers.
PRESET_NAMES: dict[Preset, Any] = {
    "neutral": later("Neutral, twins together"),
    "published": later("As published (AAAI 2020)"),
    "arxiv_v1": later("arXiv v1"),
}
# Short forms for a one-line description.
STOPS: dict[str, Any] = {"neutral": later("neutral"), "published": later("published stop")}


@dataclass(frozen=True, slots=True)
class PresetChoice:
    """A preset in the form, with its values for the given number of questions."""

    name: str
    title: str
    about: str


def presets_for(n_questions: int) -> tuple[PresetChoice, ...]:
    """Return the presets with their n, m and k for a number of questions."""
    return tuple(
        PresetChoice(name, str(title), "n = {n}, m = {m:,}, k = {k:,}".format(**preset))
        for name, title in PRESET_NAMES.items()
        for preset in (preset_settings(name, n_questions),)
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as a table row: of one run, or of several compared runs."""

    name: str
    values: tuple[str, ...]
    differs: bool = False

    @property
    def value(self) -> str:
        return self.values[0]

    @property
    def symbol(self) -> str:
        """Return its symbol, which the paper sets in italics; empty if the paper has none."""
        return symbol(FilterRun, self.name)

    @property
    def title(self) -> str:
        return self.symbol or str(column_of(FilterRun, self.name).verbose_name)

    @property
    def meaning(self) -> str:
        return str(column_of(FilterRun, self.name).help_text)


def written(run: FilterRun, name: str) -> str:
    """Format a run's setting; empty if it is not set."""
    value = getattr(run, name)
    if value is None or value == "" or name not in goes_by(run):
        return ""
    if name == "reference":
        return _("run %s") % short(value)
    if name in ("method", "stop", "pmi_score", "partition", "removal"):
        return str(getattr(run, f"get_{name}_display")())
    if name in ("n", "m", "k", "size"):
        return f"{value:,}"
    return str(value) if name == "seed" else short_float(value)


def settings_of(*runs: FilterRun) -> tuple[Setting, ...]:
    """Return the settings that at least one of the runs has."""
    differ = differing(runs)
    rows = [
        Setting(name, tuple(written(run, name) for run in runs), name in differ)
        for name in SETTINGS
    ]
    return tuple(row for row in rows if any(row.values))


def short(run: FilterRun) -> str:
    """Return the beginning of a run's id, used as its short name on pages."""
    return str(run.public_id)[:8]


def about(run: FilterRun, *, names: Sequence[str] | None = None) -> str:
    """Describe a run's settings in a line: the given ones, or the most informative ones."""
    said = [_value_text(run, name) for name in (names or _main_settings(run)) if written(run, name)]
    return " · ".join(said)


def _main_settings(run: FilterRun) -> tuple[str, ...]:
    if run.method == FilterRun.Method.AFLITE:
        # Sampling and removal units are omitted if they equal those of the preset.
        usual = preset_settings(cast(Preset, run.stop), 0)
        unlike = [name for name in ("partition", "removal") if getattr(run, name) != usual[name]]
        return ("stop", "n", "m", "k", "tau", "seed", *unlike)
    return ("method", "pmi_score", "reference", "size", "seed")


def _value_text(run: FilterRun, name: str) -> str:
    value = written(run, name)
    if of_papers := symbol(FilterRun, name):
        return f"{of_papers} = {value}"
    if name == "stop":
        return str(STOPS[run.stop])
    if name in ("method", "pmi_score"):
        return value
    return f"{column_of(FilterRun, name).verbose_name} {value}"


class FilterRunWords(RunWords[FilterRun]):
    stage = 4
    related = ("choice", "selection")
    page = "filter-run"

    def about(self, run: FilterRun) -> str:
        return about(run)

    def about_among(self, run: FilterRun, others: Sequence[Run]) -> str:
        """Include the encoder if the campaign has several encodings.

        By its short name, or in full if several encoders share the short name.
        """
        encodings = [other for other in others if isinstance(other, Encoding)]
        if len(encodings) < 2:
            return self.about(run)
        is_short = len({encoder_name(encoding) for encoding in encodings}) == len(encodings)
        name = encoder_name if is_short else words_of(Encoding).about
        return f"{name(run.encoding)}: {self.about(run)}"

    def progress(self, run: FilterRun) -> str:
        is_done = run.status == RunStatus.DONE
        if run.has_ended and not run.done:
            return _("nothing removed") if is_done else ""
        if is_done or not run.total:
            return (
                ngettext("%s question removed", "%s questions removed", run.done) % f"{run.done:,}"
            )
        return _("%s of at most %s questions removed") % (f"{run.done:,}", f"{run.total:,}")

    def figure(self, run: FilterRun) -> str:
        results = ((run.fresh_models or {}).get("kept") or {}).get("grouped") or {}
        accuracy = results.get("accuracy") or {}
        if run.status != RunStatus.DONE or accuracy.get("low") is None:
            return ""
        return _("fresh models after: %s") % estimate(accuracy)

    def short(self, run: FilterRun) -> str:
        return "" if run.n_kept is None else _("%s kept") % f"{run.n_kept:,}"

    def is_chosen(self, run: FilterRun) -> bool:
        return hasattr(run, "choice")

    def page_rows(self, rows: "QuerySet[FilterRun]") -> "QuerySet[FilterRun]":
        return rows.filter(reference=None)  # controls are on the evidence page of their reference


class AssessmentWords(RunWords[Assessment]):
    of_total = later("%s of %s parts")

    def about(self, run: Assessment) -> str:
        return about(run.filter_run)

    def href(self, run: Assessment) -> str:
        return reverse("evidence", args=[run.filter_run.public_id])


register(FilterRun, FilterRunWords())
register(Assessment, AssessmentWords())
