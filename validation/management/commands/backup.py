from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from winoplatform.backups.folder import BackupError, BackupFolder
from winoplatform.backups.making import Backup, make_backup
from winoplatform.db.tables import TablesCommand


class Command(TablesCommand):
    help = (
        "Write the database and the artifacts into a folder that keeps any number of backups. "
        "Artifacts that it has already are not copied again. The exit status is 1 if an artifact "
        "is missing or damaged."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", type=Path, help="a folder for backups alone")
        parser.add_argument(
            "--with-secrets",
            action="store_true",
            help="write the secrets among the settings beside the database: keep the folder as "
            "safe as them",
        )
        parser.add_argument(
            "--keep-days",
            type=int,
            help="delete older backups, and artifacts that only they name; the newest stays",
        )

    def check_migrations(self) -> None:
        """Migrate nothing: a backup is made before that, and refuses another version itself."""

    def handle(self, *args: Any, **options: Any) -> None:
        folder = BackupFolder(options["target"])
        try:
            backup = make_backup(folder, with_secrets=options["with_secrets"])
            if options["keep_days"] is not None:
                before = timezone.now() - timedelta(days=options["keep_days"])
                self.stdout.write(f"{folder.delete_before(before)} older backups deleted.")
        except BackupError as error:
            raise CommandError(str(error)) from error
        self._say(backup)

    def _say(self, backup: Backup) -> None:
        manifest = backup.manifest
        self.stdout.write(
            f"{backup.name}: the database and {len(manifest.artifacts)} artifacts, "
            f"{backup.copied} of them new."
        )
        if manifest.missing:
            raise CommandError(
                f"The store lacks {len(manifest.missing)} artifacts, or has them damaged: "
                f"{', '.join(manifest.missing[:5])}. Look for them in an earlier backup."
            )
