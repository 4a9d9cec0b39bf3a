from typing import Any

from django.conf import settings

from winoplatform.tables import TablesCommand
from workers.accounts import first_accounts


class Command(TablesCommand):
    help = "Make one account per role where it is missing, and print how to sign in."

    def handle(self, *args: Any, **options: Any) -> None:
        found = first_accounts(settings.VAR_DIR / "first_accounts.json")
        for name, password in found.items():
            self.stdout.write(f"    {name:<8}  password  {password}")
        if not found:
            self.stdout.write("    anybody with the password of their own")
