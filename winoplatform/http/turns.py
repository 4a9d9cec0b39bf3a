"""Work of which a person may have one at a time on this machine, such as an export being read.

A lock on a file: it costs no database connection while a client reads slowly, and ends with its
process.
"""

import fcntl
import hashlib
from typing import IO

from django.conf import settings

from winoplatform.processes import private


def taken(name: str) -> IO[bytes] | None:
    """Lock *name* until the file returned is closed; None if somebody has locked it."""
    folder = settings.VAR_DIR / "turns"
    private.make_folder(folder)
    file = private.create(folder / hashlib.sha256(name.encode()).hexdigest()[:32])
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file
