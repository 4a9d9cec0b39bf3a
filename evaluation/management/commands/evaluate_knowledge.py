from typing import Any

from django.core.management.base import CommandError, CommandParser

from evaluation import services
from evaluation.core.paper_tables import Cell, Measured, table_lines
from evaluation.models import KnowledgeEvaluation
from evaluation.selectors import FilledTable, knowledge_tables, reason_table
from knowledge.core.published import TABLE_6
from knowledge.models import KnowledgeRelease, Reason
from modeling.loaded import DTYPES
from winoplatform.management.runs import execute, refusals_as_errors
from winoplatform.tables import TablesCommand
from workers.models import User

METHODS = [name for name in KnowledgeEvaluation.Method.values if name != "majority"]


class Command(TablesCommand):
    help = "Test a model on a knowledge release or on reasons in this process; print its figures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "data", help="name of a knowledge release, or of a collection of reasons"
        )
        parser.add_argument("--method", required=True, choices=METHODS)
        parser.add_argument("--model", required=True, help="a spec, e.g. roberta-large")
        parser.add_argument("--dtype", default=DTYPES[0], choices=DTYPES)
        parser.add_argument(
            "--trained-on", default="", help="reasons a classifier learns from; default: winowhy"
        )
        parser.add_argument(
            "--seeds", type=int, nargs="*", default=[], help="of a classifier; default: the paper's"
        )
        parser.add_argument(
            "--whole", action="store_true", help="train the encoder as well, not only the layer"
        )
        parser.add_argument(
            "--rates-of", default="", choices=["", *TABLE_6], help="a model of the paper's Table 6"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        asked = ("method", "model", "dtype", "trained_on", "seeds", "rates_of")
        data = _data(options["data"])
        with refusals_as_errors():
            run = services.evaluate_knowledge(
                by=None,
                is_frozen=not options["whole"],
                **data,
                **{name: options[name] for name in asked},
            )
        execute(run)
        self._report(run)

    def _report(self, run: KnowledgeEvaluation) -> None:
        if run.warning:
            self.stdout.write(f"Warning: {run.warning}")
        curator = User(role=User.Role.CURATOR)
        tables = (
            [reason_table(curator, run.reasons)]
            if run.release is None
            else knowledge_tables(curator, run.release)
        )
        for filled in tables:
            self._table(filled, run)
        self.stdout.write(f"{run.run_seconds:.1f} s, knowledge evaluation {run.public_id}")

    def _table(self, filled: FilledTable, run: KnowledgeEvaluation) -> None:
        """Print the lines of a table that have figures of this run."""
        table = filled.table
        lines = [
            one
            for one in table_lines(table, filled.own)
            if str(run.public_id) in one.evaluations or (one.model and not one.evaluations)
        ]
        if not lines:
            return
        self.stdout.write(f"\n{table.title}")
        for note in table.notes:
            self.stdout.write(f"  {note}")
        for line in lines:
            self.stdout.write(" · ".join(filter(None, [line.label, line.model])))
            for column, cell in zip(table.columns, line.cells, strict=True):
                if cell.measured is not None and cell.measured.value is not None:
                    self.stdout.write(f"  {column.title:<28} {_figure(cell)}")


def _data(name: str) -> dict[str, Any]:
    release = KnowledgeRelease.objects.live().filter(name=name).first()
    reasons = Reason.objects.filter(collection=name).exists()
    if (release is None) == (not reasons):
        raise CommandError(
            f"There is no knowledge release and no collection of reasons “{name}”, or one of each."
        )
    return {"reasons": name} if release is None else {"release": release}


def _figure(cell: Cell) -> str:
    found = cell.measured or Measured(None)
    text = f"{found.value:6.1%}"
    if found.low is not None and found.high is not None:
        text += f"  {found.low:.1%} – {found.high:.1%}"
    if found.sd is not None:
        text += f"  ± {100 * found.sd:.1f}"
    text += f"  n = {found.n:,}"
    return text + (f"  (published {cell.published.text} %)" if cell.published else "")
