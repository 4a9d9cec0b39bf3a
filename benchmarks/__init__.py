"""Benchmarks: each a module to run, such as ``python -m benchmarks.queue``.

They use a separate folder, so they do not touch the servers, files or passwords of an installation.
The folder is set here, before the settings are read.
"""

import os
from pathlib import Path

_var = Path(os.environ.get("VAR_DIR") or Path(__file__).resolve().parent.parent / "var").resolve()
if _var.name != "benchmarks":  # a benchmark's child processes import this again
    os.environ["VAR_DIR"] = str(_var / "benchmarks")
