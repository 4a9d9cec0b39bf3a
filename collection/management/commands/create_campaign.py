from typing import Any

from django.core.management.base import CommandParser

from collection import services
from winoplatform.db.tables import TablesCommand
from winoplatform.management.runs import refusals_as_errors


class Command(TablesCommand):
    help = "Create a draft campaign with the paper's thresholds and rewards."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="short name in URLs and commands")
        parser.add_argument("--name", default="", help="display name (default: the slug)")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["slug"]
        with refusals_as_errors():
            campaign = services.create_campaign(slug=slug, name=options["name"] or slug)
        self.stdout.write(
            f"“{campaign}” is a draft. Import its articles next, then open it on its page."
        )
