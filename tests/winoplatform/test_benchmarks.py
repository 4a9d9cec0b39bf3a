"""Benchmarks leave the installation alone that they are run beside."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data_dir import ROOT

WHERE = "from django.conf import settings; print(settings.VAR_DIR)"


@pytest.mark.long
@pytest.mark.parametrize("given", ["", "elsewhere", "elsewhere/benchmarks"])
def test_a_benchmark_stores_in_a_folder_of_its_own(tmp_path: Path, given: str) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("VAR_DIR", "SECRET_KEY")}
    environment |= {"VAR_DIR": str(tmp_path / given)} if given else {"SECRET_KEY": "made for this"}
    printed = subprocess.check_output(
        [sys.executable, "-c", f"import benchmarks.database; {WHERE}"],
        cwd=ROOT,
        env=environment,
        text=True,
    )
    own = tmp_path / "elsewhere" if given else ROOT / "var"
    assert Path(printed.strip()) == own / "benchmarks"
