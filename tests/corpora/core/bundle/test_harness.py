"""The harness's functions by hand; the task itself, where lm-evaluation-harness is installed.

`WINO_LM_EVAL=/path/to/venv/bin/lm_eval` names the harness: it needs half a gigabyte of packages, so
it is not among those for development.
"""

import gzip
import importlib.util
import json
import math
from pathlib import Path

import pytest
import yaml

from corpora.core.bundle.harness import task
from modeling.loading import load_model
from modeling.scoring.causal import causal_scores
from modeling.scoring.clozes import Cloze
from modeling.specs import SMOLLM2
from tests.corpora.core.bundle import releases
from tests.corpora.core.bundle.programs import harness, needs_harness
from tests.data_dir import data_dir

UTILS = Path("corpora/core/bundle/stand_alone/utils.py").resolve()
DOC = {
    "qID": "AB-2",
    "sentence": "Ann fed Eve, as _ was full.",
    "option1": "Ann",
    "option2": "Eve",
    "answer": "1",
}


@pytest.fixture(scope="module")
def utils():
    spec = importlib.util.spec_from_file_location("utils", UTILS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_text_after_the_blank_is_scored(utils):
    assert utils.doc_to_choice(DOC) == ["Ann fed Eve, as Ann", "Ann fed Eve, as Eve"]
    assert utils.doc_to_target(DOC) == " was full."
    assert utils.doc_to_text(DOC) == 0


def test_a_tie_counts_one_half(utils):
    def credit(*likelihoods):
        return utils.process_results(DOC, [(one, False) for one in likelihoods])["acc"]

    assert (credit(-1.0, -2.0), credit(-2.0, -1.0), credit(-1.0, -1.0)) == (1, 0, 0.5)


def test_pair_accuracy_is_over_complete_pairs(utils):
    items = [("a", 1), ("a", 1), ("b", 1), ("b", 0), ("c", 0.5), ("c", 0.5), ("d", 1)]
    assert utils.pair_accuracy(items) == pytest.approx((1 + 0 + 0.25) / 3)
    assert math.isnan(utils.pair_accuracy([("d", 1)]))


def test_the_task_has_the_name_and_version_of_the_release():
    manifest = releases.manifest_of({"train_xl": [], "dev": [], "test": []}, version="1.2.3")
    found = yaml.load(task(manifest).replace("!function ", ""), Loader=yaml.SafeLoader)
    assert (found["task"], found["metadata"]) == ("small-1", {"version": "1.2.3"})


@pytest.mark.long
@pytest.mark.timeout(1800)
@needs_harness
def test_the_harness_and_our_scorer_agree_on_smollm2(tmp_path):
    with gzip.open(data_dir() / "winogrande/train_l.jsonl.gz", "rt") as file:
        lines = [json.loads(next(file)) | {"domain": "", "origin": ""} for _ in range(200)]
    dev = sorted(lines, key=lambda row: row["qID"])
    splits = {"train_xl": releases.rows(1), "dev": dev, "test": []}
    (tmp_path / "small-1").mkdir()
    releases.write_release(tmp_path / "small-1", splits)
    theirs = harness(tmp_path / "small-1", tmp_path)
    ours = causal_scores(load_model(SMOLLM2, "causal"), [cloze(row) for row in dev], partial=True)
    answers = [int(row["answer"]) - 1 for row in dev]
    right = [scores.argmax() == answer for scores, answer in zip(ours, answers, strict=True)]
    # Theirs has no token of a document's start before the text.
    assert theirs["acc,none"] == pytest.approx(sum(right) / 200, abs=0.05)


def cloze(row):
    before, _, after = row["sentence"].partition("_")
    return Cloze(before, (row["option1"], row["option2"]), after)
