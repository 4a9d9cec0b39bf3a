"""What is installed: packages with hashes, and none of which anything runs at start."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.data_dir import ROOT

FOLDER = ROOT / "requirements"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EMBEDDED = set(PROJECT["optional-dependencies"]["embedded"])


def pinned(name: str) -> dict[str, str]:
    """The entries of a lock by package, with their hashes."""
    whole = (FOLDER / name).read_text().replace("\\\n", " ")
    lines = [line for line in whole.splitlines() if line and not line.lstrip().startswith("#")]
    return {re.split(r"==", line)[0]: line for line in lines}


@pytest.mark.parametrize("name", ["lock.txt", "dev.txt", "weights.txt"])
def test_every_package_of_a_lock_has_a_version_and_hashes(name: str) -> None:
    entries = pinned(name)
    assert entries
    for line in entries.values():
        assert re.match(r"[\w.-]+==[^ ]+ .*--hash=sha256:[0-9a-f]{64}", line), line


def test_the_image_has_neither_the_embedded_servers_nor_tools() -> None:
    image, development = pinned("lock.txt"), pinned("dev.txt")
    assert not EMBEDDED & image.keys()
    assert EMBEDDED | {"pytest"} <= development.keys()
    assert "pytest" not in image
    assert image.items() <= development.items()
    assert "dev.txt" not in (ROOT / "Dockerfile").read_text()


def test_torch_has_the_version_of_the_project_and_a_build_of_the_machine() -> None:
    [line] = [x for x in (FOLDER / "torch.txt").read_text().splitlines() if x[0] != "#"]
    assert line in PROJECT["dependencies"]
    assert "torch" not in pinned("lock.txt") | pinned("dev.txt")
    assert not [name for name in pinned("lock.txt") if name.startswith(("nvidia", "triton"))]


def wheel(folder: Path, *names: str) -> None:
    with ZipFile(folder / "weights-1-py3-none-any.whl", "w") as archive:
        for name in ("weights/__init__.py", "weights-1.dist-info/RECORD", *names):
            archive.writestr(name, "")


def checked(folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(FOLDER / "start.py"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize(
    "name",
    ["x.pth", "sitecustomize.py", "usercustomize/__init__.py", "weights-1.data/purelib/x.pth",
     "weights-1.data/platlib/sitecustomize.py"],
)  # fmt: skip
def test_a_wheel_of_which_something_runs_at_start_is_refused(tmp_path: Path, name: str) -> None:
    wheel(tmp_path, name)
    done = checked(tmp_path)
    assert done.returncode == 1
    assert name in done.stderr


def test_a_wheel_of_data_is_accepted(tmp_path: Path) -> None:
    wheel(tmp_path, "weights/model/model.safetensors", "weights/sitecustomize.py")
    assert checked(tmp_path).returncode == 0


def test_a_source_package_is_refused_as_it_runs_code_to_be_built(tmp_path: Path) -> None:
    (tmp_path / "weights-1.tar.gz").touch()
    assert checked(tmp_path).returncode == 1
