"""The tables of WinoLogic with the figures measured here, and those that the paper lacks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from django.db.models import Q

from evaluation.core.knowledge import figures_of
from evaluation.core.knowledge.documents import estimates_of, leading
from evaluation.core.knowledge.statements import ALL, NOT_CIRCULAR, REASONS, VALID
from evaluation.core.paper_tables import Measured, OwnRow, PaperTable, mean_of, table_lines
from evaluation.core.paper_tables.winologic import (
    BEYOND,
    DETECTOR,
    FALSE,
    KNOWLEDGE_TABLES,
    PEOPLE,
    REASON_TABLE,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TRUE,
)
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import Evaluation
from evaluation.selectors.knowledge import statements_visible_to
from evaluation.selectors.knowledge_people import people_figures
from knowledge.core.published import KINDS, VARIANTS
from knowledge.core.tables import SystemFigures
from knowledge.models import KnowledgeRelease
from stats.intervals import Estimate
from workers.models import User

SECTION = "Measured here"
ANNOTATORS = "annotators of this set"
Figures = Mapping[str, Sequence[SystemFigures]]  # by variant, one for each seed


@dataclass(frozen=True)
class FilledTable:
    """A table with the published figures, and the rows measured here."""

    table: PaperTable
    own: list[OwnRow]


@dataclass(frozen=True)
class _System:
    """A system's newest evaluation, with its figures of the subset that the tables show."""

    run: Evaluation
    figures: Figures

    @property
    def is_majority(self) -> bool:
        return self.run.method == ENSEMBLE

    def row(self, figures: Mapping[str, Measured], *, of: str = "", said: str = "") -> OwnRow:
        model = " · ".join(filter(None, [self.run.system, said]))
        section = "" if of else SECTION
        return OwnRow(of, model, figures, section, evaluations=str(self.run.public_id))


def knowledge_tables(user: User, release: KnowledgeRelease) -> list[FilledTable]:
    """Return Tables 2 to 5 of WinoLogic, and what they lack, with the figures that *user* may see.

    Of each system the newest finished evaluation counts. Where people validated the problems,
    figures are of the valid ones, as in the paper. With seeds they are means, with the deviation
    over seeds and the mean ends of the intervals over questions.
    """
    systems = [
        _System(run, _figures(run))
        for run in newest(user, Q(knowledge_release=release))
        if run.figures is not None
    ]
    rows = {
        TABLE_2.name: [*_table_2(systems)],
        TABLE_3.name: [*_table_3(systems)],
        TABLE_4.name: [*_means(systems, _true_and_false), *_each(systems, _true_and_false)],
        TABLE_5.name: [*_means(systems, _by_kind), *_each(systems, _by_kind)],
        BEYOND.name: [*_each(systems, _beyond)],
        DETECTOR.name: [*_detector(systems)],
    }
    people = people_figures(release) or {}
    if people:
        kinds = {name: cell for name, cell in people.items() if name != TRUE}
        rows[TABLE_5.name].append(OwnRow(PEOPLE, ANNOTATORS, kinds))
        both = {f"variable_{name}": people[name] for name in (TRUE, FALSE) if name in people}
        rows[TABLE_4.name].append(OwnRow("", ANNOTATORS, both, SECTION))
    notes = _notes(systems)
    return [
        FilledTable(replace(table, notes=(*table.notes, *notes)), rows[name])
        for name, table in KNOWLEDGE_TABLES.items()
    ]


def reason_table(user: User, reasons: str) -> FilledTable:
    """Return each system's figures on a collection of reasons."""
    runs = [run for run in newest(user, Q(reasons=reasons)) if run.figures is not None]
    notes = REASON_TABLE.notes
    if runs:
        notes = (*notes, *_reason_notes(runs[0]))
    own = [_System(run, {}).row(_of_reasons(run.figures or {})) for run in runs]
    return FilledTable(replace(REASON_TABLE, notes=notes), own)


