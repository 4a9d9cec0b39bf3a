"""Run one server, and stop it when no process holds it any more.

A command that ends cleanly stops the server itself if it was the last holder. A command that is
killed cannot, and Python runs no exit handlers on SIGTERM or SIGHUP; so this small process runs
beside each server and checks twice a second whether any holder is left.

It runs as a script in its own session (Ctrl-C does not reach it) and uses only the standard
library: it starts in a few hundredths of a second and imports nothing of the platform. If the
keeper itself is killed, the server runs on until a command stops it.
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
    """Take a file lock without waiting; return False if another process holds it."""
    try:
        fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def start(plan: dict[str, Any]) -> "subprocess.Popen[bytes]":
    """Start the server; it inherits the lock that shows other processes that it is alive."""
    server = subprocess.Popen(
        plan["command"],
        env=plan["environment"],
        pass_fds=[plan["alive"]],
        **plan["account"],
    )
    Path(plan["pid"]).write_text(f"{server.pid}\n")
    return server


def end_when_unheld(plan: dict[str, Any], server: "subprocess.Popen[bytes]") -> None:
    """Wait until no process holds the server, then stop it, with increasingly strong signals.

    The mutex is taken first, as everywhere, and kept to the end: a process that arrives then
    waits and starts a new server. Both files are opened once, so the locks of current holders
    still count if the folder is removed.
    """
    mutex, holders = (os.open(plan[name], os.O_RDWR) for name in ("mutex", "holders"))
    while not (try_lock(mutex, fcntl.LOCK_EX) and try_lock(holders, fcntl.LOCK_EX)):
        fcntl.flock(mutex, fcntl.LOCK_UN)
        time.sleep(LOOK_SECONDS)
    for number, patience in plan["shutdown"]:
        server.send_signal(number)
        time.sleep(patience)


def main() -> None:
    """Detach from the calling command, then run as long as the server does."""
    if os.fork():
        os._exit(0)
    plan = json.loads(sys.argv[1])
    server = start(plan)
    threading.Thread(target=end_when_unheld, args=(plan, server), daemon=True).start()
    os._exit(1 if server.wait() else 0)


if __name__ == "__main__":
    main()
