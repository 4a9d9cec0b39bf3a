from typing import Any

from django.core.management.base import CommandError, CommandParser

from corpora.models import Release
from publishing import services
from publishing.models import Publication
from winoplatform.db.tables import TablesCommand
from winoplatform.management.runs import execute, refusals_as_errors


class Command(TablesCommand):
    help = (
        "Send a copy of a public release to the Hugging Face Hub or to Zenodo. Run it again after "
        "a break: what was sent is not sent again. Tokens are read from the settings."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name of the release")
        parser.add_argument("--to", required=True, help="hub:organisation/name, or zenodo")
        parser.add_argument(
            "--dry-run", action="store_true", help="print what would be sent, and send nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        release = Release.objects.named(options["name"])
        if release is None:
            raise CommandError(f"There is no release “{options['name']}”.")
        with refusals_as_errors():
            plan = services.plan_publication(release=release, to=options["to"])
        if options["dry_run"]:
            self.tell_plan(plan)
        elif plan.nothing_to_send:
            self.tell(Publication.objects.get(pk=self.start(release, plan.to).pk))
            self.stdout.write("Nothing was sent: the copy stands there already.")
        else:
            run = self.start(release, plan.to)
            execute(run)
            run.refresh_from_db()
            self.tell(run)

    def start(self, release: Release, to: str) -> Publication:
        with refusals_as_errors():
            return services.publish_release(release=release, to=to, by=None)

    def tell_plan(self, plan: Any) -> None:
        self.stdout.write(f"To {plan.to} at {plan.address}, {plan.visibility}.")
        for file in plan.files:
            note = "" if file["is_new"] else "  (not sent again)"
            self.stdout.write(f"{file['sha256']}  {file['size']:>12,}  {file['name']}{note}")
        new = sum(file["is_new"] for file in plan.files)
        self.stdout.write(
            f"{new} of {len(plan.files)} files, {plan.size:,} bytes. Nothing was sent."
        )

    def tell(self, run: Publication) -> None:
        self.stdout.write(f"{run.address} ({run.visibility}), revision {run.revision}")
        if run.doi:
            self.stdout.write(f"DOI {run.doi}")
