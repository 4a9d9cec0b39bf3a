from typing import Any

from django.core.management.base import CommandError, CommandParser

from collection.models import Campaign
from evaluation import services
from winoplatform.db.tables import TablesCommand
from winoplatform.management.runs import refusals_as_errors


class Command(TablesCommand):
    help = "Queue snapshot → encoding → AFLite → release → evaluation of a campaign."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument("release", help="name of the release to build")
        parser.add_argument(
            "--without-repeats",
            action="store_true",
            help="leave out twins that repeat a question of another twin",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign “{options['campaign']}”.")
        with refusals_as_errors():
            pipeline = services.start_pipeline(
                campaign=campaign,
                release_name=options["release"],
                by=None,
                without_repeats=options["without_repeats"],
            )
        self.stdout.write(f"Queued {len(pipeline.runs)} runs; workers execute them.")
