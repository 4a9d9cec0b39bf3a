from typing import Any

from evaluation import starter
from winoplatform.db.tables import TablesCommand


class Command(TablesCommand):
    help = "Ask a worker, once, to load the starter campaign and start its pipeline."

    def handle(self, *args: Any, **options: Any) -> None:
        load = starter.ask()
        if load is not None and not load.has_ended:
            self.stdout.write(
                "The starter campaign is being loaded; the home page shows its progress."
            )
