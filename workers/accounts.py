"""One account per role for a first look, with passwords that are this installation's own."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from workers.models import User
from workers.services import create_user

ROLES = {
    "writer": User.Role.WORKER,
    "judge": User.Role.WORKER,
    "curator": User.Role.CURATOR,
    "admin": User.Role.ADMIN,
}


def first_accounts(path: Path) -> dict[str, str]:
    """Return user name and password of each first account, making the missing ones.

    The passwords are random and stand in *path*, readable by its owner only. They are stored
    there before the accounts are: whoever is killed in between leaves no account that nobody can
    enter. An account whose password is not in the file is left alone and not named.
    """
    known: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    missing = [name for name in ROLES if not User.objects.filter(username=name).exists()]
    if missing:
        known |= {name: f"{name}-{secrets.token_hex(4)}" for name in missing}
        _store(path, known)
    for name in missing:
        create_user(username=name, password=known[name], role=ROLES[name])
    return {name: known[name] for name in ROLES if name in known}


def _store(path: Path, known: Mapping[str, str]) -> None:
    """Write the file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(known, file, indent=2)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