def newest(user: User, of: Q) -> list[Evaluation]:
    """Return the newest finished evaluation of each system on some data."""
    rows = statements_visible_to(user).filter(of, status="done").order_by("-pk")
    found: dict[tuple[Any, ...], Evaluation] = {}
    for run in rows.prefetch_related("members"):
        found.setdefault(_key(run), run)
    return sorted(found.values(), key=lambda run: (run.method, run.model, run.pk))


def _key(run: Evaluation) -> tuple[Any, ...]:
    members = tuple(sorted(one.pk for one in run.members.all()))
    settings = (run.trained_on, tuple(run.seeds), run.is_frozen, run.rates_of)
    return run.method, run.model, run.dtype, *settings, members


def _figures(run: Evaluation) -> Figures:
    document = run.figures or {}
    of = leading(document)
    return {variant: figures_of(document, of=of, variant=variant) for variant in VARIANTS}


def _mean(figures: Sequence[SystemFigures], get: Callable[[SystemFigures], Estimate]) -> Measured:
    return mean_of([asdict(get(one)) for one in figures])


def _table_2(systems: Sequence[_System]) -> Iterator[OwnRow]:
    for system in systems:
        if (number := system.run.baseline) in (1, 2):
            yield system.row(
                {
                    f"{number}_{variant}": _mean(found, lambda one: one.accuracy)
                    for variant, found in system.figures.items()
                }
            )


def _table_3(systems: Sequence[_System]) -> Iterator[OwnRow]:
    for system in systems:
        if system.run.baseline == 3:
            yield system.row(
                {
                    variant: _mean(found, lambda one: one.accuracy)
                    for variant, found in system.figures.items()
                }
            )


def _true_and_false(figures: Figures) -> dict[str, Measured]:
    nothing = Estimate(None, None, None, 0)
    return {
        f"{variant}_{label}": _mean(
            found,
            lambda one, label=label: (
                one.false  # type: ignore[misc]
                if label == FALSE
                else one.by_kind.get(TRUE, nothing)
            ),
        )
        for variant, found in figures.items()
        for label in (TRUE, FALSE)
    }


def _by_kind(figures: Figures) -> dict[str, Measured]:
    nothing, found = Estimate(None, None, None, 0), figures["variable"]
    kinds = {
        kind: _mean(found, lambda one, kind=kind: one.by_kind.get(kind, nothing))  # type: ignore[misc]
        for kind in KINDS
    }
    return kinds | {FALSE: _mean(found, lambda one: one.false)}


def _beyond(figures: Figures) -> dict[str, Measured]:
    found = {}
    for variant, of_seeds in figures.items():
        shares = [{"value": one.answered_true, "n": one.accuracy.n} for one in of_seeds]
        found[f"{variant}_pairs"] = _mean(of_seeds, lambda one: one.pairs)
        found[f"{variant}_answered_true"] = mean_of(shares)
    return found


def _each(
    systems: Sequence[_System], cells: Callable[[Figures], dict[str, Measured]]
) -> Iterator[OwnRow]:
    for system in systems:
        yield system.row(cells(system.figures), said=_collapsed(system.figures))


def _collapsed(figures: Figures) -> str:
    """Return where nearly all answers are the same, in words."""
    collapsed = [name for name, found in figures.items() if any(o.is_collapsed for o in found)]
    return f"collapsed: {', '.join(collapsed)}" if collapsed else ""


def _means(
    systems: Sequence[_System], cells: Callable[[Figures], dict[str, Measured]]
) -> Iterator[OwnRow]:
    """Yield each baseline's mean over the systems measured here, and its deviation over them."""
    for number in (1, 2, 3):
        mine = [one for one in systems if one.run.baseline == number and not one.is_majority]
        if mine:
            found = [cells(one.figures) for one in mine]
            count = f"mean of {len(mine)}" if len(mine) > 1 else mine[0].run.system
            ids = " ".join(str(one.run.public_id) for one in mine)
            means = {name: _over_systems([one[name] for one in found]) for name in found[0]}
            yield OwnRow(str(number), count, means, evaluations=ids)


