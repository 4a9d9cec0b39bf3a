"""The suite's own environment, loaded before the settings are (``-p tests.environment``).

The suite has its own folder, so a platform that runs from the same checkout is never touched, and
its own prefix in Redis, so no other worker takes its messages.
"""

import gc
import os
import sys
from pathlib import Path

from hypothesis import settings

from tests.data_dir import ROOT

# Nothing is thrown away before the tests are collected; `tests/conftest.py` enables it again.
gc.disable()

os.environ.setdefault("VAR_DIR", str(ROOT / "var" / "test"))
os.environ.setdefault("WINO_EMBEDDED_QUICK", "1")
# Each process of the suite has its own: workers of one must not take the messages of the other.
os.environ["REDIS_KEY_PREFIX"] = f"wino-test-{os.getpid()}:"
# Tests arrive from one address; those of the limit set it themselves.
os.environ["CROWD_ARRIVALS_PER_HOUR"] = "1000000"
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # the suite's processes share the cores already
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright's sync API runs a loop
# Servers and workers that tests start would compile the whole platform again, each of them.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# `make test-long` loads the second. How long an example takes is the machine's affair.
settings.register_profile("quick", max_examples=25, deadline=None)
settings.register_profile("long", max_examples=200, deadline=None)
settings.load_profile("quick")
Path(os.environ["VAR_DIR"]).mkdir(parents=True, exist_ok=True)
