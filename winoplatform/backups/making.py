"""Make a backup: the database first, then the artifacts that its rows name."""

import logging
import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from allauth.usersessions.models import UserSession
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.utils import timezone

from winoplatform.artifacts import store
from winoplatform.artifacts.folder import sha256_of
from winoplatform.artifacts.upkeep import DELETING
from winoplatform.backups import programs
from winoplatform.backups.folder import (
    DATABASE,
    SECRETS,
    BackupError,
    BackupFolder,
    ErasedAccount,
    Manifest,
    chunks_of,
    write_whole,
)
from winoplatform.db import locks, tables, versions
from winoplatform.models import Artifact
from winoplatform.processes import private

log = logging.getLogger(__name__)
Progress = Callable[[int, int], None]
SECRET_SETTINGS = (
    *("SECRET_KEY", "SECRET_KEY_FALLBACKS", "DATABASE_URL", "DATABASE_PASSWORD"),
    *("DATABASE_OWNER_URL", "DATABASE_OWNER_PASSWORD", "REDIS_URL", "EMAIL_URL"),
    *("ARTIFACTS_KEY_ID", "ARTIFACTS_SECRET_KEY"),
    *("OIDC_CLIENT_SECRET", "REMOTE_MODEL_KEY", "HUB_TOKEN", "ZENODO_TOKEN"),
)


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made, and how many artifacts the folder did not have before."""

    name: str
    manifest: Manifest
    copied: int


@dataclass(frozen=True, slots=True)
class _Rows:
    """What one snapshot of the database has, and the dump of it."""

    migrations: list[str]
    artifacts: dict[str, int]
    erased: list[ErasedAccount]


def make_backup(
    folder: BackupFolder, *, with_secrets: bool = False, progress: Progress = lambda done, n: None
) -> Backup:
    """Write a backup into *folder*; artifacts that it has already are not copied again.

    Raises
    ------
    BackupError
        If the database is of another version, another backup is being made in the folder, or a
        program of PostgreSQL fails.
    """
    folder.provide()
    with folder.alone(), tables.as_owner():
        _refuse_other_version()
        # Shared by deletions, which go on when all is copied (`upkeep`).
        with locks.held(DELETING, wait=True):
            return _make(folder, with_secrets, progress)


def _make(folder: BackupFolder, with_secrets: bool, progress: Progress) -> Backup:
    now = timezone.now()
    name = folder.begin(now)
    place = folder.path / name
    rows = _dump(folder, name)
    copied, missing = _copy_artifacts(folder, rows.artifacts, progress)
    if with_secrets:
        write_whole(place / SECRETS, [_secrets().encode()])
    manifest = Manifest(
        made_at=now.isoformat(),
        migrations=rows.migrations,
        database_sha256=sha256_of(place / DATABASE),
        artifacts={name: size for name, size in rows.artifacts.items() if name not in missing},
        missing=missing,
        erased=rows.erased,
    )
    folder.complete(name, manifest)
    return Backup(name, manifest, copied)


def _refuse_other_version() -> None:
    try:
        versions.check(connection)
    except versions.OtherVersion as error:
        raise BackupError(f"{error} Make backups with the version of the database.") from error


def _dump(folder: BackupFolder, name: str) -> _Rows:
    """Dump the database, and read in the same snapshot what the manifest says of it."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            [snapshot] = cursor.fetchone()
        session: Any = connection.connection
        programs.dump(
            session, folder.path / name / DATABASE, snapshot=snapshot, without_rows=_of_sign_ins()
        )
        used = Artifact.objects.exclude(pk__in=Artifact.objects.unreferenced().values("pk"))
        return _Rows(
            migrations=sorted(versions.recorded(connection)),
            artifacts=dict(used.order_by("pk").values_list("sha256", "size")),
            erased=list(_erased_accounts()),
        )


def _of_sign_ins() -> list[str]:
    """Name the tables whose rows let somebody in: they are in no backup."""
    token: Any = apps.get_model(settings.KNOX_TOKEN_MODEL)
    return [model._meta.db_table for model in (Session, UserSession, token)]


def _erased_accounts() -> Iterator[ErasedAccount]:
    accounts: Any = get_user_model()._default_manager.filter(erased_at__isnull=False)
    for pk, joined in accounts.order_by("pk").values_list("pk", "date_joined"):
        yield ErasedAccount(pk, joined.isoformat())


def _copy_artifacts(
    folder: BackupFolder, artifacts: dict[str, int], progress: Progress
) -> tuple[int, list[str]]:
    """Copy what the folder lacks; return the number of copies, and what the store lacks."""
    copied, missing = 0, []
    for number, (sha256, size) in enumerate(artifacts.items()):
        progress(number, len(artifacts))
        path = folder.artifact(sha256)
        if path.is_file() and path.stat().st_size == size:
            continue
        if _copy(folder, sha256):
            copied += 1
        else:
            missing.append(sha256)
    return copied, missing


def _copy(folder: BackupFolder, sha256: str) -> bool:
    """Copy an artifact; False if the store does not have it, or has another content."""
    path = folder.artifact(sha256)
    private.make_folder(path.parent)
    try:
        with store.open_artifact(Artifact(sha256=sha256)) as file:
            is_right = write_whole(path, chunks_of(file), sha256=sha256)
    except FileNotFoundError:
        is_right = False
    if not is_right:
        log.error("artifact %s is missing or damaged; it is not in the backup", sha256)
    return is_right


def _secrets() -> str:
    """Return the secrets that are set, as lines of an environment file."""
    given = {name: os.environ.get(name, "") for name in SECRET_SETTINGS}
    given["SECRET_KEY"] = settings.SECRET_KEY  # also one that the platform made itself
    return "".join(f"{name}={shlex.quote(value)}\n" for name, value in given.items() if value)
