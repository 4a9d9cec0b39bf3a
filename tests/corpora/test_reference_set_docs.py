"""docs/reference-sets.md: its commands import what its table says."""

import re
import shlex

import pytest
from django.core.management import call_command

from corpora.core.readers import BY_NAME, FIELDS
from corpora.models import ReferenceSplit
from corpora.selectors import load_items
from tests.data_dir import ROOT, data_dir, needs_data

TEXT = (ROOT / "docs/reference-sets.md").read_text()
COMMANDS = re.findall(r"^import_reference_set .*DATA.*$", TEXT, flags=re.M)


def table() -> dict[str, list[str]]:
    rows = re.findall(r"^\| ([\w-]+/\w+) \| (.+) \|$", TEXT, flags=re.M)
    return {split: cells.replace(",", "").split(" | ") for split, cells in rows}


@needs_data
@pytest.mark.long
def test_each_command_imports_the_counts_of_the_table() -> None:
    for command in COMMANDS:
        call_command(*shlex.split(command.replace("DATA", str(data_dir()))))
    found = {}
    for split in ReferenceSplit.objects.select_related("reference_set", "items"):
        (form,) = {item.form for item in load_items(split)}
        found[str(split)] = [form, split.n_items, split.n_groups, split.n_labelled]
        assert all(getattr(split.reference_set, name) for name in ("title", "licence", "source"))
    assert found == {
        split: [form, *map(int, counts[:3])] for split, (form, *counts) in table().items()
    }


def test_every_format_and_every_field_is_described() -> None:
    formats = {re.search(r"--format (\w+)", command)[1] for command in COMMANDS}  # type: ignore[index]
    assert formats | {"items", "table"} == set(BY_NAME)
    assert all(f"`{field}`" in TEXT for field in FIELDS)
