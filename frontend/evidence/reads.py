"""The evidence of a filter run and of its controls."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from collection.core.triggers import trigger_diff
from filtering.core.filter_results import FORMAT
from filtering.models import Assessment, AssessmentPart, FilterRun
from frontend.charts import Axis, Chart
from frontend.evidence import words
from frontend.evidence.pictures import frame_around, highest_share, label_histogram, scatter
from frontend.findings import p_value
from frontend.marks import Piece, marked_twins
from winoplatform.runs.models import RunStatus

Figures = Mapping[str, Any]
# Only the first available PMI score is drawn; the tables have all of them.
ORDER = ("random", "pmi signed", "pmi absolute", "pmi maximum", "pmi pairs", "aflite")


@dataclass(frozen=True, slots=True)
class Assessed:
    """A run with the figures that its assessment has recorded so far."""

    run: FilterRun
    assessment: Assessment | None
    parts: Figures

    @property
    def name(self) -> str:
        return words.set_name(self.run)


@dataclass(frozen=True, slots=True)
class Panel:
    """One set in the grid of figures."""

    name: str
    run: FilterRun | None
    n: int
    divergence: str
    reduced: str
    scatter: Chart
    histogram: Chart


@dataclass(frozen=True, slots=True)
class SetRow:
    """One set in the tables that compare sets."""

    name: str
    run: FilterRun | None
    n: int | None
    divergence: Figures | None
    reduced: Figures | None
    own_axis: Figures | None
    linear: Figures | None
    nonlinear: Figures | None


@dataclass(frozen=True, slots=True)
class FeatureRow:
    name: str
    all: str
    kept: str
    removed: str
    difference: str
    p: str
    n: int


@dataclass(frozen=True, slots=True)
class ExampleTwin:
    options: str
    questions: tuple[tuple[list[Piece], str, bool], ...]


def latest_assessment(run: FilterRun) -> Assessment | None:
    """Return the newest assessment of a run that is done or open.

    Figures of an older format are excluded: they have another meaning.
    """
    older = AssessmentPart.objects.filter(run__filter_run=run).exclude(figures__format=FORMAT)
    assessments = run.assessments.exclude(pk__in=older.values("run")).select_related("report")
    assessments = assessments.order_by("-pk")
    done = assessments.filter(status=RunStatus.DONE).first()
    return done or assessments.exclude(status=RunStatus.CANCELLED).first() or assessments.first()


def assessed_family(run: FilterRun, shown: Assessment | None) -> list[Assessed]:
    """Return a run, its controls of the same size and, for a control, its reference.

    They are in the order of the figures; of each control, the newest that is assessed. All
    assessments have the seed and format of the one shown, so that folds and samples are the same
    and figures of one name have the same meaning.
    """
    head = run.reference_id or run.pk
    runs = FilterRun.objects.filter(Q(pk__in=(run.pk, head)) | Q(reference=head)).order_by("pk")
    seed = shown.seed if shown else 0
    done = Assessment.objects.filter(
        filter_run__in=runs, status=RunStatus.DONE, seed=seed
    ).order_by("pk")
    of_run = {assessment.filter_run_id: assessment for assessment in done}
    if shown is not None:
        of_run[run.pk] = shown
    parts = _parts(of_run.values())
    by_run: dict[str, Assessed] = {}
    for family_run in runs:
        its = of_run.get(family_run.pk)
        key = f"{family_run.method} {family_run.pmi_score}".strip()
        if its is not None and (key not in by_run or by_run[key].run.pk != run.pk):
            by_run[key] = Assessed(family_run, its, parts.get(its.pk, {}))
    return [by_run[key] for key in ORDER if key in by_run]


def _parts(assessments: Any) -> dict[int, dict[str, Any]]:
    parts: dict[int, dict[str, Any]] = {}
    for part in AssessmentPart.objects.filter(run__in=list(assessments), figures__format=FORMAT):
        parts.setdefault(part.run_id, {})[part.name] = part.figures
    return parts


def panels(family: Sequence[Assessed], shown: FilterRun) -> list[Panel]:
    """Draw the whole set, random reduction, one PMI score, AFLite, and always the current run."""
    drawn = [member for member in family if "projection" in member.parts]
    if not drawn:
        return []
    first = _as_shown(drawn, shown).parts["projection"]
    sets: list[tuple[str, FilterRun | None, Figures]] = [("", None, first["all"])]
    has_pmi = False
    for one in drawn:
        is_pmi = one.run.method == FilterRun.Method.PMI
        if "kept" in one.parts["projection"] and (not (is_pmi and has_pmi) or one.run == shown):
            sets.append((one.name, one.run, one.parts["projection"]["kept"]))
            has_pmi = has_pmi or is_pmi
    frame = frame_around(first["all"])
    top = highest_share(
        its[answer]["histogram"] for _, _, its in sets for answer in ("answer1", "answer2")
    )
    return [_panel(name, run, its, first["edges"], frame, top) for name, run, its in sets]


def _panel(
    name: str,
    run: FilterRun | None,
    its: Figures,
    edges: Sequence[float],
    frame: tuple[Axis, Axis],
    top: float,
) -> Panel:
    return Panel(
        name=name,
        run=run,
        n=its["divergence"]["n"],
        divergence=words.divergence(its["divergence"]),
        reduced=words.reduced(its.get("reduced")),
        scatter=scatter(its, frame),
        histogram=label_histogram(its, edges, top=top),
    )


def histogram_rows(family: Sequence[Assessed]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the numbers of the histograms: the sets' names, and each bin's two counts."""
    drawn = [assessed for assessed in family if "kept" in assessed.parts.get("projection", {})]
    if not drawn:
        return [], []
    first = drawn[0].parts["projection"]
    sets = [first["all"], *(assessed.parts["projection"]["kept"] for assessed in drawn)]
    edges = first["edges"]
    rows = [
        (
            f"{edges[bin]:.3g} – {edges[bin + 1]:.3g}".replace("-", "−"),
            [
                f"{its['answer1']['histogram'][bin]:,} / {its['answer2']['histogram'][bin]:,}"
                for its in sets
            ],
        )
        for bin in range(len(edges) - 1)
    ]
    return [assessed.name for assessed in drawn], rows


