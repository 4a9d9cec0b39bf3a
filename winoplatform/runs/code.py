"""The version of parts of the code, to record with what it has computed."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings


@cache
def code_sha256(*folders: str) -> str:
    """Return the SHA-256 of the lines ``<SHA-256>  <path>`` of all Python files in *folders*.

    The lines are sorted by path. An installation has no commit to name: its image is built without
    the repository's history.
    """
    root = Path(settings.BASE_DIR)
    paths = sorted(path for folder in folders for path in (root / folder).rglob("*.py"))
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(root).as_posix()}\n"
        for path in paths
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
