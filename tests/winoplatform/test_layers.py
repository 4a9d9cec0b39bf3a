"""Every app has its place in the contracts of import-linter."""

from configparser import ConfigParser
from importlib.metadata import packages_distributions

from tests.environment import ROOT

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


def test_a_module_without_a_layer_fails() -> None:
    assert contracts()["importlinter:contract:files"]["exhaustive"] == "True"


def test_no_package_has_the_name_of_a_librarys() -> None:
    """One that had would hide the library, or be hidden by it: such as `datasets`."""
    ours = set(contracts()["importlinter"]["root_packages"].split())
    assert not ours & packages_distributions().keys()
    assert "datasets" not in ours
