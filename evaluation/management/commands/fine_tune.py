from typing import Any

from django.core.management.base import CommandError, CommandParser

from corpora.management.data import data_named
from evaluation import services
from evaluation.models import FineTuning, Grid
from evaluation.selectors import GridCell, grid_cells
from evaluation.services import Plan, SplitOf
from training.core.presets import PRESETS
from training.core.transfer import SETTINGS
from winoplatform.ids import as_uuid
from winoplatform.management.runs import execute, refusals_as_errors
from winoplatform.tables import TablesCommand

HOW = ("form", "loss", "dtype", "most_seconds", "patience", "preset")
SET_HELP = "name of a reference set or of a release"
ROW = "{:<24} {:>8} {:>6} {:>5} {:>4}  {:<30} {:>8}  {}"


class Command(TablesCommand):
    help = "Fine-tune a model in this process, without a server: a grid with one or more cells."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("data", help=SET_HELP)
        parser.add_argument("--model", required=True, help="the encoder, e.g. roberta-large")
        _add_questions(parser)
        _add_settings(parser)
        parser.add_argument("--most-seconds", type=float, help="stop at this cost")
        parser.add_argument("--patience", type=int, help="stop after so many cells without a gain")
        parser.add_argument(
            "--cost", action="store_true", help="print the estimated cost; start nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_errors():
            asked = self._asked(options)
            plan = services.plan(by=None, **asked)
        self._cost(plan)
        if options["cost"]:
            return
        with refusals_as_errors():
            grid = services.start_grid(plan, by=None)
        execute(grid)
        grid.refresh_from_db()
        self._report(grid)

    def _asked(self, options: dict[str, Any]) -> dict[str, Any]:
        data = _set_named(options["data"])
        asked: dict[str, Any] = {
            "kind": options["kind"],
            "model": options["model"],
            "train": SplitOf(options["split"], **data),
            "targets": [_split_named(text) for text in options["target"]],
            "sizes": options["size"],
            "settings": options["setting"],
            **{name: options[name] for name in HOW},
        }
        if options["dev"]:
            asked["dev"] = _split_named(options["dev"], usual=data)
        for name in ("like", "before"):
            if options[name]:
                asked[name] = _fine_tuning(options[name])
        return asked

    def _cost(self, plan: Plan) -> None:
        cost = plan.cost
        self.stdout.write(f"{cost.n_cells} cells, {plan.grid.preset}, {plan.grid.model}")
        if cost.passes is not None:
            self.stdout.write(f"{cost.passes:,} questions x epochs")
        if cost.seconds is None:
            self.stdout.write("The time is not known yet: nothing like it was trained here.")
        else:
            self.stdout.write(f"About {cost.seconds:,.0f} s on one worker.")
        for target in plan.left_out:
            self.stdout.write(f"Not imported, so not scored: {target}")

    def _report(self, grid: Grid) -> None:
        head = ("setting", "rate", "epochs", "batch", "seed", "dev", "seconds", "tests")
        self.stdout.write(ROW.format(*head).rstrip())
        for row in grid_cells(grid):
            self.stdout.write(_line(row, is_best=row.cell == grid.best).rstrip())
        result = grid.result or {}
        for setting, found in result["settings"].items():
            if "value" in found:
                of = f"best of {found['n_cells']} cells, {found['n_settings']} settings"
                self.stdout.write(
                    f"{setting or result['rule']}: {found['value']:.1%} on dev ({of})"
                )
        if result["stopped"]:
            self.stdout.write(f"Stopped: {result['stopped']}")
        self.stdout.write(f"{grid.run_seconds:.1f} s, grid {grid.public_id}")


def _line(row: GridCell, *, is_best: bool) -> str:
    cell = row.cell
    tests = "; ".join(
        f"{target} {_figure((run.metrics or {})['accuracy'])}" for target, run in row.tests.items()
    )
    name = f"{cell.setting or cell.status}{' *' if is_best else ''}"
    dev = _figure(row.dev["accuracy"]) if row.dev else cell.status
    how = (f"{cell.learning_rate:g}", cell.epochs, cell.batch_size, cell.seed)
    return ROW.format(name, *how, dev, f"{row.seconds:.0f}", tests)


def _figure(found: Any) -> str:
    if found["low"] is None:
        return f"{found['value']:.1%} (n = {found['n']:,})"
    return f"{found['value']:.1%} ({found['low']:.1%}–{found['high']:.1%}, n = {found['n']:,})"


def _set_named(name: str) -> dict[str, Any]:
    found = data_named(name)
    if "snapshot" in found:
        raise CommandError("A snapshot has blind questions, so no model is trained on it.")
    return found


def _split_named(text: str, *, usual: dict[str, Any] | None = None) -> SplitOf:
    name, _, split = text.rpartition("/")
    if not name and usual is None:
        raise CommandError(f"Name a set and its split as SET/SPLIT, not “{text}”.")
    return SplitOf(split, **(_set_named(name) if name else usual or {}))


def _fine_tuning(id: str) -> FineTuning:
    found = FineTuning.objects.filter(public_id=id).first() if as_uuid(id) else None
    if found is None:
        raise CommandError(f"There is no fine-tuning “{id}”.")
    return found


def _add_questions(parser: CommandParser) -> None:
    """Add what is trained on, chosen by and scored."""
    parser.add_argument("--split", default="train", help="to train on; several are joined by +")
    parser.add_argument(
        "--dev", default="", metavar="[SET/]SPLIT", help="to choose by; the set's dev if omitted"
    )
    parser.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="SET/SPLIT",
        help="to score the models on; may be repeated",
    )


def _add_settings(parser: CommandParser) -> None:
    """Add what the cells are, and how each is trained."""
    parser.add_argument("--kind", default="grid", choices=Grid.Kinds.values)
    presets = "; ".join(f"{name}: {preset.title}" for name, preset in PRESETS.items())
    parser.add_argument("--preset", default="", choices=["", *PRESETS], help=presets)
    parser.add_argument("--size", action="append", default=[], help="of a learning curve")
    parser.add_argument(
        "--setting", action="append", default=[], choices=list(SETTINGS), help="of a transfer"
    )
    parser.add_argument("--like", default="", help="id of a fine-tuning whose settings to use")
    parser.add_argument("--before", default="", help="id of a fine-tuning to start from")
    parser.add_argument("--form", default="authors", choices=FineTuning.Forms.values)
    parser.add_argument("--loss", default="multiple_choice", choices=FineTuning.Losses.values)
    parser.add_argument("--dtype", default="float32", choices=FineTuning.Dtypes.values)
