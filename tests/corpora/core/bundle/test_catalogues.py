"""A release opened by others' programs, from its folder alone."""

import hashlib
import json

import pandas as pd
import pytest

from tests.corpora.core.bundle.programs import CROISSANT, LOAD, run
from tests.corpora.core.bundle.releases import small_release, write_release


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "small-1"
    folder.mkdir()
    write_release(folder, title='A "title": <b>&</b>\n---\n', authors=("Ann: #1", "Eve"))
    return folder


@pytest.mark.long
def test_datasets_loads_the_folder_with_its_configurations(release, tmp_path):
    loaded, rows = run(LOAD, release, tmp_path), small_release()
    assert loaded["default"] == {
        "train": rows["train_xl"],
        "validation": rows["dev"],
        "test": rows["test"],
    }
    assert loaded["train_s"]["train"] == rows["train_s"]


@pytest.mark.long
def test_mlcroissant_accepts_the_description_and_loads_every_record(release, tmp_path):
    found = run(CROISSANT, release, tmp_path)
    assert found["issues"] == []
    assert found["version"] == "http://mlcommons.org/croissant/1.1"
    assert found["limits"]
    for stem, rows in small_release().items():
        assert found["records"][stem] == [
            {f"{stem}/{column}": value for column, value in row.items()} for row in rows
        ]


def test_pandas_reads_json_lines_and_parquet_alike(release):
    for stem in ("train_l", "dev"):
        lines = pd.read_json(release / f"{stem}.jsonl", lines=True, dtype=str)
        table = pd.read_parquet(release / f"data/{stem}.parquet")
        assert lines.to_dict("records") == table[lines.columns].to_dict("records")


def test_every_file_of_the_description_has_its_hash(release):
    about = json.loads((release / "croissant.json").read_text())
    for file in about["distribution"]:
        data = (release / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(data).hexdigest()
        assert file["contentSize"] == f"{len(data)} B"
