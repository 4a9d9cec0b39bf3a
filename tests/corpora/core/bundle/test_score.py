"""score.py, run as a stranger would: outside the platform, with Python alone."""

import json
import math
import subprocess
import sys

import pytest

from tests.corpora.core.bundle.releases import rows, small_release, write_release
from tests.data_dir import data_dir

DEV = [*rows(2, start=300), rows(1, start=302)[0]]  # two pairs and one question
ANSWERS = [int(row["answer"]) for row in DEV]  # 2, 1, 1, 2, 2


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small-1")
    write_release(folder, small_release(dev=DEV))
    return folder


def run(folder, lines, *more):
    path = folder / "predictions.lst"
    path.write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-I", folder / "score.py", "--preds_file", path, *more]
    return subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)


def answers(*wrong_by_size):
    """Return predictions that are wrong on these lines, for each size."""
    columns = [
        [3 - right if at in wrong else right for at, right in enumerate(ANSWERS)]
        for wrong in wrong_by_size
    ]
    return [",".join(map(str, line)) for line in zip(*columns, strict=True)]


def test_scores_are_those_computed_by_hand(release):
    found = run(release, answers({0, 1, 2, 3, 4}, {0, 2}, {0, 1}, {4}, set()))
    scores = json.loads(found.stdout)
    accuracies = {"xs": 0, "s": 0.6, "m": 0.6, "l": 0.8, "xl": 1}
    pairs = {"xs": 0, "s": 0, "m": 0.5, "l": 1, "xl": 1}
    for size in accuracies:
        assert scores[f"acc-{size}"] == accuracies[size]
        assert scores[f"pair-acc-{size}"] == pairs[size]
    # Sizes of 2, 8, 32, 128 and 512 questions: four steps of equal width.
    assert scores["auc"] == pytest.approx((0 / 2 + 0.6 + 0.6 + 0.8 + 1 / 2) / 4)
    assert scores["pair-auc"] == pytest.approx((0 / 2 + 0 + 0.5 + 1 + 1 / 2) / 4)


def test_the_answers_of_one_model_are_one_column(release):
    scores = json.loads(run(release, answers({0, 2})).stdout)
    assert scores == {"acc": 0.6, "pair-acc": 0}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (answers(set(), set(), set(), set()), "line 1: must be 5 times 1 or 2"),
        (answers(*[set()] * 5)[:4], "There are 5 labels, but 4 predictions."),
        (["1", "1", "1", "1", "1,1,1,1,1"], "line 5: must be 1 or 2"),
        (["1,1,1,1,3"] * 5, "must be 5 times 1 or 2, separated by commas, got '1,1,1,1,3'"),
    ],
)
def test_a_file_of_another_form_is_refused(release, lines, message):
    found = run(release, lines)
    assert (found.returncode, found.stdout) == (2, "")
    assert message in found.stderr


def test_the_blind_split_cannot_be_scored(release):
    found = run(release, ["1,1,1,1,1"] * 10, "--labels_file", release / "test-labels.lst")
    assert found.returncode == 2
    assert "The labels of the test split are secret" in found.stderr


def test_scores_are_written_to_a_file_too(release):
    out = release / "metrics.json"
    found = run(release, answers(*[set()] * 5), "--metrics_output_file", out)
    assert json.loads(out.read_text()) == json.loads(found.stdout)
    out.unlink()


def test_a_release_without_small_sizes_has_fewer_columns(tmp_path):
    write_release(tmp_path, {"train_xl": rows(2), "dev": DEV, "test": []})
    scores = json.loads(run(tmp_path, answers({0})).stdout)
    assert scores == {"acc-xl": 0.8, "pair-acc-xl": 0.5, "auc": None, "pair-auc": None}


def test_winogrande_s_own_files_get_the_area_of_its_own_script(release, tmp_path):
    source, dev = data_dir() / "winogrande", tmp_path / "dev.jsonl"
    dev.write_bytes((source / "dev.jsonl").read_bytes())
    (tmp_path / "score.py").write_bytes((release / "score.py").read_bytes())
    sizes = {"xs": 160, "s": 640, "m": 2558, "l": 10234, "xl": 40398}
    facts = {"splits": {f"train_{size}": {"questions": n} for size, n in sizes.items()}}
    (tmp_path / "manifest.json").write_text(json.dumps(facts))
    labels = (source / "dev-labels.lst").read_text().split()
    (tmp_path / "dev-labels.lst").write_text("\n".join(labels) + "\n")
    lines = (source / "sample-submission-labels.lst").read_text().split()[: len(labels)]
    scores = json.loads(run(tmp_path, lines).stdout)
    x = [math.log2(n) for n in sizes.values()]
    y = [
        sum(line.split(",")[at] == label for line, label in zip(lines, labels, strict=True)) / 1267
        for at in range(5)
    ]
    area = sum((x[i + 1] - x[i]) * (y[i] + y[i + 1]) / 2 for i in range(4)) / (x[4] - x[0])
    assert scores["auc"] == pytest.approx(area)
    assert [scores[f"acc-{size}"] for size in sizes] == pytest.approx(y)
