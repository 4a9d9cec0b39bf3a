"""One account per role for a first look, with passwords that are this installation's own."""

import json
import os
import secrets
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

    The passwords are random and stand in *path*, readable by its owner only. An account whose
    password is not in the file is left alone and not named.
    """
    known: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    for name, role in ROLES.items():
        if not User.objects.filter(username=name).exists():
            known[name] = f"{name}-{secrets.token_hex(4)}"
            create_user(username=name, password=known[name], role=role)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(known, file, indent=2)
    return {name: known[name] for name in ROLES if name in known}
