"""Filter runs on their pages: the progress of one, and a comparison of several."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Question
from filtering.core.comparing import Agreement, Correlation, Overlap
from filtering.models import Encoding, FilterRun, Phase
from filtering.selectors.comparisons import RUNS_AT_MOST, Comparison, SeedGroup, differing
from filtering.selectors.questions import RemovedQuestion
from frontend.charts import Chart, bar_chart, curve_chart, share_chart
from frontend.filter_runs.words import about
from frontend.pictures import Mark
from frontend.templatetags.pages import coefficient
from winoplatform.runs.models import RunStatus

CHOICES = 30
LEAST_POINTS = 3  # fewer make no curve; the table has them
# Landis and Koch (1977): the usual words for kappa, each from its lowest value.
WORDS_FOR_KAPPA: tuple[tuple[float, Any], ...] = (
    (0.81, later("almost the same")),
    (0.61, later("substantial")),
    (0.41, later("moderate")),
    (0.21, later("fair")),
    (0.05, later("slight")),
    (-0.05, later("at chance")),
    (-math.inf, later("below chance")),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A run that can be selected for comparison, described by its differences from another run."""

    run: FilterRun
    about: str
    is_this: bool
    is_ticked: bool

    @property
    def can_compare(self) -> bool:
        return self.run.status == RunStatus.DONE


@dataclass(frozen=True, slots=True)
class Chooser:
    """The newest runs over an encoding, to choose from for a comparison."""

    encoding: Encoding
    choices: tuple[Choice, ...]
    most: int = RUNS_AT_MOST

    @property
    def can_compare(self) -> bool:
        return sum(choice.can_compare for choice in self.choices) > 1


def chooser(
    encoding: Encoding,
    *,
    this: FilterRun | None = None,
    ticked: Collection[str] = (),
    compared: Sequence[FilterRun] = (),
) -> Chooser:
    """Return the newest runs of an encoding except cancelled ones, and older ones *compared*.

    *this* is first and selected.
    """
    rows = encoding.filter_runs.exclude(status=RunStatus.CANCELLED).select_related(
        "reference", "selection"
    )
    choices = list(rows.order_by("-pk")[:CHOICES])
    choices += [run for run in compared if run not in choices]
    if this is not None:
        choices = [this, *(run for run in choices if run.pk != this.pk)]
    return Chooser(encoding, tuple(_choice(run, this, ticked) for run in choices))


def _choice(run: FilterRun, this: FilterRun | None, ticked: Collection[str]) -> Choice:
    is_this = run == this
    # Differences from a run of another method say little: describe it by its own settings.
    is_alone = is_this or (this is not None and run.method != this.method)
    names = None if this is None or is_alone else differing([run, this])
    words = _("the same settings") if names == () else about(run, names=names)
    return Choice(run, words, is_this, is_this or str(run.public_id) in ticked)


def seconds_left(run: FilterRun, phases: Sequence[Phase]) -> float | None:
    """Estimate the maximum time left from the pace of the recorded phases.

    Phases record their own seconds, so pauses and crashed workers do not count. None for a run to a
    neutral set: it can end after any step.
    """
    if run.stop == FilterRun.Stop.NEUTRAL:
        return None
    if run.status != RunStatus.RUNNING or not run.total or not run.done or not phases:
        return None
    spent = sum(phase.seconds for phase in phases)
    return spent / run.done * max(0, run.total - run.done)


def charts_of(run: FilterRun, phases: Sequence[Phase]) -> dict[str, Chart]:
    """Return the charts of AFLite's phases; a control is one phase without predictions."""
    if not phases or run.method != FilterRun.Method.AFLITE:
        return {}
    if run.stop == FilterRun.Stop.NEUTRAL:
        return _charts_of_looks(run, phases)
    numbers = [str(phase.number) for phase in phases]
    charts = {
        "left_chart": _left_chart(phases),
        "accuracy_chart": share_chart([phase.accuracy for phase in phases], numbers),
        "seconds_chart": bar_chart(
            [phase.seconds for phase in phases], numbers, noun=_("seconds"), digits=1
        ),
    }
    rule = Mark(run.tau, f"τ = {run.tau:g}")
    return charts | _score_chart(phases[-1], rule)


