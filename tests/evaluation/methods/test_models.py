"""Methods with a model: their scores are those of the model, and what they cannot ask is said."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpora.core.forms import clozes
from corpora.core.items import Item
from corpora.core.transformations import TRANSFORMATIONS
from evaluation import services
from evaluation.runner import inputs
from modeling.encoders import load_encoder
from modeling.loading import load_model
from modeling.scoring import choice_scores, entailment_scores, pmi_scores, special_word_scores
from modeling.specs import TINY_ENCODER
from tests.evaluation.methods.calls import run_rows, scores_of
from tests.evaluation.sets import ITEMS, failure_of, requested, small_set, tiny_model
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here

NLI = ("contradiction", "Entailment", "neutral")


def test_pmi_of_a_causal_model(tmp_path: Path, settings: Any) -> None:
    spec = tiny_model(tmp_path, settings)
    _run, found = run_rows(spec, method="pmi")
    expected = pmi_scores(load_model(spec, "causal"), clozes(ITEMS))
    for row, scores in zip(found, expected, strict=True):
        assert row["scores"] == pytest.approx(scores.tolist(), abs=1e-3)


@pytest.mark.parametrize("variant", ["pair", "sentence"])
def test_a_multiple_choice_head_reads_pairs_or_sentences(
    tmp_path: Path, settings: Any, variant: str
) -> None:
    spec = tiny_model(tmp_path, settings, "choice")
    run, found = run_rows(spec, method="choice", variant=variant)
    texts: list[Any] = [cloze.filled for cloze in clozes(ITEMS)]
    if variant == "pair":
        first = ("the trophy does not fit in the suitcase because", "the trophy is too large .")
        texts = [
            [(c.before.strip(), option + c.after) for option in c.options] for c in clozes(ITEMS)
        ]
        assert texts[0][0] == first
    expected = choice_scores(load_model(spec, "choice"), texts)
    for row, scores in zip(found, expected, strict=True):
        assert row["scores"] == pytest.approx(scores.tolist(), abs=1e-3)
    assert run.head_check is None


def test_entailment_says_of_a_candidate_whether_it_follows(tmp_path: Path, settings: Any) -> None:
    spec = tiny_model(tmp_path, settings, "entailment", labels=NLI)
    truth = Item(id="t", group="t", sentence="it is large", options=("true", "false"), answer=1,
                 form="truth", span=(0, 2), candidate="the box")  # fmt: skip
    _run, [found] = run_rows(spec, method="entailment", data=small_set([truth]))
    pair = ("it is large", "The box is large")
    [[follows]] = entailment_scores(load_model(spec, "entailment"), [[pair]])
    assert found["scores"] == pytest.approx([follows, np.log1p(-np.exp(follows))], abs=1e-3)


def test_entailment_compares_the_sentence_with_its_filled_forms(
    tmp_path: Path, settings: Any
) -> None:
    spec = tiny_model(tmp_path, settings, "entailment", labels=NLI)
    _run, found = run_rows(spec, method="entailment")
    pairs = [[(item.sentence, filled) for filled in item.filled] for item in ITEMS]
    expected = entailment_scores(load_model(spec, "entailment"), pairs)
    for row, scores in zip(found, expected, strict=True):
        assert row["scores"] == pytest.approx(scores.tolist(), abs=1e-3)
        assert max(row["scores"]) <= 0


def test_the_score_of_entailment_is_the_probability_of_its_label(tmp_path: Path) -> None:
    import torch

    from tests.modeling.tiny import save_tiny

    model = load_model(save_tiny(tmp_path, "entailment", labels=NLI), "entailment")
    pair = ("it is too large .", "the box is too large .")
    [[score]] = entailment_scores(model, [[pair]])
    with torch.inference_mode():
        logits = model.model(**model.inputs(model.tokens([pair]))).logits[0].float()
    assert np.exp(score) == pytest.approx(float(logits.softmax(-1)[1].cpu()), abs=1e-3)


@pytest.mark.parametrize(
    "labels", [(), ("entailment", "ENTAILMENT"), ("not_entailment", "neutral")]
)
def test_a_classifier_without_one_label_entailment_is_refused(
    tmp_path: Path, settings: Any, labels: tuple[str, ...]
) -> None:
    run = requested(
        tiny_model(tmp_path, settings, "entailment", labels=labels), method="entailment"
    )
    execute_here(run)
    assert "labels must have one 'entailment'" in failure_of(run)


def test_a_model_without_a_classifier_is_refused(tmp_path: Path, settings: Any) -> None:
    with pytest.raises(DomainError, match="needs an entailment model, and pooled is an encoder"):
        requested(tiny_model(tmp_path, settings, "pooled"), method="entailment")


@pytest.mark.long
@pytest.mark.parametrize(
    ("use", "method", "variant"),
    [("masked", "special_word", ""), ("causal", "special_word_causal", "partial")],
)
def test_special_words_are_scored_in_the_zero_shot_form(
    tmp_path: Path, settings: Any, use: str, method: str, variant: str
) -> None:
    spec = tiny_model(tmp_path, settings, use)
    run, found = run_rows(spec, method=method, variant=variant)
    assert run.transformation == "zero_shot"
    asked = TRANSFORMATIONS["zero_shot"](ITEMS).items
    expected = special_word_scores(
        load_model(spec, use), clozes(asked), partial=variant == "partial"
    )
    assert [row["qID"] for row in found] == [item.id for item in asked]
    for row, scores in zip(found, expected.scores, strict=True):
        assert scores is not None
        assert row["scores"] == pytest.approx(scores.tolist(), abs=1e-3)
    assert run.dropped == {}


def twins(group: str, words: tuple[str, str]) -> list[Item]:
    return [
        Item(id=f"{group}-{n}", group=group, sentence=f"the box is small because _ is too {word} .",
             options=("it", "the box"), answer=n)
        for n, word in enumerate(words, 1)
    ]  # fmt: skip


def test_twins_with_special_words_unknown_to_the_model_are_dropped_and_counted(
    tmp_path: Path, settings: Any
) -> None:
    spec = tiny_model(tmp_path, settings, "masked")
    items = [*ITEMS, *twins("x", ("large", "enormous")), *twins("y", ("worn-out", "small"))]
    run, found = run_rows(spec, method="special_word", data=small_set(items))
    assert {row["qID"] for row in found} == {item.id for item in ITEMS}
    assert run.metrics["accuracy"]["n"] == 6
    assert run.dropped == {"special words: unknown word": 2, "special words: several tokens": 2}
    assert run.done == run.total == 10


def test_an_evaluation_of_which_nothing_is_left_fails(tmp_path: Path, settings: Any) -> None:
    spec = tiny_model(tmp_path, settings, "masked")
    run = requested(spec, method="special_word", data=small_set(twins("x", ("large", "odd"))))
    execute_here(run)
    assert failure_of(run) == ("The method drops all 2 questions (special words: unknown word: 2).")


def test_special_words_need_their_transformation(tmp_path: Path, settings: Any) -> None:
    spec = tiny_model(tmp_path, settings, "masked")
    with pytest.raises(Exception, match="needs the transformation “zero_shot”"):
        requested(spec, method="special_word", transformation="switched")


@pytest.mark.parametrize(("use", "method"), [("causal", "causal"), ("masked", "masked")])
def test_an_untrained_head_is_marked_on_the_evaluation(
    tmp_path: Path, settings: Any, use: str, method: str
) -> None:
    run, _found = run_rows(tiny_model(tmp_path, settings, use), method=method)
    assert run.head_check["at_chance"] is True
    assert run.head_check["perplexity"] >= 1
    assert run.warning.startswith("The language-model head is at chance level")


def test_the_head_of_the_same_weights_is_checked_once(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, spec = small_set(), tiny_model(tmp_path, settings)
    first, _found = run_rows(spec, data=data)
    monkeypatch.setattr(inputs, "head_check", lambda model: pytest.fail("checked again"))
    again, _found = run_rows(spec, data=data, variant="full")
    assert again.head_check == first.head_check


@pytest.mark.long
def test_a_pooled_model_is_not_asked_about_its_head(settings: Any) -> None:
    run, found = run_rows(TINY_ENCODER, method="association", variant="local")
    assert (run.head_check, run.warning) == (None, "")
    assert all(-1 <= score <= 1 for row in found for score in row["scores"])


def test_the_cosine_of_an_option_and_its_context() -> None:
    encoder = load_encoder(TINY_ENCODER)
    item = replace(ITEMS[0], answer=None)
    [found] = scores_of("association", [item], model=encoder)
    context, *options = encoder.encode(
        ["does not fit in the because is too large .", *item.options]
    )
    context_words = "the does not fit in the because is too large ."
    context = encoder.encode([context_words])[0]
    expected = [float(v @ context / np.linalg.norm(v) / np.linalg.norm(context)) for v in options]
    assert found.tolist() == pytest.approx(expected, abs=1e-3)


def test_an_item_without_context_is_a_tie() -> None:
    bare = Item(id="a", group="a", sentence="the trophy _", options=("the trophy", "the box"))
    other = replace(ITEMS[0], answer=None)
    encoder = load_encoder(TINY_ENCODER)
    found = scores_of("association", [replace(bare, sentence="trophy _"), other], model=encoder)
    assert found[0].tolist() == [0, 0]
    assert found[1].any()


@pytest.mark.parametrize("method", ["choice", "association"])
def test_a_form_without_a_place_for_an_option_is_refused(
    tmp_path: Path, settings: Any, method: str
) -> None:
    use = {"association": "pooled"}.get(method, method)
    truth = Item(id="t", group="t", sentence="it is large", options=("true", "false"), answer=1,
                 form="truth", span=(0, 2), candidate="the box")  # fmt: skip
    spec = tiny_model(tmp_path, settings, use)
    run = requested(spec, method=method, data=small_set([truth]))
    execute_here(run)
    assert "has the form 'truth'" in failure_of(run)


def test_the_operator_decides_about_models_of_every_method(tmp_path: Path, settings: Any) -> None:
    spec = tiny_model(tmp_path, settings, "choice")
    settings.ENCODER_FOLDERS = []
    with pytest.raises(Exception, match="setting ENCODER_FOLDERS"):
        services.evaluate(reference_set=small_set(), method="choice", model=spec, by=None)
