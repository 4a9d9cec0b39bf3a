from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from winoplatform.backups.folder import BackupError, BackupFolder, ErasedAccount, Manifest
from winoplatform.backups.restoring import restore_backup
from workers import services
from workers.models import User


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty installation, check it, end all leases, and erase the "
        "people whose erasure a later backup knows. A restore that was stopped is repeated."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", type=Path, help="the folder that `backup` wrote")
        parser.add_argument("--name", help="which backup; the newest complete one by default")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = BackupFolder(options["source"])
        name = options["name"] or _newest(folder)
        self.unerased: list[User] = []
        try:
            manifest = restore_backup(folder, name, then=self._erase_again)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self._say(name, manifest)
        call_command("check_ledger", stdout=self.stdout)

    def _erase_again(self, accounts: list[ErasedAccount]) -> None:
        self.unerased = services.erase_again((one.pk, one.joined) for one in accounts)

    def _say(self, name: str, manifest: Manifest) -> None:
        self.stdout.write(
            f"{name}: the database and {len(manifest.artifacts)} artifacts are restored. What was "
            f"paid, published or erased after {manifest.made_at} is not in it: see "
            "docs/operations.md before you start the platform."
        )
        for sha256 in manifest.missing:
            self.stdout.write(f"The backup does not have the artifact {sha256}.")
        for account in self.unerased:
            self.stdout.write(
                f"{account.public_id} was erased after this backup, and is owed pay in it. Erase "
                f"again: manage.py erase {account.public_id} --yes --pay settle|void --by ADMIN"
            )


def _newest(folder: BackupFolder) -> str:
    names = folder.names()
    if not names:
        raise CommandError(f"{folder.path} has no complete backup.")
    return names[-1]
