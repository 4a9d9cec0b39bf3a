import json
from typing import Any

from django.core.management.base import CommandParser
from django.utils.module_loading import autodiscover_modules

from winoplatform.api.runs import RUN_FIELDS
from winoplatform.db.tables import TablesCommand
from winoplatform.management.arguments import add_form, checked
from winoplatform.management.runs import execute, kinds_by_name, refusals_as_errors, report_of


class Command(TablesCommand):
    help = "Start a run of any kind, execute it in this process without a server, and print it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queue-only",
            action="store_true",
            help="Store the run for workers or the command `shard`, and print its id.",
        )
        self.kinds = kinds_by_name()
        kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
        for kind, resource in sorted(self.kinds.items()):
            about = resource.creates.replace("%", "%%")
            add_form(kinds.add_parser(kind, help=about, description=about), resource.form)

    def handle(self, *args: Any, **options: Any) -> None:
        resource = self.kinds[options["kind"]]
        data = checked(resource.form, options)
        with refusals_as_errors():
            run = resource.start(by=None, **data)
        if options["queue_only"]:
            self.stdout.write(str(run.public_id))
            return
        execute(run)
        run.refresh_from_db()
        autodiscover_modules("management.reports")
        for line in report_of(run) or _lines((resource.detail or resource.serializer)(run).data):
            self.stdout.write(line.rstrip())
        self.stdout.write(f"{run.run_seconds:.1f} s, {run._meta.verbose_name} {run.public_id}")


def _lines(facts: dict[str, Any]) -> list[str]:
    """Return what the API shows of a run, beside its progress, as lines."""
    return [
        f"{name}: {value if isinstance(value, str) else json.dumps(value, default=str)}"
        for name, value in facts.items()
        if name not in RUN_FIELDS and value is not None
    ]
