from typing import Any

from django.core.management.base import BaseCommand

from validation import starter


class Command(BaseCommand):
    help = "Load the starter campaign where no campaign exists yet."

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = starter.load(progress=self.stdout.write)
        if campaign is None:
            self.stdout.write("There are campaigns already; the starter was not loaded.")
        else:
            self.stdout.write(f"“{campaign}” holds {campaign.twins.standing().count()} twins.")
