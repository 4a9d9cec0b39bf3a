"""A first account per role, with passwords generated per installation."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import connection

from workers.models import User
from workers.services import create_user

ROLES = {
    "writer": User.Role.WORKER,
    "validator": User.Role.WORKER,
    "curator": User.Role.CURATOR,
    "admin": User.Role.ADMIN,
}


def first_accounts(path: Path) -> dict[str, str]:
    """Return user name and password of each first account, creating the missing ones.

    The random passwords are kept in *path*, readable by its owner only, separately for each
    database that this installation has used. They are stored before the accounts are created, so
    that a killed process leaves no account without a known password. An account whose password
    was changed, or is not in the file, is left unchanged and not returned.
    """
    stored, here = _passwords(path), _database()
    passwords = stored.get(here, {})
    users = {user.username: user for user in User.objects.filter(username__in=ROLES)}
    missing = [name for name in ROLES if name not in users]
    if missing:
        passwords |= {name: f"{name}-{secrets.token_hex(4)}" for name in missing}
        _store(path, stored | {here: passwords})
    for name in missing:
        # A user of such an account is a person, also in a campaign of simulated people.
        origin = User.Origin.INVITED if ROLES[name] == User.Role.WORKER else ""
        create_user(username=name, password=passwords[name], role=ROLES[name], origin=origin)
    return {
        name: passwords[name]
        for name in ROLES
        if name in missing or (name in passwords and users[name].check_password(passwords[name]))
    }


def _database() -> str:
    """Return an identifier of the database, independent of its address."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT system_identifier || '/' || oid FROM pg_control_system(), pg_database "
            "WHERE datname = current_database()"
        )
        return str(cursor.fetchone()[0])


def _passwords(path: Path) -> dict[str, dict[str, str]]:
    """Read the passwords by database; an old file without databases may be for this one."""
    passwords: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return {_database(): passwords} if passwords.keys() & ROLES else passwords


def _store(path: Path, passwords: Mapping[str, Mapping[str, str]]) -> None:
    """Write the complete file or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(passwords, file, indent=2)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
