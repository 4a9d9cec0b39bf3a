"""The functions of the harnesses' tasks by hand; the tasks themselves, where these are installed.

`WINO_LM_EVAL=/path/to/venv/bin/lm_eval` and `WINO_INSPECT=/path/to/venv/bin/inspect` name
lm-evaluation-harness and Inspect: they need half a gigabyte of packages, so they are not among
those for development.
"""

import gzip
import importlib.util
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import load_file, save_file

from corpora.core.bundle.documents import answers_task, benchmark, documents, task
from corpora.core.forms import clozes
from corpora.core.items import Item
from evaluation.core.predictions import parse_answer, read_predictions
from modeling.loading import load_model
from modeling.scoring.causal import causal_scores
from modeling.specs import SMOLLM2
from tests.corpora.core.bundle import releases
from tests.corpora.core.bundle.programs import (
    SMOLLM2_FOLDER,
    harness,
    harness_answers,
    inspect_answers,
    needs_harness,
    needs_inspect,
)
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
ASKED = 30


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


class Model(NamedTuple):
    """A model by the platform's name and by the folder that others open."""

    name: str
    folder: Path


@pytest.fixture(scope="module", params=["SmolLM2", "SmolLM2 with noise"])
def model(request, tmp_path_factory):
    """The second model has other weights, and gives other answers."""
    if request.param == "SmolLM2":
        return Model(SMOLLM2, SMOLLM2_FOLDER)
    folder = tmp_path_factory.mktemp("models") / "noisy"
    shutil.copytree(SMOLLM2_FOLDER, folder)
    (folder / "source.sha256").unlink()
    weights = load_file(folder / "model.safetensors")
    torch.manual_seed(0)
    for tensor in weights.values():
        tensor.mul_(1 + 0.1 * torch.randn_like(tensor))
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return Model(str(folder), folder)


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
def test_the_harness_gives_the_scores_of_the_page(tmp_path, read, start, model):
    """Item by item: with the page's start token, and by its own conventions."""
    dev = sorted(read(QUESTIONS), key=lambda row: row["qID"])
    splits = {"train_xl": releases.rows(1), "dev": dev, "test": []}
    (tmp_path / "small-1").mkdir()
    releases.write_release(tmp_path / "small-1", splits)
    found = harness(tmp_path / "small-1", tmp_path, model=model.folder, start=start)
    theirs = found["samples"]
    asked = [cloze(row) for row in dev]
    ours = causal_scores(load_model(model.name, "causal"), asked, partial=True, start=bool(start))
    np.testing.assert_allclose([theirs[row["qID"]] for row in dev], ours, atol=1e-3)
    scores = scored(tmp_path, [1 + int(np.argmax(one)) for one in ours])
    assert scores["acc"] == pytest.approx(found["acc,none"])
    assert scores["pair-acc"] == pytest.approx(found["pair_acc,none"])


