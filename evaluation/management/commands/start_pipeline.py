from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from collection.models import Campaign
from evaluation import services
from winoplatform.errors import DomainError


class Command(BaseCommand):
    help = "Queue snapshot → encoding → AFLite → release → evaluation of a campaign."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument("release", help="name of the release to build")
        parser.add_argument(
            "--once",
            action="store_true",
            help="do nothing where the campaign is absent or has a snapshot",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if options["once"] and (campaign is None or campaign.snapshots.exists()):
            return
        if campaign is None:
            raise CommandError(f"There is no campaign “{options['campaign']}”.")
        try:
            pipeline = services.start_pipeline(
                campaign=campaign, release_name=options["release"], by=None
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"Queued {len(pipeline.runs)} runs; workers carry them out.")
