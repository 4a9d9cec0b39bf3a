from typing import Any

from evaluation import starter
from winoplatform.tables import TablesCommand


class Command(TablesCommand):
    help = "Let a worker load the starter campaign and begin its pipeline; each happens once."

    def handle(self, *args: Any, **options: Any) -> None:
        load = starter.ask()
        if load is not None and not load.has_ended:
            self.stdout.write("The starter campaign is being loaded; the first page shows how far.")
