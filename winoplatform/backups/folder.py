"""The folder of backups: its names, manifests, and which artifacts they need."""

import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from winoplatform.artifacts.store import CHUNK
from winoplatform.models import Artifact
from winoplatform.processes import private

FORMAT = 1
TIME = "%Y-%m-%dT%H-%M-%SZ"
NAME = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ")
MANIFEST, DATABASE, SECRETS = "manifest.json", "database", "secrets.env"


class BackupError(RuntimeError):
    """A backup cannot be made or restored; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class ErasedAccount:
    """An account that was erased: its key and when it was made, which name nobody."""

    pk: int
    joined: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup consists of.

    ``artifacts`` has the size in bytes of each, by SHA-256, and ``missing`` those that the store
    did not have, or had damaged.
    """

    made_at: str
    migrations: list[str]
    database_sha256: str
    artifacts: dict[str, int]
    missing: list[str]
    erased: list[ErasedAccount]
    format: int = FORMAT


class BackupFolder:
    """A folder with backups."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def provide(self) -> None:
        """Make the folder, or refuse one that has other things.

        Raises
        ------
        BackupError
            If the folder is not empty and holds no backups.
        """
        private.make_folder(self.path)
        others = {entry.name for entry in self.path.iterdir()} - {"artifacts", "lock", "lost+found"}
        if others and not any(NAME.fullmatch(name) for name in others):
            raise BackupError(f"{self.path} has other files. Name a folder for backups alone.")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let one process write into the folder at a time.

        Raises
        ------
        BackupError
            If another one does.
        """
        with private.create(self.path / "lock") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BackupError(f"Another backup is being made in {self.path}.") from None
            yield

    def names(self) -> list[str]:
        """Return the names of complete backups, oldest first."""
        paths = (path.parent for path in self.path.glob(f"*/{MANIFEST}"))
        return sorted(path.name for path in paths if NAME.fullmatch(path.name))

    def manifest(self, name: str) -> Manifest:
        """Read the manifest of a backup.

        Raises
        ------
        BackupError
            If there is none, or one that this version cannot read.
        """
        if name not in self.names():
            raise BackupError(f"{self.path} has no complete backup {name}.")
        try:
            read = json.loads((self.path / name / MANIFEST).read_bytes())
            if read["format"] != FORMAT:
                raise BackupError(f"The backup {name} is of another version of WinoPlatform.")
            erased = [ErasedAccount(**account) for account in read.pop("erased")]
            return Manifest(**read, erased=erased)
        except (ValueError, KeyError, TypeError) as error:
            raise BackupError(f"The manifest of the backup {name} is damaged.") from error

    def begin(self, now: datetime) -> str:
        """Make the folder of a new backup, and delete what killed ones have left."""
        for draft in self.path.glob("artifacts/*/.*"):
            draft.unlink()
        for path in self.path.iterdir():
            if NAME.fullmatch(path.name) and not (path / MANIFEST).exists():
                shutil.rmtree(path)
        name = now.strftime(TIME)
        try:
            (self.path / name).mkdir(mode=private.FOLDER_MODE)
        except FileExistsError:
            raise BackupError("A backup was made in this second. Repeat it.") from None
        return name

    def complete(self, name: str, manifest: Manifest) -> None:
        """Write the manifest, which makes the backup a whole one."""
        data = json.dumps(asdict(manifest), indent=1).encode()
        write_whole(self.path / name / MANIFEST, [data])

    def artifact(self, sha256: str) -> Path:
        """Return where the folder has an artifact."""
        return self.path / "artifacts" / Artifact(sha256=sha256).storage_name

    def delete_before(self, time: datetime) -> int:
        """Delete the backups made before *time*, except the newest; return their number.

        Artifacts that no other backup names are deleted too.
        """
        old = [name for name in self.names()[:-1] if name < time.strftime(TIME)]
        for name in old:
            (self.path / name / MANIFEST).unlink()  # first: it is no whole backup from now on
            shutil.rmtree(self.path / name)
        if old:
            needed = {sha256 for name in self.names() for sha256 in self.manifest(name).artifacts}
            for path in self.path.glob("artifacts/*/*"):
                if path.name not in needed:
                    path.unlink()
        return len(old)


def write_whole(path: Path, chunks: Iterable[bytes], *, sha256: str = "") -> bool:
    """Write a file, under another name until it is complete.

    Nothing is written if its content is not *sha256*: False is returned then.
    """
    digest = hashlib.sha256()
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        with private.create(draft, "xb") as file:
            for chunk in chunks:
                digest.update(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        is_right = sha256 in ("", digest.hexdigest())
        if is_right:
            draft.replace(path)
        return is_right
    finally:
        draft.unlink(missing_ok=True)


def chunks_of(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk
