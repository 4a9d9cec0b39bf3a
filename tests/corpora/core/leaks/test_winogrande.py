"""WinoGrande 1.1's own files: the ending of a qID equals the answer."""

import gzip
import json

import pytest

from corpora.core.leaks.files import PublishedFile
from corpora.core.leaks.report import leak_report
from tests.data_dir import needs_data
from tests.winogrande_data import winogrande_path

pytestmark = needs_data


def winogrande_file(name: str) -> PublishedFile:
    path = winogrande_path(name)
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return PublishedFile(f"{name}.jsonl", rows, [int(row["answer"]) for row in rows], len(rows))


@pytest.mark.long
def test_the_ending_of_the_id_is_found_in_dev():
    assert_ending_is_found("dev")


@pytest.mark.long
@pytest.mark.parametrize("name", ["train_xs", "train_s", "train_m", "train_l"])
def test_the_ending_of_the_id_is_found_in_train(name):
    assert_ending_is_found(name)


def assert_ending_is_found(name: str) -> None:
    section = leak_report([winogrande_file(name)], name="WinoGrande 1.1").sections[0]
    (one,) = section.publication[0].found
    assert one.clue == "ending of qID"
    assert one.right == one.throws == section.pairs + section.unpaired
    assert "leak found" in section.summary
