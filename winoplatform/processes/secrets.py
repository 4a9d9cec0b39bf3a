"""A signing key generated per installation, so that no default secret exists."""

import contextlib
import os
import secrets
from pathlib import Path


def stored_secret(path: Path) -> str:
    """Return the secret stored in *path*, creating it on first use.

    The complete file is linked into place, so when several processes start first at the same time
    one of them wins and all read the same secret. Only its owner can read it.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text()
