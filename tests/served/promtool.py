"""Debian's promtool, and what Prometheus makes of figures that were really read."""

import shutil
import subprocess

import pytest

from tests.data_dir import ROOT

ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
UNPACKED = ROOT / ".venv" / "prometheus" / "usr" / "bin" / "promtool"
PATH = shutil.which("promtool") or (str(UNPACKED) if UNPACKED.exists() else "")
needed = pytest.mark.skipif(not PATH, reason="run `make promtool`")
INTERVAL = 30  # seconds between two reads


def promtool(*arguments: str) -> str:
    """Return what promtool prints; fail with it if it does not accept its files."""
    done = subprocess.run([PATH, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
