"""A file that a process writes while it works, so that a stopped or blocked one is noticed.

A process knows its file by the environment variable ``ALIVE_FILE``; without one it writes nothing.
The file holds the process id. Checks look only at the file's time, which costs no Python process.
"""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

HUNG_SECONDS = 60
"""After so long without a sign of life a process is killed; docker-compose.yml has the same."""


def mark() -> None:
    """Write this process's file, if it has one."""
    if path := os.environ.get("ALIVE_FILE"):
        Path(path).write_text(f"{os.getpid()}\n")


@dataclass
class Watch:
    """Notice when a file no longer changes.

    Measured by this process's monotonic clock: neither a changed clock nor a laptop that slept
    makes a process look hung.
    """

    path: Path
    hung_seconds: float = HUNG_SECONDS
    written: int | None = None
    noticed: float = field(default_factory=time.monotonic)

    def is_hung(self) -> bool:
        """Return whether the file exists and has not changed for too long."""
        try:
            written = self.path.stat().st_mtime_ns
        except FileNotFoundError:
            return False
        if written != self.written:
            self.written, self.noticed = written, time.monotonic()
        return time.monotonic() - self.noticed > self.hung_seconds
