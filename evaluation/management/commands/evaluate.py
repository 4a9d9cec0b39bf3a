from typing import Any

from django.core.management.base import CommandParser

from corpora.management.data import DATA_HELP, data_named
from evaluation import services
from evaluation.core.paper_tables import Cell, FilledTable, Measured
from evaluation.methods import METHODS, STATEMENTS, Method
from evaluation.models import Evaluation
from evaluation.selectors import knowledge_tables, reason_table
from knowledge.core.published import TABLE_6
from knowledge.models import KnowledgeRelease, Reason
from modeling.loaded import DTYPES
from winoplatform.management.runs import execute, refusals_as_errors
from winoplatform.tables import TablesCommand
from workers.models import User

FIRST = ("accuracy", "group_score")


class Command(TablesCommand):
    help = "Score a method on a set in this process, without a server, and print its figures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "data", help=f"{DATA_HELP}, or name of a knowledge release or of reasons"
        )
        variants = "; ".join(
            f"{name}: {', '.join(method.variants)}"
            for name, method in METHODS.items()
            if method.variants
        )
        names = sorted(name for name, method in METHODS.items() if _is_whole(method))
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
        classifier = parser.add_argument_group("of a classifier of statements")
        classifier.add_argument(
            "--trained-on", default="", help="reasons it learns from; default: winowhy"
        )
        classifier.add_argument(
            "--seeds", type=int, nargs="*", default=[], help="default: the paper's"
        )
        classifier.add_argument(
            "--whole",
            dest="is_frozen",
            action="store_false",
            help="train the encoder as well, not only the layer",
        )
        classifier.add_argument(
            "--rates-of", default="", choices=["", *TABLE_6], help="a model of the paper's Table 6"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        asked = (
            "method", "variant", "model", "split", "dtype", "transformation", "seed",
            "confirm_remote", "trained_on", "seeds", "is_frozen", "rates_of",
        )  # fmt: skip
        data = _data(options["data"])
        with refusals_as_errors():
            run = services.evaluate(by=None, **data, **{name: options[name] for name in asked})
        execute(run)
        self._report(run, options["data"])

    def _report(self, run: Evaluation, data: str) -> None:
        about = " ".join(filter(None, [data, run.split, run.transformation]))
        self.stdout.write(f"{run.system} · {about}")
        if run.warning:
            self.stdout.write(f"Warning: {run.warning}")
        if run.is_of_statements:
            self._tables(run)
        else:
            self._metrics(run)
        self.stdout.write(f"{run.run_seconds:.1f} s, evaluation {run.public_id}")

    def _metrics(self, run: Evaluation) -> None:
        metrics = run.metrics or {}
        names = metrics.keys() - {"below_chance"}  # the warning says it
        for name in sorted(names, key=lambda name: (name not in FIRST, name)):
            self.stdout.write(f"{name.replace('_', ' '):<12} {_figure(metrics[name])}")
        for reason, n in (run.dropped or {}).items():
            self.stdout.write(f"{'dropped':<12} {n} ({reason})")

    def _tables(self, run: Evaluation) -> None:
        curator, of = User(role=User.Role.CURATOR), run.knowledge_release
        tables = (
            [reason_table(curator, run.reasons)] if of is None else knowledge_tables(curator, of)
        )
        for filled in tables:
            self._table(filled, run)

    def _table(self, filled: FilledTable, run: Evaluation) -> None:
        """Print the lines of a table that have figures of this run."""
        table = filled.table
        lines = [
            one
            for one in filled.lines
            if str(run.public_id) in one.evaluations or (one.model and not one.evaluations)
        ]
        if not lines:
            return
        self.stdout.write(f"\n{table.title}")
        for note in table.notes:
            self.stdout.write(f"  {note}")
        for line in lines:
            self.stdout.write(" · ".join(filter(None, [line.label, line.model])))
            for cell in line.cells:
                if cell.measured is not None and cell.measured.value is not None:
                    self.stdout.write(f"  {cell.column.title:<28} {_cell(cell)}")


def _is_whole(method: Method) -> bool:
    """Whether the method can be asked for without naming members or a file."""
    return method.is_requested_by_name or method.about == (STATEMENTS,)


def _data(name: str) -> dict[str, Any]:
    has_reasons = Reason.objects.filter(collection=name).exists()
    return data_named(
        name,
        knowledge_release=KnowledgeRelease.objects.live().filter(name=name).first(),
        reasons=name if has_reasons else None,
    )


def _figure(found: dict[str, Any]) -> str:
    if found["value"] is None:
        return "none (no groups)"
    if found["low"] is None:
        return f"{found['value']:6.1%}"
    return f"{found['value']:6.1%}  {found['low']:.1%} – {found['high']:.1%}  n = {found['n']:,}"


def _cell(cell: Cell) -> str:
    found = cell.measured or Measured()
    text = f"{found.value:6.1%}"
    if found.low is not None and found.high is not None:
        text += f"  {found.low:.1%} – {found.high:.1%}"
    if found.sd is not None:
        text += f"  ± {100 * found.sd:.1f}"
    text += f"  n = {found.n:,}"
    return text + (f"  (published {cell.published.text} %)" if cell.published else "")