def main_chart(charts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chart that the page opens with, and its caption; nothing without phases."""
    if chart := charts.get("looks_chart"):
        caption = _("Fresh models’ accuracy against questions removed")
        return {"main_chart": chart, "main_caption": caption}
    if chart := charts.get("left_chart"):
        return {"main_chart": chart, "main_caption": _("Questions left after each phase")}
    return {}


def _left_chart(phases: Sequence[Phase]) -> Chart:
    left = [phases[0].n_before, *(phase.n_left for phase in phases)]
    numbers = ["0", *(str(phase.number) for phase in phases)]
    return bar_chart(left, numbers, noun=_("questions left"))


def _score_chart(phase: Phase, rule: Mark | None) -> dict[str, Chart]:
    scores = phase.histogram
    if not scores:
        return {}
    edges = [f"{place / len(scores):.2f}" for place in range(len(scores))]
    noun = _("twins") if phase.counts_twins else _("questions")
    return {"score_chart": bar_chart(scores, edges, noun=noun, rule=rule)}


def _charts_of_looks(run: FilterRun, phases: Sequence[Phase]) -> dict[str, Chart]:
    """Chart the accuracy of fresh models against questions removed, marking a neutral end."""
    looks = looks_of(phases)
    if not looks:
        return {}
    end = _("neutral") if run.stop_reason == "neutral" else ""
    half = Mark(0.5, _("one half"))
    points = [(look.n_removed, look.accuracy) for look in looks]
    charts = {"left_chart": _left_chart(phases)} | _score_chart(phases[-1], None)
    if len(points) >= LEAST_POINTS:
        charts["looks_chart"] = curve_chart(points, noun=_("removed"), level=half, end=end)
    return charts


@dataclass(frozen=True, slots=True)
class LookRow:
    """The accuracy of fresh models after a number of removals, and its standard error."""

    phase: int
    n_removed: int
    n_left: int
    accuracy: float
    error: float


def looks_of(phases: Sequence[Phase]) -> list[LookRow]:
    """Return the checks of all phases in order; a phase repeats the last one of its predecessor."""
    start = phases[0].n_before
    return [
        LookRow(phase.number, start - int(n_left), int(n_left), accuracy, error)
        for phase in phases
        for n_left, accuracy, error in phase.looks[bool(phase.number > 1) :]
    ]


# -- comparison ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Column:
    """A compared run and its letter."""

    letter: str
    run: FilterRun
    about: str
    n_removed: int
    n_phases: int


@dataclass(frozen=True, slots=True)
class Cell:
    """The value of a matrix for two runs; ``level`` from 0 to 4 sets its tint."""

    text: str
    note: str
    level: int


@dataclass(frozen=True, slots=True)
class Matrix:
    title: str
    meaning: str
    rows: tuple[tuple[Column, tuple[Cell | None, ...]], ...]


def with_sentences(
    removed: Sequence[RemovedQuestion],
) -> list[tuple[RemovedQuestion, Question | None]]:
    """Return removed questions with their texts, in one query."""
    rows = Question.objects.select_related("twin").filter(public_id__in=[row.id for row in removed])
    by_id = {question.public_id: question for question in rows}
    return [(row, by_id.get(row.id)) for row in removed]


@dataclass(frozen=True, slots=True)
class Stable:
    """How much the seed changes the result within a group of runs."""

    letters: str
    always: int
    never: int
    wavering: int
    n_rows: int
    chart: Chart
    rows: tuple[tuple[int, int, float], ...]


def columns_of(found: Comparison) -> tuple[Column, ...]:
    return tuple(
        Column(
            letter,
            run,
            about(run, names=found.differing),
            n_removed=found.n_rows - (run.n_kept or 0),
            n_phases=len(run.steps.all()),
        )
        for letter, run in zip(ascii_uppercase[: len(found.runs)], found.runs, strict=True)
    )


def _overlap(overlap: Overlap) -> Cell:
    if overlap.jaccard is None:
        return Cell("–", _("none in either run"), 0)
    note = _("by chance %s") % f"{overlap.jaccard_by_chance or 0:.0%}"
    return Cell(f"{overlap.jaccard:.1%}", note, _level(overlap.jaccard))


def _kappa(agreement: Agreement) -> Cell:
    if agreement.kappa is None:
        return Cell("–", _("nothing to compare"), 0)
    words = next(words for value, words in WORDS_FOR_KAPPA if agreement.kappa >= value)
    return Cell(coefficient(agreement.kappa), str(words), _level(agreement.kappa))


def _correlation(correlation: Correlation) -> Cell:
    if correlation.spearman is None or correlation.pearson is None:
        return Cell("–", _("no scores") if not correlation.n else _("no spread"), 0)
    note = _("r = %(r)s, n = %(n)s") % {
        "r": coefficient(correlation.pearson),
        "n": f"{correlation.n:,}",
    }
    return Cell(coefficient(correlation.spearman), note, _level(correlation.spearman))


def _level(value: float) -> int:
    return max(0, min(4, int(value * 5)))


# Each matrix: its title, its meaning, and its value for a pair of runs.
MATRICES: tuple[tuple[Any, Any, Callable[[Agreement], Cell]], ...] = (
    (
        later("Kept by both"),
        later("Of the questions kept by at least one of the two runs, the share kept by both."),
        lambda pair: _overlap(pair.kept),
    ),
    (
        later("Removed by both"),
        later(
            "Of the questions removed by at least one of the two runs, the share removed by both."
        ),
        lambda pair: _overlap(pair.removed),
    ),
    (
        later("Agreement beyond chance"),
        later(
            "Cohen’s κ of kept and removed: 0 for agreement at chance, given how many questions "
            "each run keeps; 1 if every question has the same result."
        ),
        _kappa,
    ),
    (
        later("Scores in the first phase"),
        later(
            "Spearman’s ρ and Pearson’s r of the questions’ scores in the first phase, which "
            "includes all questions. A score is the share of correct held-out answers."
        ),
        lambda pair: _correlation(pair.first),
    ),
    (
        later("Mean scores"),
        later(
            "The same for each question’s mean score over the phases before its removal. It "
            "also depends on when questions were removed, so it differs from the first phase."
        ),
        lambda pair: _correlation(pair.mean),
    ),
)


def matrices_of(found: Comparison, columns: Sequence[Column]) -> tuple[Matrix, ...]:
    """Return what each pair of runs has in common, one matrix per measure."""
    pairs = {(pair.a, pair.b): pair.agreement for pair in found.pairs}
    places = range(len(columns))

    def row(a: int, cell: Callable[[Agreement], Cell]) -> tuple[Cell | None, ...]:
        return tuple(None if a == b else cell(pairs[min(a, b), max(a, b)]) for b in places)

    return tuple(
        Matrix(str(title), str(meaning), tuple((columns[a], row(a, cell)) for a in places))
        for title, meaning, cell in MATRICES
    )


def stable_of(found: Comparison, group: SeedGroup) -> Stable:
    """Return how much the seed changes the result among runs that differ only in their seed."""
    counted = group.stability
    numbers = [str(times) for times in range(len(counted.rows))]
    return Stable(
        letters=", ".join(ascii_uppercase[place] for place in group.runs),
        always=counted.always,
        never=counted.never,
        wavering=counted.wavering,
        n_rows=found.n_rows,
        chart=bar_chart(counted.rows, numbers, noun=_("questions")),
        rows=tuple(
            (times, rows, chance)
            for times, (rows, chance) in enumerate(
                zip(counted.rows, counted.by_chance, strict=True)
            )
        ),
    )
