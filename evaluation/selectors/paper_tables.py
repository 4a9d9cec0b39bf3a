"""Which figures measured here belong in which line and column of a paper's table."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from corpora.core.metrics import credits
from corpora.models import ReferenceSet, Release
from evaluation.core.bias import GotchaGap, gotcha_gaps
from evaluation.core.published_tables import TABLES, Figure, FilledTable, OwnRow, by_set, mean_of
from evaluation.models import Evaluation, FineTuning, Grid
from evaluation.selectors.answers import scored_items, scores_of
from evaluation.selectors.fine_tunings import Metrics
from evaluation.selectors.visibility import evaluations_visible_to, fine_tunings_visible_to
from stats.intervals import Estimate
from training.core.transfer import RESOURCE, section_of
from winoplatform.runs.models import RunStatus
from workers.models import User

GENDERS = ("female", "male")
FULL, ZERO_SHOT = "original", "zero_shot"
SIMPLE_TARGETS = ("wsc", RESOURCE)  # of Square One's tables, with WSC-na, which is a subset


def paper_table(user: User, name: str, *, grid: Grid | None = None) -> FilledTable:
    """Return a table with the figures measured here, of all that *user* may see.

    Models that differ in their seed only are one row: the mean, its deviation over seeds, and the
    mean ends of the intervals over questions, which are at least as wide as that of the mean. If
    several sets stand for a column, such as two releases for WinoGrande, each has a row.

    Parameters
    ----------
    name : str
        Of `TABLES`.
    grid : Grid, optional
        Only figures of its cells.
    """
    return FilledTable(TABLES[name], _own_rows(user, name, grid))


def _own_rows(user: User, name: str, grid: Grid | None) -> list[OwnRow]:
    figures = list(_FIGURES[name](user, grid))
    row_keys = {row.key for row in TABLES[name].rows}
    rows: dict[tuple[str, str, str, str], dict[str, list[Figure]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for figure in figures:
        row = figure.row if figure.row in row_keys else ""
        where = ("", "") if row else (figure.section, figure.label or figure.row)
        rows[row, figure.model, *where][figure.column].append(figure)
    return [
        OwnRow(
            row,
            " · ".join(filter(None, [model, of])),
            {
                column: mean_of([result.estimate for result in results_of_column])
                for column, results_of_column in columns.items()
            },
            section,
            label,
            " ".join(dict.fromkeys(one.run for cells in columns.values() for one in cells)),
        )
        for (row, model, section, label), mixed in rows.items()
        for of, columns in by_set(mixed).items()
    ]


@dataclass(frozen=True, slots=True)
class _Result:
    """The metrics of one fine-tuned model on one set; `evaluation` is None for its dev set."""

    cell: FineTuning
    section: str
    split: str
    transformation: str
    metrics: Metrics
    evaluation: Evaluation | None = None

    @property
    def run(self) -> str:
        return str((self.evaluation or self.cell).public_id)

    @property
    def of(self) -> str:
        """The set that it was scored on."""
        if self.evaluation is not None:
            return _named(self.evaluation.release, self.evaluation.reference_set)
        return _named(self.cell.dev_release, self.cell.dev_reference_set)

    @property
    def origin(self) -> str:
        """What it was last trained on."""
        return _section(self.cell.reference_set)

    @property
    def first(self) -> str:
        """What it was trained on before; empty for the encoder as published."""
        return _section(self.cell.before.reference_set) if self.cell.before else ""


def _section(of: ReferenceSet | None) -> str:
    """Return a set's name in the tables; a release stands for WinoGrande."""
    return section_of(of.name) if of is not None else RESOURCE


def _named(release: Release | None, reference_set: ReferenceSet | None) -> str:
    """Return the name of a set; a release and a reference set can have the same."""
    return f"release {release}" if release else str(reference_set)


