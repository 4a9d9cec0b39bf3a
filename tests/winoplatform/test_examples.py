"""The examples of docstrings give what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tests.data_dir import ROOT

FREE_OF_FRAMEWORKS = (
    "stats",
    "tabular",
    "modeling",
    *(f"{path.parent.name}/core" for path in ROOT.glob("*/core")),
)


def with_examples() -> list[str]:
    files: list[Path] = [
        file for name in FREE_OF_FRAMEWORKS for file in (ROOT / name).rglob("*.py")
    ]
    return sorted(
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for file in files
        if ">>> " in file.read_text()
    )


@pytest.mark.parametrize("name", with_examples())
def test_examples_give_what_they_say(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted
    assert not found.failed
