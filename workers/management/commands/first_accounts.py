from typing import Any

from django.conf import settings

from winoplatform.db.tables import TablesCommand
from workers.accounts import first_accounts


class Command(TablesCommand):
    help = "Create one account per role if missing, and print user names and passwords."

    def handle(self, *args: Any, **options: Any) -> None:
        accounts = first_accounts(settings.VAR_DIR / "first_accounts.json")
        for name, password in accounts.items():
            self.stdout.write(f"    {name:<9}  password  {password}")
        if not accounts:
            self.stdout.write("    any user, with their own password")
