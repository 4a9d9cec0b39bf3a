"""Benchmarks: each a module to run, such as ``python -m benchmarks.queue``.

They store in a folder of their own, whatever checkout they run in: no server, file or password of
an installation is touched. It is set here, before any of them reads the settings.
"""

import os
from pathlib import Path

_var = Path(os.environ.get("VAR_DIR") or Path(__file__).resolve().parent.parent / "var").resolve()
if _var.name != "benchmarks":  # a benchmark's own processes come here again
    os.environ["VAR_DIR"] = str(_var / "benchmarks")
