"""The web server's processes, real ones."""

import os
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from tests.data_dir import ROOT
from tests.winoplatform.ports import free_port
from winoplatform.processes.supervisor import platform_commands

PATIENCE = 60


def pool_of(main: psutil.Process) -> list[psutil.Process]:
    end = time.monotonic() + PATIENCE
    while len(children := main.children()) < 2:
        assert time.monotonic() < end, "the web server's pool did not start"
        time.sleep(0.01)
    return children


@pytest.mark.parametrize(
    "seconds", [0.5, *(pytest.param(when, marks=pytest.mark.long) for when in (0.0, 4.0))]
)
@pytest.mark.long
def test_the_pool_dies_with_a_killed_main_process_at_any_moment(
    seconds: float, tmp_path: Path
) -> None:
    command = platform_commands(host="127.0.0.1", port=free_port())["web"]
    environment = {**os.environ, "VAR_DIR": str(tmp_path / "var")}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    pool = pool_of(psutil.Process(process.pid))
    time.sleep(seconds)  # just forked, loading the application, serving
    process.kill()
    process.wait()
    _, left = psutil.wait_procs(pool, timeout=PATIENCE)
    for each in left:
        each.kill()
    assert left == []
