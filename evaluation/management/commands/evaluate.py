from typing import Any

from django.core.management.base import CommandParser

from corpora.management.data import DATA_HELP, data_named
from evaluation import services
from evaluation.core.published_tables import Cell, FilledTable, Measured
from evaluation.models import Evaluation
from evaluation.selectors import knowledge_tables, reason_table
from knowledge.models import KnowledgeRelease, Reason
from winoplatform.api.runs import resource_of
from winoplatform.db.tables import TablesCommand
from winoplatform.figures import in_words
from winoplatform.management.arguments import add_form, checked
from winoplatform.management.runs import execute, refusals_as_errors
from workers.models import User

FIRST = ("accuracy", "group_score")


class Command(TablesCommand):
    help = "Score a method on a set in this process, without a server, and print its figures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "data", help=f"{DATA_HELP}, or name of a knowledge release or of reasons"
        )
        form: Any = resource_of(Evaluation).form
        add_form(parser, form, without=form.SETS)

    def handle(self, *args: Any, **options: Any) -> None:
        data = checked(resource_of(Evaluation).form, options, **_data(options["data"]))
        with refusals_as_errors():
            run = services.evaluate(by=None, **data)
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
            self.stdout.write(f"{name.replace('_', ' '):<12} {in_words(metrics[name])}")
        for reason, n in (run.dropped or {}).items():
            self.stdout.write(f"{'dropped':<12} {n} ({reason})")

    def _tables(self, run: Evaluation) -> None:
        admin, of = User(role=User.Role.ADMIN, is_superuser=True), run.knowledge_release
        tables = [reason_table(admin, run.reasons)] if of is None else knowledge_tables(admin, of)
        for filled in tables:
            self._table(filled, run)

    def _table(self, filled: FilledTable, run: Evaluation) -> None:
        """Print the lines of a table that have figures of this run."""
        table = filled.table
        lines = [
            row
            for row in filled.lines
            if str(run.public_id) in row.evaluations or (row.model and not row.evaluations)
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


def _data(name: str) -> dict[str, Any]:
    has_reasons = Reason.objects.filter(collection=name).exists()
    data = data_named(
        name,
        knowledge_release=KnowledgeRelease.objects.live().filter(name=name).first(),
        reasons=name if has_reasons else None,
    )
    by_name = ("reference_set", "reasons")
    return {kind: name if kind in by_name else str(row.public_id) for kind, row in data.items()}


def _cell(cell: Cell) -> str:
    measured = cell.measured or Measured()
    spread = f" ± {100 * measured.sd:.1f}" if measured.sd is not None else ""
    printed = f" (published {cell.published.text} %)" if cell.published else ""
    return f"{in_words(measured)}{spread}{printed}"
