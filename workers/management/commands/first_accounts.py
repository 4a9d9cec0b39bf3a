from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from workers.accounts import first_accounts


class Command(BaseCommand):
    help = "Make one account per role where it is missing, and print how to sign in."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, password in first_accounts(settings.VAR_DIR / "first_accounts.json").items():
            self.stdout.write(f"    {name:<8}  password  {password}")
