"""What the command `run` prints of artifact detections and grids."""

from collections.abc import Iterable, Iterator

from corpora.core.clues.results import Family
from evaluation.core.artifacts.results import Detected, Measure, results
from evaluation.core.key_verdicts import independent, verdict
from evaluation.models import ArtifactDetection, Grid, KeyAudit
from evaluation.selectors import GridCell, grid_cells
from evaluation.selectors.key_audits import audited_items, suspects_of
from winoplatform.figures import in_words
from winoplatform.management.runs import reports

DETECTOR = "{:<16} {:>6} {:<30} {:>7} {:>8} {:>10}"
CLUES = "{:<16} {:>6} {:>6} {:>13} {:>8} {:>10} {}"
CLUES_HEAD = (
    "kind of clues",
    "n",
    "tests",
    "right",
    "p corr.",
    "detectable",
    "farthest from chance",
)
DETECTOR_HEAD = ("detector", "n", "accuracy", "chance", "p corr.", "detectable")
CELL = "{:<24} {:>8} {:>6} {:>5} {:>4}  {:<30} {:>8}  {}"
CELL_HEAD = ("setting", "rate", "epochs", "batch", "seed", "dev", "seconds", "tests")


@reports(ArtifactDetection)
def artifact_detection(run: ArtifactDetection) -> Iterator[str]:
    """Yield the verdict, the figures of each detector, and the clues by kind."""
    assert run.result is not None
    result = results(run.result)
    counts = "{n_examined:,} of {n_items:,} items".format(**run.result)
    yield f"{run.split} · {counts} · seed {run.seed}"
    yield result.verdict
    yield DETECTOR.format(*DETECTOR_HEAD)
    yield from _detectors(result.detected)
    yield CLUES.format(*CLUES_HEAD)
    yield from (_clues(kind) for kind in result.clues if kind.n_tests)
    for name, reason in result.not_run.items():
        yield f"{name:<16} not run: {reason}"


def _detectors(detected: Iterable[Detected]) -> Iterator[str]:
    scorer = ""
    for each in detected:
        if each.scorer != scorer:
            scorer = each.scorer
            yield scorer
        yield from _rows(each)


def _rows(artifact: Detected) -> list[str]:
    rows = [_row(artifact.name, artifact.single, "leak" if artifact.single.leaks else "")]
    if artifact.group is not None:
        rows.append(_row("  groups", artifact.group, "leak" if artifact.group.leaks else ""))
    return rows


def _clues(kind: Family) -> str:
    first = (*kind.found, *kind.nearest)[0]
    share = kind.detectable[0]
    return CLUES.format(
        kind.name,
        f"{kind.n:,}",
        f"{kind.n_tests:,}",
        f"{first.right:,} / {first.throws:,}",
        f"{first.p_corrected:.2g}",
        "–" if share is None else f"{100 * share:.1f}",
        f"{first.clue}{' clue' if kind.found else ''}",
    )


def _row(name: str, measure: Measure, text: str) -> str:
    estimate = measure.estimate
    ends = "" if estimate.low is None else f"  {estimate.low:.1%} – {estimate.high:.1%}"
    points = "–" if measure.detectable is None else f"{100 * measure.detectable:.1f}"
    p = f"{measure.p_corrected:.3f}"
    row = DETECTOR.format(
        name, f"{estimate.n:,}", f"{estimate.value:.1%}{ends}", f"{measure.chance:.1%}", p, points
    )
    return f"{row} {text}"


@reports(KeyAudit)
def key_audit(run: KeyAudit) -> Iterator[str]:
    """Yield the verdict, and each suspected key with its question."""
    assert run.result is not None
    systems = run.result["systems"]
    yield (
        f"{run.split} · {run.done:,} questions · {len(systems):,} evaluations, worth "
        f"{independent(run.result):.1f} independent ones · share of wrong keys about "
        f"{run.result['share']:.1%}"
    )
    yield verdict(run.result)
    items = {item.id: item for item in audited_items(run)}
    for key in suspects_of(run):
        item = items[key.source_id]
        name = item.options[(item.answer or 1) - 1]
        yield f"{key.probability:.3f}  {item.id}  {item.sentence}  key: {name}"


@reports(Grid)
def grid(run: Grid) -> Iterator[str]:
    """Yield the cells of a grid, the best of each setting, and why it stopped."""
    yield CELL.format(*CELL_HEAD)
    for row in grid_cells(run):
        yield _line(row, is_best=row.cell == run.best)
    result = run.result or {}
    for setting, choice in result["settings"].items():
        if "value" in choice:
            of = f"best of {choice['n_cells']} cells, {choice['n_settings']} settings"
            yield f"{setting or result['rule']}: {choice['value']:.1%} on dev ({of})"
    if result["stopped"]:
        yield f"Stopped: {result['stopped']}"


def _line(row: GridCell, *, is_best: bool) -> str:
    cell = row.cell
    tests = "; ".join(
        f"{target} {in_words((run.metrics or {})['accuracy'])}" for target, run in row.tests.items()
    )
    name = f"{cell.setting or cell.status}{' *' if is_best else ''}"
    dev = in_words(row.dev["accuracy"]) if row.dev else cell.status
    how = (f"{cell.learning_rate:g}", cell.epochs, cell.batch_size, cell.seed)
    return CELL.format(name, *how, dev, f"{row.seconds:.0f}", tests)
