"""The tables of WinoLogic with the figures measured here, and those that the paper lacks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from django.db.models import Q

from evaluation.core.knowledge.documents import by_type_of, figures_of, leading
from evaluation.core.knowledge.statements import ALL, NOT_CIRCULAR, REASONS, VALID
from evaluation.core.published_tables import (
    KNOWLEDGE_TABLES,
    Cell,
    FilledTable,
    Measured,
    OwnRow,
    PaperTable,
    mean_of,
)
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import Evaluation
from evaluation.selectors.knowledge import FALSE, people_figures, statements_visible_to
from knowledge.core.reporting import TRUE, SystemFigures
from knowledge.core.statistics import KINDS, VARIANTS
from knowledge.models import KnowledgeRelease
from stats.intervals import NOTHING, Estimate
from workers.models import User

SECTION = "Measured here"
ANNOTATORS = "annotators of this set"
OF_REASONS = "knowledge-reasons"
Figures = Mapping[str, Sequence[SystemFigures]]  # by variant, one for each seed
Cells = Mapping[str, Measured]


@dataclass(frozen=True)
class _System:
    """A system's newest evaluation, with its figures of the subset that the tables show."""

    run: Evaluation
    figures: Figures

    @property
    def is_majority(self) -> bool:
        return self.run.method == ENSEMBLE

    def row(self, figures: Cells, *, said: str = "") -> OwnRow:
        model = " · ".join(filter(None, [self.run.system, said]))
        return OwnRow("", model, figures, SECTION, evaluations=str(self.run.public_id))


def knowledge_tables(user: User, release: KnowledgeRelease) -> list[FilledTable]:
    """Return Tables 2 to 5 of WinoLogic, and what they lack, with the figures that *user* may see.

    Of each system the newest finished evaluation counts. Where people validated the problems,
    figures are of the valid ones, as in the paper. With seeds they are means, with the deviation
    over seeds and the mean ends of the intervals over questions.
    """
    runs = newest(user, Q(knowledge_release=release))
    systems = [_System(run, _figures(run)) for run in runs if run.figures is not None]
    notes = _notes(systems)
    return [
        _with_notes(KNOWLEDGE_TABLES[name], [*rows], notes)
        for name, rows in _rows(systems, people_figures(release)).items()
    ]


def _with_notes(table: PaperTable, own: list[OwnRow], notes: Sequence[str]) -> FilledTable:
    return FilledTable(replace(table, notes=(*table.notes, *notes)), own)


def _rows(systems: Sequence[_System], people: Cells) -> dict[str, Iterator[OwnRow]]:
    """Return the rows measured here, by table."""
    return {
        "winologic-2": _accuracies(systems, {1: "1_", 2: "2_"}),
        "winologic-3": _accuracies(systems, {3: ""}),
        "winologic-4": _means_and_each(systems, _true_and_false, _people_by_label(people)),
        "winologic-5": _means_and_each(systems, _by_kind, _people_by_kind(people)),
        "knowledge-pairs": _each(systems, _beyond),
        "knowledge-detector": _detector(systems),
    }


def _people_by_label(people: Cells) -> Iterator[OwnRow]:
    if people:
        both = {f"variable_{name}": people[name] for name in (TRUE, FALSE) if name in people}
        yield OwnRow("", ANNOTATORS, both, SECTION)


def _people_by_kind(people: Cells) -> Iterator[OwnRow]:
    if people:
        kinds = {name: cell for name, cell in people.items() if name != TRUE}
        yield OwnRow("people", ANNOTATORS, kinds)


def reason_table(user: User, reasons: str) -> FilledTable:
    """Return each system's figures on a collection of reasons."""
    runs = [run for run in newest(user, Q(reasons=reasons)) if run.figures is not None]
    own = [_System(run, {}).row(_of_reasons(run.figures or {})) for run in runs]
    notes = [*_reason_notes(runs[0])] if runs else []
    return _with_notes(KNOWLEDGE_TABLES[OF_REASONS], own, notes)


def newest(user: User, of: Q) -> list[Evaluation]:
    """Return the newest finished evaluation of each system on some data."""
    rows = statements_visible_to(user).filter(of, status="done").order_by("-pk")
    newest_runs: dict[tuple[Any, ...], Evaluation] = {}
    for run in rows.prefetch_related("members"):
        newest_runs.setdefault(_key(run), run)
    return sorted(newest_runs.values(), key=lambda run: (run.method, run.model, run.pk))


def _key(run: Evaluation) -> tuple[Any, ...]:
    members = tuple(sorted(member.pk for member in run.members.all()))
    settings = (run.trained_on, tuple(run.seeds), run.is_frozen, run.rates_of)
    return run.method, run.model, run.dtype, *settings, members


def _figures(run: Evaluation) -> Figures:
    document = run.figures or {}
    of = leading(document)
    return {variant: figures_of(document, of=of, variant=variant) for variant in VARIANTS}


def _mean(figures: Sequence[SystemFigures], get: Callable[[SystemFigures], Estimate]) -> Measured:
    return mean_of([get(figure) for figure in figures])


def _accuracies(systems: Sequence[_System], prefixes: Mapping[int, str]) -> Iterator[OwnRow]:
    """Yield the systems of some baselines, whose columns begin with a prefix."""
    for system in systems:
        prefix = prefixes.get(system.run.baseline or 0)
        if prefix is not None:
            yield system.row(
                {
                    f"{prefix}{variant}": _mean(figures_of_variant, lambda figure: figure.accuracy)
                    for variant, figures_of_variant in system.figures.items()
                }
            )


