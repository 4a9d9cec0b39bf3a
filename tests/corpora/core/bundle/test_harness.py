"""The harness's functions by hand; the task itself, where lm-evaluation-harness is installed.

`WINO_LM_EVAL=/path/to/venv/bin/lm_eval` names the harness: it needs half a gigabyte of packages, so
it is not among those for development.
"""

import gzip
import importlib.util
import json
import math
from pathlib import Path

import numpy as np
import pytest
import yaml

from corpora.core.bundle.documents import task
from corpora.core.forms import clozes
from corpora.core.items import Item
from modeling.loading import load_model
from modeling.scoring.causal import causal_scores
from modeling.specs import SMOLLM2
from tests.corpora.core.bundle import releases
from tests.corpora.core.bundle.programs import harness, needs_harness
from tests.corpora.real_sets import items
from tests.data_dir import data_dir

UTILS = Path("corpora/core/bundle/stand_alone/utils.py").resolve()
DOC = {
    "qID": "AB-2",
    "sentence": "Ann fed Eve, as _ was full.",
    "option1": "Ann",
    "option2": "Eve",
    "answer": "1",
}


QUESTIONS = 100


def winogrande(n):
    with gzip.open(data_dir() / "winogrande/train_l.jsonl.gz", "rt") as file:
        return [json.loads(next(file)) | {"domain": "", "origin": ""} for _ in range(n)]


def wsc273(n):
    read = items("wsc273", lines="wsc/wsc273.txt")[:n]
    return [
        {"qID": f"Q{number // 2:03}-{number % 2 + 1}", "sentence": item.sentence,
         "option1": item.options[0], "option2": item.options[1], "answer": str(item.answer),
         "domain": "", "origin": ""}
        for number, item in enumerate(read)
    ]  # fmt: skip


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


def test_options_are_written_as_on_the_page(utils):
    sentences = ["_ was full.", "It fell. _ rose.", 'He said: "_ is wet."', "Ann fed _ twice."]
    for sentence in sentences:
        doc = DOC | {"sentence": sentence, "option1": "The dog", "option2": "grass"}
        assert [doc_to_choice + doc["sentence"].partition("_")[2] for doc_to_choice in
                utils.doc_to_choice(doc)] == cloze(doc).filled  # fmt: skip


def test_a_start_token_goes_before_each_text(utils):
    assert utils.doc_to_choice(DOC | {"sentence": "_ was full.", "start": "<s>"}) == [
        "<s>Ann",
        "<s>Eve",
    ]


@pytest.mark.long
@pytest.mark.timeout(3600)
@needs_harness
@pytest.mark.parametrize("read", [winogrande, wsc273], ids=lambda read: read.__name__)
@pytest.mark.parametrize("start", ["<|endoftext|>", ""], ids=["page", "harness"])
def test_the_harness_gives_the_scores_of_the_page(tmp_path, read, start):
    """Item by item: with the page's start token, and by its own conventions."""
    dev = sorted(read(QUESTIONS), key=lambda row: row["qID"])
    splits = {"train_xl": releases.rows(1), "dev": dev, "test": []}
    (tmp_path / "small-1").mkdir()
    releases.write_release(tmp_path / "small-1", splits)
    theirs = harness(tmp_path / "small-1", tmp_path, start=start)["samples"]
    asked = [cloze(row) for row in dev]
    model = load_model(SMOLLM2, "causal")
    ours = causal_scores(model, asked, partial=True, start=bool(start))
    np.testing.assert_allclose([theirs[row["qID"]] for row in dev], ours, atol=1e-3)


def cloze(row):
    """The cloze that an evaluation of the release scores."""
    options = (row["option1"], row["option2"])
    return clozes([Item(id="a", group="a", sentence=row["sentence"], options=options)])[0]
