"""Language models on a small set: the same scores however often a worker dies, or a sentence."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.utils import timezone
from safetensors.torch import load_file, save_file

from corpora.core.forms import clozes
from corpora.core.items import Item
from evaluation.models import Evaluation
from evaluation.runner import blocks
from evaluation.runner.blocks import Blocks
from modeling.loading import load_model
from modeling.scoring import Cloze, causal_scores, masked_scores
from tests.evaluation.sets import ITEMS, failure_of, requested, small_set, tiny_model
from tests.filtering.stages import carried, killed_after, lease_ends, read, rows
from winoplatform.runs import helping
from winoplatform.runs.kinds import execute_here, help_run
from winoplatform.runs.start import resume

BLOCKS = 3


@pytest.fixture(autouse=True)
def unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helping.current_app, "send_task", lambda *_, **__: None)


@pytest.fixture
def causal(tmp_path: Path, settings: Any) -> str:
    return tiny_model(tmp_path, settings)


@pytest.mark.parametrize("variant", ["partial", "full_mean"])
def test_the_scores_of_a_causal_model_are_stored_in_published_order(
    causal: str, variant: str
) -> None:
    run = carried(requested(causal, variant=variant))
    expected = causal_scores(
        load_model(causal, "causal"),
        clozes(ITEMS),
        partial="partial" in variant,
        mean="mean" in variant,
    )
    found = rows(read(run.predictions))
    assert [row["qID"] for row in found] == [item.id for item in ITEMS]
    for row, scores in zip(found, expected, strict=True):
        assert row["scores"] == pytest.approx(scores.tolist())
        assert row["prediction"] == 1 + int(np.argmax(scores))
    assert (run.done, run.total, run.steps.count()) == (6, 6, BLOCKS)
    assert run.metrics["accuracy"]["n"] == 6
    assert run.metrics["group_score"]["n"] == 3
    assert run.metrics["chance"]["value"] == 0.5


@pytest.mark.parametrize("variant", ["span", "pseudo_mean"])
def test_the_scores_of_a_masked_model_are_stored(
    tmp_path: Path, settings: Any, variant: str
) -> None:
    spec = tiny_model(tmp_path, settings, "masked")
    run = carried(requested(spec, method="masked", variant=variant))
    expected = masked_scores(
        load_model(spec, "masked"),
        clozes(ITEMS),
        method="span" if variant == "span" else "pseudo",
        mean="mean" in variant,
    )
    for row, scores in zip(rows(read(run.predictions)), expected, strict=True):
        assert row["scores"] == pytest.approx(scores.tolist())


def test_an_evaluation_records_what_its_scores_depend_on(causal: str) -> None:
    run = carried(requested(causal))
    model = load_model(causal, "causal")
    assert (run.variant, run.revision, run.dropped) == ("partial", "", {})
    assert run.weights_sha256 == model.weights_sha256
    assert run.config_sha256 == model.config_sha256
    assert len(run.data_sha256) == 64
    assert " torch==" in run.code_version


def test_the_hash_of_the_data_tells_no_answer(causal: str) -> None:
    first = carried(requested(causal))
    flipped = [replace(item, answer=3 - (item.answer or 0)) for item in ITEMS]
    first.reference_set.name = "other"
    first.reference_set.save()
    other = carried(requested(causal, data=small_set(flipped)))
    assert other.data_sha256 == first.data_sha256


@pytest.mark.long
@pytest.mark.parametrize("records", [1, BLOCKS])
def test_a_worker_killed_between_blocks_leaves_no_trace_in_the_result(
    causal: str, records: int
) -> None:
    data = small_set()
    unbroken = carried(requested(causal, data=data))
    run = requested(causal, data=data)
    killed_after_blocks(run, records)
    assert carried(run).predictions == unbroken.predictions
    assert run.metrics == unbroken.metrics
    assert sorted(run.steps.values_list("number", flat=True)) == [1, 2, 3]
    assert set(run.steps.values_list("attempt", flat=True)) <= {1, 2}


def killed_after_blocks(run: Evaluation, records: int) -> None:
    if records < BLOCKS:
        killed_after(run, records)
        return
    with pytest.MonkeyPatch.context() as patch:  # after the last block, before the end
        patch.setattr(Blocks, "results", _die)
        with pytest.raises(KeyboardInterrupt):
            execute_here(run)
    lease_ends(run)


def _die(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.long
def test_two_workers_share_one_evaluation(causal: str) -> None:
    data = small_set()
    alone = carried(requested(causal, data=data))
    run = requested(causal, data=data)
    killed_after(run, 1)
    lease = timezone.now() + timedelta(seconds=60)
    Evaluation.objects.filter(pk=run.pk).update(leased_until=lease)
    help_run("evaluation.evaluation", run.pk)
    run.refresh_from_db()
    assert (run.status, run.done, run.steps.count()) == ("running", 6, BLOCKS)
    lease_ends(run)
    assert carried(run).predictions == alone.predictions


def damaged(spec: str) -> None:
    path = Path(spec) / "model.safetensors"
    tensors = {name: tensor * float("nan") for name, tensor in load_file(path).items()}
    save_file(tensors, path, metadata={"format": "pt"})


def no_head(spec: str) -> None:
    config = Path(spec) / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"tie_word_embeddings": False}))
    path = Path(spec) / "model.safetensors"
    tensors = {name: t for name, t in load_file(path).items() if name != "lm_head.weight"}
    save_file(tensors, path, metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (damaged, "a score is not finite; the weights or the dtype cannot be right"),
        (no_head, "that was trained for this use (causal)"),
        (shutil.rmtree, "has no config.json. Name a folder that save_pretrained wrote."),
    ],
)
def test_a_model_that_cannot_be_used_fails_with_a_sentence(
    causal: str, change: Callable[[str], None], sentence: str
) -> None:
    run = requested(causal)
    change(causal)
    execute_here(run)
    assert sentence in failure_of(run)
    assert (run.metrics, run.predictions) == (None, None)


def test_a_text_that_is_too_long_fails_with_a_sentence(tmp_path: Path, settings: Any) -> None:
    run = requested(tiny_model(tmp_path, settings, positions=12))
    execute_here(run)
    assert "takes at most 12" in failure_of(run)


TRUTH = Item(
    id="t",
    group="t",
    sentence="it is too large",
    options=("true", "false"),
    answer=1,
    form="truth",
    span=(0, 2),
    candidate="the box",
)


def test_true_or_false_is_a_choice_between_the_candidate_and_the_pronoun(causal: str) -> None:
    run = carried(requested(causal, data=small_set([*ITEMS, TRUTH])))
    [found] = [row for row in rows(read(run.predictions)) if row["qID"] == "t"]
    asked = Cloze("", ("The box", "It"), " is too large")
    [scores] = causal_scores(load_model(causal, "causal"), [asked], partial=True)
    assert found["scores"] == pytest.approx(scores.tolist(), abs=1e-4)


def test_the_chance_of_true_and_false_is_that_of_the_most_frequent_answer(causal: str) -> None:
    asked = [replace(TRUTH, id=str(n), group=str(n), answer=1 + (n > 0)) for n in range(4)]
    run = carried(requested(causal, data=small_set(asked)))
    assert run.metrics["chance"]["value"] == 0.75


def test_a_pronoun_is_scored_as_the_blank_in_its_place(causal: str) -> None:
    sentence = "the box is small because it is too large ."
    pronoun = Item(
        id="p",
        group="p",
        sentence=sentence,
        options=("the trophy", "the box"),
        answer=2,
        form="pronoun",
        span=(25, 27),
    )
    blank = Item(id="b", group="p", sentence=pronoun.blanked, options=pronoun.options, answer=2)
    run = carried(requested(causal, data=small_set([pronoun, blank])))
    first, second = rows(read(run.predictions))
    assert first["scores"] == pytest.approx(second["scores"])


def test_blocks_of_other_weights_are_never_mixed(causal: str) -> None:
    run = requested(causal)
    killed_after(run, 1)
    damaged(causal)
    execute_here(run)
    assert "expected " in failure_of(run)
    assert "Install the model again" in run.failure


def test_blocks_of_another_program_are_never_mixed(
    causal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = requested(causal)
    killed_after(run, 1)
    monkeypatch.setattr(blocks, "code_version", lambda *code: "another")
    execute_here(run)
    assert "here it is 'another'; start a new one." in failure_of(run)


def test_before_the_first_block_a_failed_evaluation_takes_the_model_as_it_is_now(
    causal: str,
) -> None:
    run = requested(causal)
    whole = (Path(causal) / "model.safetensors").read_bytes()
    damaged(causal)
    execute_here(run)
    assert "not finite" in failure_of(run)
    (Path(causal) / "model.safetensors").write_bytes(whole)
    resume(run)
    carried(run)


def test_a_helper_of_another_program_records_nothing(
    causal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = requested(causal)
    killed_after(run, 0)
    lease = timezone.now() + timedelta(seconds=60)
    Evaluation.objects.filter(pk=run.pk).update(leased_until=lease)
    monkeypatch.setattr(blocks, "code_version", lambda *code: "another")
    help_run("evaluation.evaluation", run.pk)
    run.refresh_from_db()
    assert (run.status, run.steps.count()) == ("running", 0)
