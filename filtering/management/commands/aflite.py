import time
from collections.abc import Hashable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser
from numpy.typing import NDArray

from collection.core.repeats import Repeats
from filtering.core.aflite import AFLite
from filtering.core.engines.products import pick_device
from filtering.core.one_half import Comparison, Direction
from filtering.core.parameters import CHOICES
from filtering.core.phases import Phase, PhaseDone
from filtering.core.probes import whole
from filtering.core.table import Table
from filtering.management.commands import _matrices as matrices
from filtering.models import AFLITE_SETTINGS, FilterRun
from winoplatform.management.arguments import add_setting

OF_RUNS = [name for name in AFLITE_SETTINGS if name not in CHOICES]
PROGRESS_SECONDS = 10


class Command(BaseCommand):
    help = (
        "Filter a matrix of features with AFLite, without a database, "
        "and write the rows kept, one per line."
    )
    requires_system_checks: list[str] = []  # type: ignore[assignment]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("X", type=Path, help="features: a .npy file, one row per question")
        parser.add_argument("y", type=Path, help="labels: text, one per line, or a .npy file")
        parser.add_argument("--out", type=Path, required=True, help="output file: the rows kept")
        parser.add_argument(
            "--ids", type=Path, help="ids, one per line; default: row numbers from 0"
        )
        parser.add_argument("--groups", type=Path, help="groups (twins), one per line")
        parser.add_argument(
            "--checkpoint",
            type=Path,
            metavar="FILE",
            help="file for the phases done: the same command resumes from it after an interruption",
        )
        defaults = AFLite().get_params()
        for name in OF_RUNS:
            add_setting(parser, FilterRun, name, default=defaults[name])
        parser.add_argument("--max_iter", type=int, default=defaults["max_iter"])
        for name, allowed in CHOICES.items():
            parser.add_argument(f"--{name}", choices=allowed, default=defaults[name])

    def handle(self, *args: Any, **options: Any) -> None:
        files = {name: options[name] for name in ("X", "y", "ids", "groups")}
        outputs = {name: options[name] for name in ("out", "checkpoint")}
        matrices.check_outputs(outputs, files.values())
        X = matrices.load_features(options["X"])  # noqa: N806
        y = matrices.load_column(options["y"], n_rows=len(X), what="label")
        ids, groups = (self._column(options, what, n_rows=len(X)) for what in ("id", "group"))
        if len(np.unique(y)) < 2:
            raise CommandError(f"{options['y']} holds labels of one class only.")
        settings = {name: options[name] for name in (*OF_RUNS, "max_iter", *CHOICES)}
        settings["device"] = _device(options["device"])
        of = matrices.fingerprint(files, settings) if options["checkpoint"] else ""
        checkpoint = matrices.Checkpoint(options["checkpoint"], of=of, n_rows=len(X))
        try:
            self._run(AFLite(**settings), X, y, ids, groups, checkpoint)
        except ValueError as error:
            raise CommandError(str(error).splitlines()[0]) from error
        names = np.arange(len(X)) if ids is None else ids
        lines = "".join(f"{name}\n" for name in names[checkpoint.removed_in == 0])
        matrices.write_whole(options["out"], lambda file: file.write(lines.encode()))
        stays = checkpoint.removed_in == 0
        self.stderr.write(f"{int(stays.sum())} of {len(X)} rows kept: {options['out']}")
        self.stderr.write(_repeats(matrices.repeats(X, y, stays)))

    def _column(self, options: dict[str, Any], what: str, *, n_rows: int) -> NDArray[Any] | None:
        path = options[f"{what}s"]
        return None if path is None else matrices.load_column(path, n_rows=n_rows, what=what)

    def _run(
        self,
        estimator: AFLite,
        X: NDArray[Any],  # noqa: N803
        y: NDArray[Any],
        ids: NDArray[Any] | None,
        groups: NDArray[Any] | None,
        checkpoint: matrices.Checkpoint,
    ) -> None:
        if checkpoint.n_done:
            self.stderr.write(f"Resuming after phase {checkpoint.n_done}.")
        table = estimator.checked_table(X, y, groups, ids)
        side = partial(self._side, table, estimator.device)
        loop = estimator.phase_loop(table, self._pulse, side)
        self._started = self._spoken = time.monotonic()
        for phase in loop.phases(_done(checkpoint, ids)):
            checkpoint.add(phase.removed, phase.stop_reason)
            self.stderr.write(self._line(phase))
            self._started = self._spoken = time.monotonic()

    def _side(self, table: Table, device: str) -> Direction | None:
        """Compare fresh models with one half, and say what would have been found."""
        figures = whole(table, device=device, progress=self._pulse).grouped
        if figures.detectable is not None:
            self.stderr.write(_compared(figures))
        return figures.direction

    def _pulse(self, done: int, n: int) -> None:
        """Report progress in a long phase."""
        if time.monotonic() - self._spoken > PROGRESS_SECONDS:
            self._spoken = time.monotonic()
            self.stderr.write(f"  {done} of {n} classifiers")

    def _line(self, phase: Phase) -> str:
        seconds = time.monotonic() - self._started
        looks = [f"{look.accuracy:.4f}" for look in phase.looks[:: max(1, len(phase.looks) - 1)]]
        fresh = f", fresh models {' to '.join(looks)}" if looks else ""
        end = f", {phase.stop_reason.replace('_', ' ')}" if phase.stop_reason else ""
        return (
            f"phase {phase.number}: {phase.n_before} rows, accuracy {phase.accuracy:.4f}, "
            f"{phase.eligible} eligible, {phase.n_removed} removed{fresh}, {seconds:.1f} s{end}"
        )


def _compared(pair: Comparison) -> str:
    low, high = pair.accuracy.low, pair.accuracy.high
    text = f"fresh models answer {pair.accuracy.value:.1%} correctly ({low:.1%} to {high:.1%})"
    if pair.direction != "none":
        return f"{text}, {pair.direction} one half"
    return (
        f"{text}, neither above nor below one half; {pair.detectable:.1%} would have been found "
        "with a probability of 80%"
    )


def _repeats(repeats: Repeats) -> str:
    if not repeats.repeated:
        return "No row kept has the features of another one."
    return (
        f"{repeats.repeated:,} rows kept have the features of another one, {repeats.same_answer:,} "
        f"with its label and {repeats.other_answer:,} with another: a nearest neighbour answers "
        "these, which AFLite does not see."
    )


def _device(name: str) -> str:
    """Resolve 'auto', because a checkpoint is only valid on the same kind of device."""
    try:
        return pick_device(name).type
    except ValueError as error:
        raise CommandError(str(error)) from error


def _done(checkpoint: matrices.Checkpoint, ids: NDArray[Any] | None) -> list[PhaseDone]:
    """Return the phases in the checkpoint."""

    def removed(number: int) -> Iterator[Hashable]:
        rows = np.flatnonzero(checkpoint.removed_in == number)
        return iter((rows if ids is None else ids[rows]).tolist())

    phases = [PhaseDone(list(removed(number))) for number in range(1, checkpoint.n_done + 1)]
    return phases[:-1] + [phase._replace(stop_reason=checkpoint.ended) for phase in phases[-1:]]