def _results(user: User, grid: Grid | None) -> Iterator[_Result]:
    cells = fine_tunings_visible_to(user).filter(status=RunStatus.DONE)
    cells = cells.filter(grid=grid) if grid else cells
    needed = (
        "release", "reference_set", "before__reference_set", "dev_release", "dev_reference_set",
        "grid",
    )  # fmt: skip
    by_pk = {cell.pk: cell for cell in cells.select_related(*needed).order_by("pk")}
    done = evaluations_visible_to(user).filter(fine_tuning__in=by_pk, status=RunStatus.DONE)
    # The newest of each: a model that was scored twice has no more seeds.
    newest = {
        (run.fine_tuning_id, run.release, run.reference_set, run.split, run.transformation): run
        for run in done.select_related("reference_set", "release").order_by("pk")
    }
    scored = set()
    for run in newest.values():
        cell = by_pk[run.fine_tuning_id or 0]
        section = _section(run.reference_set)
        scored.add((cell.pk, section, run.split))
        yield _Result(cell, section, run.split, run.transformation, run.metrics or {}, run)
    for cell in by_pk.values():
        section = _section(cell.dev_reference_set)
        if cell.dev_metrics and (cell.pk, section, cell.dev_split) not in scored:
            yield _Result(cell, section, cell.dev_split, cell.transformation, cell.dev_metrics)


def _of(
    result: _Result, row: str, column: str, metric: str = "accuracy", **more: str
) -> Iterator[Figure]:
    metric_value = _metric(result.metrics, metric)
    if metric_value is not None:
        yield Figure(row, column, result.cell.system, metric_value, result.run, result.of, **more)


def _metric(metrics: Metrics, name: str) -> Estimate | None:
    """Return a metric; None without a value."""
    value = metrics.get(name)
    return Estimate(**value) if value and value["value"] is not None else None


def _baselines(user: User, grid: Grid | None) -> Iterator[Figure]:
    """WinoGrande's Table 3."""
    rows = {
        (RESOURCE, ""): "roberta",
        (RESOURCE, "local_context"): "roberta_local_context",
        ("dpr", ""): "roberta_dpr",
    }
    for result in _results(user, grid):
        row = rows.get((result.origin, result.transformation))
        is_part = result.cell.grid is not None and result.cell.grid.kind == Grid.Kinds.CURVE
        if row and result.section == RESOURCE and result.split in ("dev", "test") and not is_part:
            yield from _of(result, row, result.split)


def _sizes(user: User, grid: Grid | None) -> Iterator[_Result]:
    for one in _results(user, grid):
        is_curve = one.cell.grid is not None and one.cell.grid.kind == Grid.Kinds.CURVE
        if is_curve and one.section == RESOURCE and not one.transformation and one.cell.n_train:
            yield one


def _training_sizes(user: User, grid: Grid | None) -> Iterator[Figure]:
    """WinoGrande's Table 4."""
    for at_size in sorted(_sizes(user, grid), key=lambda result: result.cell.n_train or 0):
        if at_size.split in ("dev", "test"):
            n = at_size.cell.n_train or 0
            yield from _of(at_size, str(n), at_size.split, label=f"{n:,}")


def _transfer(user: User, grid: Grid | None) -> Iterator[Figure]:
    """WinoGrande's Table 6."""
    titles = {row.key.split("/")[0]: row.section for row in TABLES["winogrande-6"].rows}
    for result in _results(user, grid):
        is_scored = result.evaluation is not None and not result.split.startswith("train")
        if result.section not in titles or result.transformation or not is_scored:
            continue
        if result.origin != result.section:
            system = result.origin
        else:
            system = f"{result.first}_ft" if result.first else "ft"
        yield from _of(
            result,
            f"{result.section}/{system}",
            "test",
            section=titles[result.section],
            label=system.replace("_", "-"),
        )


