"""Releases of the starter and of WinoGrande's train_l, opened from the bundle alone by others.

Each is made as a user makes it: loaded, filtered with the default settings, and exported as a zip.
"""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from django.db import transaction

from collection.imports.winogrande import import_winogrande
from collection.models import Campaign
from corpora.core.bundle.layout import COLUMNS, STEMS, training_stem
from corpora.core.bundle.responsible import REQUIRED
from evaluation import services
from evaluation.core.verify import Outcome, open_bundle, verify
from tests.corpora.core.bundle.programs import CROISSANT, LOAD, SERVED, harness, needs_harness, run
from tests.data_dir import needs_data
from tests.filtering.stages import carried
from tests.winogrande_data import winogrande_path
from validation import starter

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


def starter_campaign() -> Campaign:
    campaign = starter.load()
    assert campaign is not None
    return campaign


def train_l() -> Campaign:
    import_winogrande(path=winogrande_path("train_l"), slug="train-l")
    return Campaign.objects.get(slug="train-l")


Splits = dict[str, list[dict[str, str]]]
CAMPAIGNS = {"starter": starter_campaign, "train_l": train_l}


@pytest.fixture(scope="module", params=["starter", pytest.param("train_l", marks=needs_data)])
def bundle(
    request: pytest.FixtureRequest, kept: str, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder that the zip unpacks to."""
    folder = tmp_path_factory.mktemp("bundle")
    with transaction.atomic():
        campaign = CAMPAIGNS[request.param]()
        pipeline = services.start_pipeline(campaign=campaign, release_name="opened-1", by=None)
        for stage in (pipeline.snapshot, pipeline.encoding, pipeline.filter_run, pipeline.release):
            carried(stage)
        call_command("export_release", "opened-1", str(folder / "opened-1.zip"))
        transaction.set_rollback(True)
    zipfile.ZipFile(folder / "opened-1.zip").extractall(folder)
    return folder / "opened-1"


def test_a_release_is_opened_from_its_bundle_alone(bundle: Path, tmp_path: Path) -> None:
    """One test, since the release takes minutes and each process would make it again."""
    splits = rows_of(bundle)
    assert_datasets_loads_every_configuration(bundle, splits, tmp_path)
    assert_mlcroissant_reads_every_record(bundle, splits, tmp_path)
    assert_the_venue_s_validator_finds_nothing(bundle, splits, tmp_path)
    assert_pandas_and_pyarrow_read_the_same_rows(bundle, splits)
    assert_its_scorer_scores_predictions(bundle, splits, tmp_path)
    assert_nothing_is_found_wrong(bundle)


def rows_of(bundle: Path) -> Splits:
    """The rows by split, as many as the manifest says."""
    about = json.loads((bundle / "manifest.json").read_text())["splits"]
    found = {
        stem: pq.read_table(bundle / f"data/{stem}.parquet").to_pylist()
        for stem in STEMS
        if stem in about
    }
    assert {stem: len(rows) for stem, rows in found.items()} == {
        stem: figures["questions"] for stem, figures in about.items()
    }
    assert min(len(found["dev"]), len(found["test"])) >= 10
    return found


def assert_datasets_loads_every_configuration(bundle: Path, splits: Splits, tmp_path: Path) -> None:
    loaded = run(LOAD, bundle, tmp_path)
    training = [stem for stem in splits if stem.startswith("train")]
    assert set(training) < set(loaded)
    for name in training:
        assert loaded[name]["train"] == splits[name]
    assert loaded["default"] == {
        "train": splits[training_stem(splits)],
        "validation": splits["dev"],
        "test": splits["test"],
    }


def assert_mlcroissant_reads_every_record(bundle: Path, splits: Splits, tmp_path: Path) -> None:
    found = run(CROISSANT, bundle, tmp_path)
    assert found["issues"] == []
    assert found["records"].keys() == splits.keys()
    for stem, rows in splits.items():
        assert found["records"][stem] == [
            {f"{stem}/{column}": value for column, value in row.items()} for row in rows
        ]


def assert_the_venue_s_validator_finds_nothing(
    bundle: Path, splits: Splits, tmp_path: Path
) -> None:
    """Records from the addresses of a server, and all eight fields."""
    found = run(SERVED, bundle, tmp_path)
    assert found["issues"] == []
    assert found["first"].keys() == splits.keys()
    about = json.loads((bundle / "croissant.json").read_text())
    assert [name for name in REQUIRED if about.get(name) in (None, "", [])] == []


def assert_pandas_and_pyarrow_read_the_same_rows(bundle: Path, splits: Splits) -> None:
    for stem, rows in splits.items():
        table = pd.read_parquet(bundle / f"data/{stem}.parquet")
        assert tuple(table.columns) == COLUMNS
        assert table.to_dict("records") == rows
        lines = pd.read_json(bundle / f"{stem}.jsonl", lines=True, dtype=str)
        assert lines.to_dict("records") == table[lines.columns].to_dict("records")
        assert set(lines["answer"]) == ({""} if stem == "test" else {"1", "2"})


def assert_its_scorer_scores_predictions(bundle: Path, splits: Splits, tmp_path: Path) -> None:
    """Half of the predictions for xl are right, as if labels of every second line were changed."""
    sizes = [stem for stem in splits if stem.startswith("train") and stem != "train_debiased"]
    predictions = tmp_path / "predictions.lst"
    right = [int(row["answer"]) for row in splits["dev"]]
    lines = [
        ",".join([str(answer)] * (len(sizes) - 1) + [str(answer if place % 2 else 3 - answer)])
        for place, answer in enumerate(right)
    ]
    predictions.write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-I", bundle / "score.py", "--preds_file", predictions]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=True)
    scores = json.loads(done.stdout)
    assert scores["acc-xl"] == pytest.approx(len(right) // 2 / len(right))
    assert {scores[f"acc-{stem.removeprefix('train_')}"] for stem in sizes[:-1]} == {1}


def assert_nothing_is_found_wrong(bundle: Path) -> None:
    with open_bundle(bundle) as files:
        found = list(verify(files, opened=None))
    assert [one for one in found if one.outcome is Outcome.WRONG] == []
    assert len(found) > 100


@needs_harness
def test_its_task_is_run_by_the_harness(bundle: Path, tmp_path: Path) -> None:
    scores = harness(bundle, tmp_path, limit=200)
    assert 0.3 < scores["acc,none"] < 0.8
    assert 0 <= scores["pair_acc,none"] <= 1
