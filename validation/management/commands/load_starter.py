from typing import Any

from validation import starter
from winoplatform.db.tables import TablesCommand
from winoplatform.runs.pace import at_most_every


class Command(TablesCommand):
    help = "Load the starter campaign if no campaign exists yet."

    def handle(self, *args: Any, **options: Any) -> None:
        tell = at_most_every(3, lambda done, total, text: self.stdout.write(text))
        campaign = starter.load(progress=tell)
        if campaign is None:
            self.stdout.write("There are campaigns already; the starter was not loaded.")
        else:
            self.stdout.write(f"“{campaign}” holds {campaign.twins.active().count()} twins.")
