from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from collection.models import Campaign
from validation.exports.campaigns import write_campaign
from winoplatform.api.parsing import JSONL, MEDIA_TYPES
from winoplatform.db.tables import TablesCommand
from winoplatform.management.arguments import add_share, given_share


class Command(TablesCommand):
    help = (
        "Write a campaign's tables, with pseudonyms, all answers and splits, to a "
        "folder; import_export reads it. Of several processes each writes some of the tables."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument("folder", type=Path, help="folder to write")
        parser.add_argument("--format", choices=sorted(MEDIA_TYPES), default=JSONL)
        add_share(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign “{options['campaign']}”.")
        share = given_share(options)
        for path in write_campaign(campaign, options["format"], options["folder"], share):
            self.stdout.write(str(path))
