"""The documents that list what is in the code list all of it, and nothing else."""

import re
from importlib import import_module

import pytest
from django.dispatch import Signal

from tests.data_dir import ROOT
from tests.documents import MADE, models


@pytest.mark.parametrize("name", MADE)
def test_a_document_made_from_code_is_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text() == MADE[name](), "run make docs"


def test_every_table_says_in_a_line_what_a_row_is() -> None:
    made_by_django = [model for model in models() if f"{model.__name__}(" in (model.__doc__ or "(")]
    assert made_by_django == []


def signals() -> dict[str, set[str]]:
    """Return the signals of our own, each with the names of its receivers."""
    found = {}
    for path in sorted(ROOT.glob("*/signals.py")):
        app = path.parent.name
        for name, signal in vars(import_module(f"{app}.signals")).items():
            if isinstance(signal, Signal):
                found[f"{app}.{name}"] = {str(key[0]) for key, *_ in signal.receivers}
    return found


def test_the_page_of_signals_has_each_with_its_receivers() -> None:
    rows = re.findall(
        r"^\| `([\w.]+)` \|.*\| (.+) \|$", (ROOT / "docs/signals.md").read_text(), re.M
    )
    assert {name: set(re.findall(r"`([\w.]+)`", listens)) for name, listens in rows} == signals()


def test_every_folder_of_tests_is_on_their_map() -> None:
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    text = (ROOT / "tests/README.md").read_text()
    assert set(re.findall(r"^\| `(\w+)/` \|", text, re.M)) == folders