def _gender(user: User, grid: Grid | None) -> Iterator[Figure]:
    """WinoGrande's Table 7: accuracies by gender, and their gaps without sign."""
    for one in _results(user, grid):
        if one.section != "winogender" or one.transformation or one.evaluation is None:
            continue
        for gender, gap in _gotchas(one.evaluation).items():
            ends = (("no", "not gotcha", gap.non_gotcha), ("yes", "gotcha", gap.gotcha))
            for end, words, figure in ends:
                row, label = f"{one.origin}_{end}", f"{one.origin}, {words}"
                yield Figure(row, gender, one.cell.system, figure, one.run, one.of, label=label)
            size = Estimate(abs(gap.delta.value or 0.0), None, None, gap.delta.n)
            yield Figure(
                f"{one.origin}_no",
                f"{gender}_gap",
                one.cell.system,
                size,
                one.run,
                one.of,
                label=f"{one.origin}, not gotcha",
            )


def _gotchas(run: Evaluation) -> Mapping[str, GotchaGap]:
    items = scored_items(run).items
    pairs = zip(items, scores_of(run, items), strict=True)
    scored = [(item, row) for item, row in pairs if row is not None and len(row)]
    scored = [(item, scores) for item, scores in scored if item.metadata.get("gender") in GENDERS]
    answers = np.array([item.answer for item, _ in scored], dtype=np.int64)
    right = credits([scores for _, scores in scored], answers)
    return gotcha_gaps(
        right,
        [str(item.metadata["gender"]) for item, _ in scored],
        np.array([item.metadata.get("gotcha") is True for item, _ in scored], dtype=bool),
        [str(item.metadata.get("occupation")) for item, _ in scored],
    )


def _artifacts(user: User, grid: Grid | None) -> Iterator[Figure]:
    """Square One's Table 1."""
    titles = {row.key.split("/")[0]: row.section for row in TABLES["square-one-1"].rows}
    for result in _results(user, grid):
        is_grid = result.cell.grid is not None and result.cell.grid.kind == Grid.Kinds.ARTIFACTS
        if not is_grid or result.section not in SIMPLE_TARGETS or result.origin != RESOURCE:
            continue
        name = result.transformation or FULL
        for column, metric in (("single", "accuracy"), ("group", "group_score")):
            yield from _of(
                result, f"{result.section}/{name}", column, metric,
                section=titles[result.section], label=name.replace("_", " "),
            )  # fmt: skip


def _zero_shot(user: User, grid: Grid | None) -> Iterator[Figure]:
    """Square One's Table 3: models without fine-tuning on the transformed questions."""
    if grid is not None:
        return
    done = evaluations_visible_to(user).filter(transformation=ZERO_SHOT, status=RunStatus.DONE)
    for run in done.select_related("reference_set", "release").order_by("pk"):
        section = _section(run.reference_set)
        if section not in SIMPLE_TARGETS or (section == RESOURCE and run.split != "dev"):
            continue
        for column, name in (("single", "accuracy"), ("group", "group_score")):
            metric = _metric(run.metrics or {}, name)
            if metric is not None:
                column, of = f"{section}_{column}", _named(run.release, run.reference_set)
                id = str(run.public_id)
                yield Figure("", column, run.system, metric, id, of, label=run.named)


def _effect_of_size(user: User, grid: Grid | None) -> Iterator[Figure]:
    """Square One's Table 4."""
    for at_size in sorted(_sizes(user, grid), key=lambda result: result.cell.n_train or 0):
        if at_size.split == "dev":
            n = at_size.cell.n_train or 0
            for column, metric in (("single", "accuracy"), ("group", "group_score")):
                yield from _of(at_size, str(n), column, metric, label=f"{n:,}")


_FIGURES: Mapping[str, Callable[[User, Grid | None], Iterator[Figure]]] = {
    "winogrande-3": _baselines,
    "winogrande-4": _training_sizes,
    "winogrande-6": _transfer,
    "winogrande-7": _gender,
    "square-one-1": _artifacts,
    "square-one-3": _zero_shot,
    "square-one-4": _effect_of_size,
}
