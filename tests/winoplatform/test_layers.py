"""Every app has its place in the contracts of import-linter."""

import subprocess
import sys
from configparser import ConfigParser
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.data_dir import ROOT

NOT_IN_THE_PRODUCT = {"tests", "benchmarks"}


def contracts() -> ConfigParser:
    read = ConfigParser()
    read.read(ROOT / ".importlinter")
    return read


def test_every_package_of_the_repository_is_linted() -> None:
    packages = {file.parent.name for file in ROOT.glob("*/__init__.py")} - NOT_IN_THE_PRODUCT
    assert set(contracts()["importlinter"]["root_packages"].split()) == packages


def test_every_package_has_its_place_among_the_apps() -> None:
    read = contracts()
    apps = read["importlinter:contract:apps"]["layers"].replace("|", " ").split()
    assert sorted(apps) == sorted(read["importlinter"]["root_packages"].split())


@pytest.mark.parametrize(("module", "is_placed"), [("services", True), ("stray", False)])
def test_a_module_without_a_layer_fails(module: str, is_placed: bool, tmp_path: Path) -> None:
    read = contracts()
    only = ConfigParser()
    only["importlinter"] = {"root_package": "toyapp"}
    only["importlinter:contract:files"] = read["importlinter:contract:files"]
    only["importlinter:contract:files"]["containers"] = "toyapp"
    package = tmp_path / "toyapp"
    package.mkdir()
    for name in ("__init__", module):
        (package / f"{name}.py").touch()
    with (tmp_path / ".importlinter").open("w") as file:
        only.write(file)
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    linted = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (linted.returncode == 0) is is_placed
    assert ("toyapp.stray" in linted.stdout) is not is_placed


def test_no_package_has_the_name_of_a_librarys() -> None:
    """One that had would hide the library, or be hidden by it: such as `datasets`."""
    ours = set(contracts()["importlinter"]["root_packages"].split())
    assert not ours & packages_distributions().keys()
    assert "datasets" not in ours
