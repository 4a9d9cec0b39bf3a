from typing import Any

from validation import starter
from winoplatform.tables import TablesCommand


class Command(TablesCommand):
    help = "Load the starter campaign where no campaign exists yet."

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = starter.load(progress=self.stdout.write)
        if campaign is None:
            self.stdout.write("There are campaigns already; the starter was not loaded.")
        else:
            self.stdout.write(f"“{campaign}” holds {campaign.twins.standing().count()} twins.")