def _as_shown(family: Sequence[Assessed], run_shown: FilterRun) -> Assessed:
    """Return the current run, or the first while it has no figures; both include the whole set."""
    return next((one for one in family if one.run == run_shown), family[0])


def set_rows(family: Sequence[Assessed], shown: FilterRun) -> Iterator[SetRow]:
    """Yield the whole set and the set that each run keeps."""
    if family:
        yield _set_row(_as_shown(family, shown), "all")
    for assessed in family:
        yield _set_row(assessed, "kept")


def _set_row(assessed: Assessed, which: str) -> SetRow:
    parts, whole = assessed.parts, which == "all"
    drawn, filter_results = parts.get("projection", {}), parts.get("filter_results")
    return SetRow(
        name="" if whole else assessed.name,
        run=None if whole else assessed.run,
        n=filter_results and filter_results["n" if whole else "kept"],
        divergence=drawn.get(which, {}).get("divergence"),
        reduced=drawn.get("all", {}).get("reduced") if whole else None,
        own_axis=drawn.get("all", {}).get("divergence") if whole else drawn.get("kept_own"),
        linear=parts.get("linear", {}).get(which),
        nonlinear=parts.get("nonlinear", {}).get(which),
    )


def result_figures(filter_results: Figures) -> dict[str, Any]:
    """Return what happened to the twins, and the most questions that a phase left to chance."""
    phases = filter_results["phases"]
    return {
        "twins": filter_results["twins"],
        "tied": max((phase["tied_at_cutoff"] for phase in phases), default=0),
        "never": max((phase["never_held_out"] for phase in phases), default=0),
    }


def feature_rows(surface: Figures) -> Iterator[FeatureRow]:
    """Yield how surface features differ between removed and kept questions."""
    for name, label in words.FEATURE_NAMES.items():
        feature = surface["features"][name]
        yield FeatureRow(
            name=str(label),
            all=words.mean(feature["all"], name),
            kept=words.mean(feature["kept"], name),
            removed=words.mean(feature["removed"], name),
            difference=words.difference(feature, name),
            p=p_value(feature["p"]),
            n=feature["all"]["n"],
        )


def example_groups(surface: Figures) -> Iterator[tuple[str, list[ExampleTwin]]]:
    """Yield the examples by kind, with the differing words marked."""
    for kind, title in words.EXAMPLE_TITLES.items():
        twins = [_example(twin) for twin in surface["examples"][kind]]
        if twins:
            yield str(title), twins


def _example(twin: Figures) -> ExampleTwin:
    questions = twin["questions"]
    marked = marked_twins(trigger_diff(*(question["sentence"] for question in questions)))
    return ExampleTwin(
        " / ".join(twin["options"]),
        tuple(
            (pieces, twin["options"][question["answer"] - 1], question["kept"])
            for pieces, question in zip(marked, questions, strict=True)
        ),
    )