def scored(folder, answers):
    """What the release's own script says of answers."""
    (folder / "answers.lst").write_text("".join(f"{answer}\n" for answer in answers))
    script = [sys.executable, "-I", folder / "small-1" / "score.py"]
    command = [*script, "--preds_file", folder / "answers.lst"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {name.removesuffix("-xl"): score for name, score in json.loads(done.stdout).items()}


def cloze(row):
    """The cloze that an evaluation of the release scores."""
    options = (row["option1"], row["option2"])
    return clozes([Item(id="a", group="a", sentence=row["sentence"], options=options)])[0]


SAID = (
    "2",
    " 2.",
    "1) Ann",
    "The answer is 2, not 1.",
    "Ann",
    "12",
    "",
    "Option 1\n\nOption 2",
    "1.5",
)


def test_one_reading_of_answers_is_in_all_tasks(utils):
    """In the harness's filter and the Hub's scorer as a pattern, in Inspect's task as code."""
    manifest = releases.manifest_of(releases.small_release())
    found = yaml.load(answers_task(manifest).replace("!function ", ""), Loader=yaml.SafeLoader)
    (of_harness,) = found["filter_list"]
    (hub,) = yaml.safe_load(benchmark(manifest))["tasks"]
    patterns = {
        of_harness["filter"][0]["regex_pattern"],
        hub["scorers"][0]["args"]["pattern"],
        utils.NUMBER.pattern,
    }
    assert len(patterns) == 1
    (template,) = (one["args"]["template"] for one in hub["solvers"] if "template" in one["args"])
    assert template == utils.PROMPT
    assert found["generation_kwargs"]["max_gen_toks"] == utils.MAX_TOKENS


def test_the_first_number_that_stands_alone_is_the_answer(utils):
    read = [utils.number_in(text) for text in SAID]
    none = utils.NO_NUMBER
    assert read == ["2", "2", "1", "2", none, none, none, "1", "1"]
    assert utils.process_number(DOC, ["1"]) == {"acc": 1.0, "pair_acc": ("AB", 1.0)}
    assert utils.process_number(DOC, [none])["acc"] == 0


def test_the_question_names_both_options_by_their_numbers(utils):
    asked = utils.prompt(DOC)
    assert asked.endswith("\n\nAnn fed Eve, as _ was full.\n\n1) Ann\n2) Eve")
    assert "{" not in asked


def test_what_no_number_is_read_from_is_wrong_for_the_platform_too(utils):
    """Its reader takes the answers that the runners have extracted."""
    for said in SAID:
        number = utils.number_in(said)
        option = parse_answer(number, ["Ann", "Eve"]).option
        assert option == (None if number == utils.NO_NUMBER else int(number))


def test_a_release_without_dev_is_no_benchmark():
    assert "eval.yaml" in documents(releases.manifest_of(releases.small_release()))
    assert "eval.yaml" not in documents(releases.manifest_of(releases.small_release(dev=[])))


@pytest.mark.long
@pytest.mark.timeout(3600)
@needs_harness
@needs_inspect
@pytest.mark.parametrize("read", [winogrande, wsc273], ids=lambda read: read.__name__)
def test_both_runners_and_the_platform_find_the_same_answers_right(tmp_path, read, utils, model):
    """Item by item, greedily: what the harness extracts, what Inspect extracts, what we read."""
    dev = sorted(read(ASKED), key=lambda row: row["qID"])
    (tmp_path / "small-1").mkdir()
    splits = {"train_xl": releases.rows(1), "dev": dev, "test": []}
    releases.write_release(tmp_path / "small-1", splits)
    theirs = harness_answers(tmp_path / "small-1", tmp_path, model=model.folder)
    inspects = inspect_answers(tmp_path / "small-1", tmp_path, model=model.folder)
    said = {row["qID"]: theirs["samples"][row["qID"]] for row in dev}
    assert said == inspects["samples"]
    ours = platform_reads(theirs["file"], dev)
    assert ours == platform_reads(inspects["file"], dev)
    right = {row["qID"]: str(ours[row["qID"]]) == row["answer"] for row in dev}
    assert right == {row["qID"]: said[row["qID"]] == row["answer"] for row in dev}
    assert set(said.values()) & {"1", "2"}  # else nothing was compared
    share = np.mean(list(right.values()))
    pairs = utils.pair_accuracy(
        (qid.rpartition("-")[0], float(is_right)) for qid, is_right in right.items()
    )
    chosen = [said[row["qID"]] for row in dev]
    if set(chosen) <= {"1", "2"}:  # what the script reads
        scores = scored(tmp_path, chosen)
        assert (scores["acc"], scores["pair-acc"]) == (pytest.approx(share), pytest.approx(pairs))
    for scores in (theirs, inspects):
        assert scores["acc"] == pytest.approx(share)
        assert scores["pair_acc"] == pytest.approx(pairs)


def platform_reads(path, dev):
    """The options by the question's id that the platform reads from a runner's log."""
    asked = [
        Item(
            id=row["qID"], group=row["qID"].rpartition("-")[0], sentence=row["sentence"],
            options=(row["option1"], row["option2"]), answer=int(row["answer"]),
        )
        for row in dev
    ]  # fmt: skip
    with path.open("rb") as file:
        return dict(read_predictions(file, asked, format="jsonl").predictions)
