from typing import Any

from django.core.management.base import CommandParser

from corpora.management.data import DATA_HELP, data_named
from evaluation import services
from evaluation.methods import METHODS
from evaluation.models import Evaluation
from modeling.loaded import DTYPES
from winoplatform.management.runs import execute, refusals_as_errors
from winoplatform.tables import TablesCommand

FIRST = ("accuracy", "group_score")


class Command(TablesCommand):
    help = "Score a method on a set in this process, without a server, and print its figures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("data", help=DATA_HELP)
        variants = "; ".join(
            f"{name}: {', '.join(method.variants)}"
            for name, method in METHODS.items()
            if method.variants
        )
        names = sorted(name for name, method in METHODS.items() if method.is_requested_by_name)
        parser.add_argument("--method", required=True, choices=names)
        parser.add_argument("--variant", default="", help=f"the first one if omitted; {variants}")
        parser.add_argument("--model", default="", help="for a language model, e.g. roberta-large")
        parser.add_argument("--split", default="", help="the usual one if omitted")
        parser.add_argument("--dtype", default=DTYPES[0], choices=DTYPES)
        parser.add_argument("--transformation", default="", help="applied to the questions first")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--confirm-remote",
            action="store_true",
            help="send blind questions to the server of the method “remote”",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        asked = (
            "method", "variant", "model", "split", "dtype", "transformation", "seed",
            "confirm_remote",
        )  # fmt: skip
        with refusals_as_errors():
            run = services.evaluate(
                by=None, **data_named(options["data"]), **{name: options[name] for name in asked}
            )
        execute(run)
        self._report(run, options["data"])

    def _report(self, run: Evaluation, data: str) -> None:
        about = " ".join(filter(None, [data, run.split, run.transformation]))
        self.stdout.write(f"{run.system} · {about}")
        if run.warning:
            self.stdout.write(f"Warning: {run.warning}")
        metrics = run.metrics or {}
        names = metrics.keys() - {"below_chance"}  # the warning says it
        for name in sorted(names, key=lambda name: (name not in FIRST, name)):
            self.stdout.write(f"{name.replace('_', ' '):<12} {_figure(metrics[name])}")
        for reason, n in (run.dropped or {}).items():
            self.stdout.write(f"{'dropped':<12} {n} ({reason})")
        self.stdout.write(f"{run.run_seconds:.1f} s, evaluation {run.public_id}")


def _figure(found: dict[str, Any]) -> str:
    if found["value"] is None:
        return "none (no groups)"
    if found["low"] is None:
        return f"{found['value']:6.1%}"
    return f"{found['value']:6.1%}  {found['low']:.1%} – {found['high']:.1%}  n = {found['n']:,}"
