from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from collection import services
from winoplatform.db.tables import TablesCommand


class Command(TablesCommand):
    help = "Create a draft campaign with the paper's thresholds and rewards."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="short name in URLs and commands")
        parser.add_argument("--name", default="", help="display name (default: the slug)")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["slug"]
        try:
            campaign = services.create_campaign(slug=slug, name=options["name"] or slug)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(
            f"“{campaign}” is a draft. Import its articles next, then open it on its page."
        )
