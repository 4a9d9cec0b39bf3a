"""Restore a backup into an empty installation: all of it, or nothing.

Artifacts come first, since they do no harm alone. The database comes in one transaction with what
must no longer hold in it, so a restore that is killed leaves an empty database and is repeated.
"""

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction

from winoplatform import clock
from winoplatform.artifacts import store
from winoplatform.artifacts.folder import sha256_of
from winoplatform.backups import programs
from winoplatform.backups.folder import (
    DATABASE,
    BackupError,
    BackupFolder,
    ErasedAccount,
    Manifest,
)
from winoplatform.backups.making import Progress
from winoplatform.db import locks, roles, tables, versions

TABLES = """
SELECT count(*) FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'S', 'v', 'm')
"""


def restore_backup(
    folder: BackupFolder,
    name: str,
    *,
    then: Callable[[list[ErasedAccount]], None],
    progress: Progress = lambda done, n: None,
) -> Manifest:
    """Restore a backup, end what was leased, and call *then* before anybody sees the database.

    *then* gets the accounts that this backup or a later one in the folder names as erased.

    Raises
    ------
    BackupError
        If the backup is incomplete, damaged or of another version, or the database not empty.
    """
    manifest = folder.manifest(name)
    _refuse_other_version(manifest)
    dump = folder.path / name / DATABASE
    if not dump.is_file() or sha256_of(dump) != manifest.database_sha256:
        raise BackupError(f"The database of the backup {name} is damaged. Restore another one.")
    with tables.as_owner(), locks.held("migrate", wait=True):
        refuse_tables()
        _restore_artifacts(folder, manifest, progress)
        session: Any = connection.connection
        if settings.DATABASE_ROLE:
            roles.provide(session, settings.DATABASE_ROLE, settings.DATABASE_ROLE_PASSWORD)
        with transaction.atomic(durable=True):
            programs.load(session, dump)
            _end_leases()
            then(_erased_since(folder, name))
            if settings.DATABASE_ROLE:
                roles.grant(session, settings.DATABASE_ROLE)
        session.execute("ANALYZE")
    return manifest


def _refuse_other_version(manifest: Manifest) -> None:
    if set(manifest.migrations) != versions.own_migrations():
        raise BackupError(
            "This backup is of another version of WinoPlatform. Install that version, restore, "
            "and upgrade then."
        )


def refuse_tables() -> None:
    """Refuse a database that has tables.

    Raises
    ------
    BackupError
        With the way out.
    """
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        [number] = cursor.fetchone()
    if number:
        place = (
            f"Move the folder {settings.VAR_DIR / 'postgres'} away"
            if tables.owns_database()
            else "Set DATABASE_URL and DATABASE_OWNER_URL to an empty database"
        )
        raise BackupError(
            f"The database “{connection.settings_dict['NAME']}” is not empty, and a backup is "
            f"restored into an empty one alone, before `migrate` or `serve`. {place} first."
        )


def _restore_artifacts(folder: BackupFolder, manifest: Manifest, progress: Progress) -> None:
    """Store the artifacts of a backup, each checked; those that are there are checked too.

    Raises
    ------
    BackupError
        If one is missing from the folder or damaged.
    """
    for number, sha256 in enumerate(manifest.artifacts):
        progress(number, len(manifest.artifacts))
        if not store.is_intact(sha256) and not _restore_artifact(folder, sha256):
            raise BackupError(
                f"The artifact {sha256} is missing or damaged in {folder.path}. Restore it from a "
                "copy of the folder, or restore another backup."
            )


def _restore_artifact(folder: BackupFolder, sha256: str) -> bool:
    path = folder.artifact(sha256)
    if not path.is_file() or sha256_of(path) != sha256:
        return False
    store.store_again(sha256, path)
    return True


def _end_leases() -> None:
    """End what people and workers held, so that both ask again; a run goes on by its next attempt.

    A run's worker is gone, and a person may have answered after the backup.
    """
    for model in apps.get_models():
        if any(field.name == "leased_until" for field in model._meta.fields):
            held = model._base_manager.filter(leased_until__gt=clock.Now())
            held.update(leased_until=clock.Now())


def _erased_since(folder: BackupFolder, name: str) -> list[ErasedAccount]:
    later = [folder.manifest(other) for other in folder.names() if other >= name]
    return list(dict.fromkeys(account for manifest in later for account in manifest.erased))
