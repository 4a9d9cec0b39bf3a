"""What makes up an import: files by part, folders, columns, defaults, and what is refused."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from corpora.core.readers import BY_NAME, FIELDS, MAIN
from corpora.models import ReferenceSet, ReferenceSplit
from corpora.selectors import load_items
from tests.corpora.core.small_sets import SMALL
from tests.corpora.sets import LINES, imported
from tests.data_dir import ROOT, data_dir, needs_data
from winoplatform.errors import DomainError


def splits_of(format: str, split: str = "test") -> dict[str, list[str]]:
    return {
        split if part == MAIN else f"{split}/{part}": list(lines)
        for part, lines in SMALL[format].items()
    }


@pytest.mark.parametrize("format", sorted(BY_NAME))
def test_every_format_is_imported_with_what_is_known_of_the_published_set(format: str) -> None:
    found, known = imported(format=format, splits=splits_of(format)), BY_NAME[format]
    assert found.splits.get().n_items
    assert (found.title, found.licence) == (known.title or "tiny", known.licence)
    assert found.source == known.source
    assert bool(known.title) == bool(known.licence) == bool(known.source)


def test_a_title_given_replaces_the_known_one() -> None:
    given = {"title": "Mine", "licence": "MIT", "source": "me"}
    found = imported(format="pdp", splits=splits_of("pdp"), **given)
    assert {name: getattr(found, name) for name in given} == given


def test_labels_become_metadata_and_may_be_absent() -> None:
    files = splits_of("wsc273")
    del files["test/switchable"]
    (item,) = load_items(imported(format="wsc273", splits=files).splits.get())
    assert item.metadata == {"associative": True}


@pytest.mark.parametrize(
    ("fields", "code", "says"),
    [
        ({"splits": {"test": LINES, "test/labels": LINES}}, "part_unknown", "“labels” is no file"),
        ({"splits": {"test/lines": LINES}}, "part_unknown", "“lines” is no file"),
        ({"format": "winobias", "splits": {"dev": ["1 x"]}}, "part_unknown", "dev/pro1, dev/anti1"),
        ({"format": "winobias", "splits": {"dev/pro1": ["1 x"]}}, "part_missing", "dev/anti1"),
        (
            {"format": "wsc273", "splits": {"test/associative": ["[]"]}},
            "part_missing",
            "Split “test” lacks files of this format. Add them, by their names: test.",
        ),
        ({"columns": {"sentence": "text"}}, "columns_unexpected", "has its own columns"),
        ({"format": "table", "columns": {"x": "y"}}, "items_unreadable", "columns must be of"),
        ({"format": "winogrande", "splits": {"test": ["x" * 1_000_001]}}, "items_unreadable", "1"),
    ],
)
def test_files_that_a_format_does_not_have_are_refused(
    fields: dict[str, Any], code: str, says: str
) -> None:
    with pytest.raises(DomainError, match=says) as caught:
        imported(**fields)
    assert caught.value.code == code
    assert len(str(caught.value)) < 1200
    assert not ReferenceSet.objects.exists()


@pytest.mark.parametrize("field", ["id", "sentence"])
def test_half_of_a_surrogate_pair_is_refused(field: str) -> None:
    item = json.loads(SMALL["items"]["lines"][0])
    line = json.dumps(item | {field: item[field] + "\ud800"})
    with pytest.raises(DomainError, match="has a character that is not Unicode"):
        imported(format="items", splits={"test": [line]})


def test_who_imports_is_told_what_is_left_out() -> None:
    (published,) = SMALL["knowref"]["lines"]
    records = [*json.loads(published), *json.loads(published.replace("Bob", "Al"))]
    told: list[str] = []
    found = imported(format="knowref", splits={"test": [json.dumps(records)]}, left_out=told.append)
    assert found.splits.get().n_items == 1
    assert told == ["Split “test”: record 2 is left out: both candidates are 'Al'."]


def written(folder: Path, format: str) -> Path:
    """Write a small set under its published names."""
    for part, name in BY_NAME[format].files.items():
        text = "".join(SMALL[format][part])
        (folder / name.format(split="dev")).write_text(text, encoding=BY_NAME[format].encoding)
    return folder


@pytest.mark.parametrize("format", [name for name, known in BY_NAME.items() if known.files])
def test_a_folder_contains_the_published_files(
    format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("import_reference_set", "tiny", f"dev={written(tmp_path, format)}", format=format)
    assert "tiny/dev: " in capsys.readouterr().out
    (split,) = ReferenceSet.objects.get().splits.all()
    small = load_items(imported("other", format=format, splits=splits_of(format)).splits.get())
    assert load_items(split) == small


def test_of_a_folder_a_required_file_must_be_there(tmp_path: Path) -> None:
    written(tmp_path, "winobias")
    (tmp_path / "male_occupations.txt").unlink()
    with pytest.raises(CommandError, match=r"No such file.*male_occupations"):
        call_command("import_reference_set", "tiny", f"dev={tmp_path}", format="winobias")
    written(tmp_path, "winogender")
    (tmp_path / "occupations-stats.tsv").unlink()
    call_command("import_reference_set", "tiny", f"dev={tmp_path}", format="winogender")
    (item,) = load_items(ReferenceSet.objects.get().splits.get())
    assert "gotcha" not in item.metadata


def test_a_folder_is_no_file_of_a_format_with_one(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Is a directory"):
        call_command("import_reference_set", "tiny", f"dev={tmp_path}", format="pdp")


def test_the_command_takes_columns_and_says_what_is_unlabelled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a=b.csv"
    path.write_text("text,first,second\nThe _ fell.,cup,tray\n")
    columns = ["sentence=text", "options=first,second"]
    call_command("import_reference_set", "tiny", f"test={path}", format="table", column=columns)
    assert capsys.readouterr().out == (
        "tiny/test: 1 items in 1 groups\ntiny/test: the answers of 1 are unknown\n"
    )


@pytest.mark.parametrize("argument", ["test", "test=", "=x"])
def test_an_argument_that_is_no_pair_is_refused(argument: str) -> None:
    with pytest.raises(CommandError, match="as a name, an equals sign and a value"):
        call_command("import_reference_set", "tiny", argument, format="pdp")


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