def _over_systems(cells: Sequence[Measured]) -> Measured:
    values = [one.value for one in cells if one.value is not None]
    if len(cells) == 1 or not values:
        return cells[0]
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Measured(float(np.mean(values)), n=cells[0].n, sd=sd)


def _detector(systems: Sequence[_System]) -> Iterator[OwnRow]:
    """Yield what the detector found in the set, which is the same in each system's document."""
    found = (systems[0].run.figures or {}).get("detectors", {}) if systems else {}
    cells, said = {}, []
    for variant, one in found.items():
        if "not_run" in one:
            said.append(f"{variant}: {one['not_run']}")
            continue
        single = one["single"]
        cells[f"{variant}_pairs"] = mean_of([single["estimate"]])
        cells[f"{variant}_chance"] = Measured(single["chance"], n=one["n"])
        leak = "its words tell" if one["leaks"] else "no clue found in its words"
        said.append(f"{variant}: {leak}, p = {single['p_corrected']:.2g}")
    if found:
        yield OwnRow("", "; ".join(said), cells, SECTION, "linear model")


def _notes(systems: Sequence[_System]) -> list[str]:
    """Return how many problems the set has, and how many are valid."""
    counts = (systems[0].run.figures or {}).get("counts", {}) if systems else {}
    return [
        f"This set, {name} problems: {_counted(one)}"
        for name, one in counts.items()
        if name in (ALL, VALID)
    ]


def _counted(one: Mapping[str, Any]) -> str:
    kinds = ", ".join(f"{kind} {n}" for kind, n in one["kinds"].items() if kind != TRUE)
    return f"{one['n']:,}, {one['n_true']:,} true and {one['n_false']:,} false ({kinds})."


def _of_reasons(document: Mapping[str, Any]) -> dict[str, Measured]:
    found = figures_of(document, of=ALL, variant=REASONS)
    by_type = estimates_of(document, of=ALL, name="by_type")
    rest = figures_of(document, of=NOT_CIRCULAR, variant=REASONS)
    folds = [share for one in document["figures"][ALL][REASONS] for share in one["by_fold"]]
    shares = [{"value": one.answered_true, "n": one.accuracy.n} for one in found]
    return {
        "accuracy": _mean(found, lambda one: one.accuracy),
        "folds": mean_of([{"value": share, "n": found[0].accuracy.n} for share in folds]),
        TRUE: _mean(found, lambda one: one.by_kind[TRUE]),
        FALSE: _mean(found, lambda one: one.false),
        **{name: mean_of([asdict(one[name]) for one in by_type]) for name in by_type[0]},
        "not_circular": _mean(rest, lambda one: one.accuracy),
        "answered_true": mean_of(shares),
    }


def _reason_notes(run: Evaluation) -> Iterator[str]:
    document = run.figures or {}
    counts = document["counts"]
    yield (
        f"{counts[ALL]['n']:,} reasons: {counts[ALL]['n_true']:,} valid and "
        f"{counts[ALL]['n_false']:,} invalid; {counts[ALL]['n'] - counts[NOT_CIRCULAR]['n']:,} of "
        "them are circular."
    )
    for reason, n in document["left_out"].items():
        yield f"{n:,} more are left out: {reason}."


def table_document(filled: FilledTable) -> dict[str, Any]:
    """Return a filled table as a JSON document; published figures are in percent."""
    table = filled.table
    return {
        "name": table.name,
        "title": table.title,
        "source": table.source,
        "notes": list(table.notes),
        "columns": [{"key": one.key, "title": one.title} for one in table.columns],
        "lines": [asdict(line) for line in table_lines(table, filled.own)],
    }