def _of_kind(figures: Sequence[SystemFigures], kind: str) -> Measured:
    return mean_of(
        [figure.false if kind == FALSE else figure.by_kind.get(kind, NOTHING) for figure in figures]
    )


def _true_and_false(figures: Figures) -> Cells:
    return {
        f"{variant}_{label}": _of_kind(figures_of_variant, label)
        for variant, figures_of_variant in figures.items()
        for label in (TRUE, FALSE)
    }


def _by_kind(figures: Figures) -> Cells:
    return {kind: _of_kind(figures["variable"], kind) for kind in (*KINDS, FALSE)}


def _answered_true(figures: Sequence[SystemFigures]) -> Measured:
    return _mean(figures, lambda cell: Estimate(cell.answered_true, None, None, cell.accuracy.n))


def _beyond(figures: Figures) -> Cells:
    tables = {}
    for variant, of_seeds in figures.items():
        tables[f"{variant}_pairs"] = _mean(of_seeds, lambda figure: figure.pairs)
        tables[f"{variant}_answered_true"] = _answered_true(of_seeds)
    return tables


def _means_and_each(
    systems: Sequence[_System], cells: Callable[[Figures], Cells], people: Iterator[OwnRow]
) -> Iterator[OwnRow]:
    yield from _means(systems, cells)
    yield from _each(systems, cells)
    yield from people


def _each(systems: Sequence[_System], cells: Callable[[Figures], Cells]) -> Iterator[OwnRow]:
    for system in systems:
        yield system.row(cells(system.figures), said=_collapsed(system.figures))


def _collapsed(figures: Figures) -> str:
    """Return where nearly all answers are the same, in words."""
    collapsed = [name for name, figure in figures.items() if any(o.is_collapsed for o in figure)]
    return f"collapsed: {', '.join(collapsed)}" if collapsed else ""


def _means(systems: Sequence[_System], cells: Callable[[Figures], Cells]) -> Iterator[OwnRow]:
    """Yield each baseline's mean over the systems measured here, and its deviation over them."""
    for number in (1, 2, 3):
        mine = [row for row in systems if row.run.baseline == number and not row.is_majority]
        if mine:
            rows = [cells(system.figures) for system in mine]
            count = f"mean of {len(mine)}" if len(mine) > 1 else mine[0].run.system
            ids = " ".join(str(system.run.public_id) for system in mine)
            means = {name: _over_systems([row[name] for row in rows]) for name in rows[0]}
            yield OwnRow(str(number), count, means, evaluations=ids)


def _over_systems(cells: Sequence[Measured]) -> Measured:
    values = [cell.value for cell in cells if cell.value is not None]
    if len(cells) == 1 or not values:
        return cells[0]
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Measured(float(np.mean(values)), n=cells[0].n, sd=sd)


def _detector(systems: Sequence[_System]) -> Iterator[OwnRow]:
    """Yield what the detector found in the set, which is the same in each system's document."""
    detectors = (systems[0].run.figures or {}).get("detectors", {}) if systems else {}
    cells, said = {}, []
    for variant, detector in detectors.items():
        if "not_run" in detector:
            said.append(f"{variant}: {detector['not_run']}")
            continue
        single = detector["single"]
        cells[f"{variant}_pairs"] = mean_of([Estimate(**single["estimate"])])
        cells[f"{variant}_chance"] = Measured(single["chance"], n=detector["n"])
        leak = "its words tell" if detector["leaks"] else "no clue found in its words"
        said.append(f"{variant}: {leak}, p = {single['p_corrected']:.2g}")
    if detectors:
        yield OwnRow("", "; ".join(said), cells, SECTION, "linear model")


def _notes(systems: Sequence[_System]) -> list[str]:
    """Return how many problems the set has, and how many are valid."""
    counts = (systems[0].run.figures or {}).get("counts", {}) if systems else {}
    return [
        f"This set, {name} problems: {_counts_text(count)}"
        for name, count in counts.items()
        if name in (ALL, VALID)
    ]


def _counts_text(counts: Mapping[str, Any]) -> str:
    kinds = ", ".join(f"{kind} {n}" for kind, n in counts["kinds"].items() if kind != TRUE)
    return f"{counts['n']:,}, {counts['n_true']:,} true and {counts['n_false']:,} false ({kinds})."


def _of_reasons(document: Mapping[str, Any]) -> Cells:
    rows = figures_of(document, of=ALL, variant=REASONS)
    by_type = by_type_of(document, of=ALL)
    rest = figures_of(document, of=NOT_CIRCULAR, variant=REASONS)
    folds = [share for figure in document["figures"][ALL][REASONS] for share in figure["by_fold"]]
    return {
        "accuracy": _mean(rows, lambda figure: figure.accuracy),
        "folds": mean_of([Estimate(share, None, None, rows[0].accuracy.n) for share in folds]),
        TRUE: _of_kind(rows, TRUE),
        FALSE: _of_kind(rows, FALSE),
        **{name: mean_of([row[name] for row in by_type]) for name in by_type[0]},
        "not_circular": _mean(rest, lambda figure: figure.accuracy),
        "answered_true": _answered_true(rows),
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
        "columns": [{"key": column.key, "title": column.title} for column in table.columns],
        "lines": [asdict(line) | {"cells": list(map(_cell, line.cells))} for line in filled.lines],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {name: asdict(cell)[name] for name in ("published", "measured")}
