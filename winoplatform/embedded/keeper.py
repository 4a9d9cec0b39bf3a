"""Runs one server, and ends it when nobody holds it any more.

A command that ends cleanly stops the server itself if it was the last. A command that is killed
cannot, and Python runs no exit handlers on SIGTERM or SIGHUP either; so this small process
stands beside each server and looks twice a second whether the holders are gone.

It is run as a script in a session of its own (Ctrl-C does not reach it) and knows the standard
library only: it starts in a few hundredths of a second and imports nothing of the platform.
If it is killed itself, only this safety net is lost.
"""

import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

LOOK_SECONDS = 0.5


def try_lock(descriptor: int, operation: int) -> bool:
    """Take a file lock at once; return False if somebody's lock forbids it."""
    try:
        fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def start(plan: dict[str, Any]) -> "subprocess.Popen[bytes]":
    """Start the server; it inherits the lock by which everyone sees that it lives."""
    server = subprocess.Popen(
        plan["command"],
        env=plan["environment"],
        pass_fds=[plan["alive"]],
        **plan["account"],
    )
    Path(plan["pid"]).write_text(f"{server.pid}\n")
    return server


def end_when_unheld(plan: dict[str, Any], server: "subprocess.Popen[bytes]") -> None:
    """Wait until no process holds the server, then end it, more firmly each time.

    The mutex is taken first, as everywhere, and kept to the end: who comes now waits, and then
    starts a server anew. Both files are opened once: if the folder is removed, the locks of the
    holders of then still count.
    """
    mutex, holders = (os.open(plan[name], os.O_RDWR) for name in ("mutex", "holders"))
    while not (try_lock(mutex, fcntl.LOCK_EX) and try_lock(holders, fcntl.LOCK_EX)):
        fcntl.flock(mutex, fcntl.LOCK_UN)
        time.sleep(LOOK_SECONDS)
    for number, patience in plan["shutdown"]:
        server.send_signal(number)
        time.sleep(patience)


def main() -> None:
    """Leave the command that called, then stay as long as the server does."""
    if os.fork():
        os._exit(0)
    plan = json.loads(sys.argv[1])
    server = start(plan)
    threading.Thread(target=end_when_unheld, args=(plan, server), daemon=True).start()
    os._exit(1 if server.wait() else 0)


if __name__ == "__main__":
    main()
