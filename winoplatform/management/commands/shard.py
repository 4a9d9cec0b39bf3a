from typing import Any

from django.core.management.base import CommandError, CommandParser

from winoplatform.db.tables import TablesCommand
from winoplatform.ids import as_uuid
from winoplatform.management.arguments import add_share, given_share
from winoplatform.management.runs import kinds_by_name, refusals_as_errors, refuse_undone
from winoplatform.runs.shards import execute_together


class Command(TablesCommand):
    help = (
        "Execute a run together with other processes of this command, on any machines that reach "
        "the database and the artifact store. Ends when the run has ended."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=sorted(kinds_by_name()), metavar="KIND")
        parser.add_argument("id", metavar="ID", help="As `run --queue-only KIND` prints it.")
        add_share(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        share = given_share(options)
        rows = kinds_by_name()[options["kind"]].rows
        run = rows.filter(public_id=as_uuid(options["id"])).first()
        if run is None:
            raise CommandError(f"There is no {options['kind']} {options['id']}.")
        with refusals_as_errors():
            execute_together(run, share)
        refuse_undone(run)
        self.stdout.write(f"{run} is done: {run.done} of {run.total}.")
