"""What a method may say about an item, and what becomes of it in figures and files."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from corpora.core.items import Item
from evaluation import services
from evaluation.methods import METHODS, Answer, Block, Job, Method, Progress, Scorer
from evaluation.methods.problems import margins
from evaluation.models import Evaluation
from knowledge.core.problems import Problem
from modeling.loading import load_model
from modeling.scoring import continuation_scores
from modeling.scoring.clozes import start_token
from tests.evaluation.sets import ITEMS, failure_of, small_set
from tests.filtering.stages import carried, killed_after, read, rows
from tests.modeling.tiny import save_tiny
from winoplatform.runs.kinds import execute_here

RIGHT, WRONG = np.array([1.0, 0.0]), np.array([0.0, 1.0])


def answers(monkeypatch: pytest.MonkeyPatch, **by_id: Answer) -> None:
    """Register a method “told” that answers the first option, or what is given by id."""

    def begin(job: Job) -> Scorer:
        def score(block: Block, progress: Progress) -> Sequence[Answer]:
            return [by_id.get(_name(item), Answer(scores=RIGHT)) for item in block.items]

        return score

    monkeypatch.setitem(METHODS, "told", Method(name="told", title="told", begin=begin))


def _name(item: Item) -> str:
    return f"i{item.id}".replace("-", "_")


def requested() -> Evaluation:
    run = services.evaluate(reference_set=small_set(), method="told", by=None)
    Evaluation.objects.filter(pk=run.pk).update(block_size=2)
    return run


def test_a_group_with_a_dropped_item_is_left_out_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, i1_2=Answer(dropped="too odd"))
    run = carried(requested())
    assert run.dropped == {"too odd": 1, "another item of its group was left out": 1}
    assert {row["qID"] for row in rows(read(run.predictions))} == {"0-1", "0-2", "2-1", "2-2"}
    assert (run.metrics["accuracy"]["n"], run.metrics["group_score"]["n"]) == (4, 2)
    assert run.metrics["chance"]["n"] == 4


def test_an_item_without_an_answer_counts_as_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    right = {f"i{n}_2": Answer(scores=WRONG) for n in range(3)}
    answers(monkeypatch, **right, i0_1=Answer(unanswered="silent"))
    run = carried(requested())
    assert run.metrics["accuracy"]["value"] == pytest.approx(5 / 6)
    assert run.metrics["group_score"]["value"] == pytest.approx(2 / 3)


def test_what_was_said_of_items_survives_a_killed_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = [{"sentence": "“Ö”", "strength": 2}]
    answers(
        monkeypatch,
        i0_1=Answer(dropped="too odd"),
        i1_1=Answer(unanswered="silent"),
        i2_2=Answer(scores=WRONG, evidence=evidence),
    )
    run = requested()
    killed_after(run, 2)
    found = {row["qID"]: row for row in rows(read(carried(run).predictions))}
    assert found["2-2"] == {
        "qID": "2-2", "prediction": 2, "scores": [0, 1], "evidence": evidence,
    }  # fmt: skip
    assert found["1-1"]["unanswered"] == "silent"
    assert "evidence" not in found["1-2"]
    assert set(run.steps.values_list("attempt", flat=True)) == {1, 2}


def test_a_system_without_any_answer_is_always_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, **{_name(item): Answer(unanswered="silent") for item in ITEMS})
    run = carried(requested())
    assert [run.metrics[name]["value"] for name in ("accuracy", "group_score")] == [0, 0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (Answer(), "needs as many finite scores, got []"),
        (Answer(scores=np.array([1.0, np.nan])), "needs as many finite scores"),
        (Answer(scores=np.ones(3)), "needs as many finite scores"),
        (Answer(dropped="odd", unanswered="silent"), "needs as many finite scores"),
        (Answer(scores=RIGHT, dropped="odd"), "so it is answered and not dropped"),
        (Answer(scores=RIGHT, unanswered="silent"), "so it is answered and not dropped"),
    ],
)
def test_a_contradiction_fails_the_evaluation(
    monkeypatch: pytest.MonkeyPatch, answer: Answer, sentence: str
) -> None:
    answers(monkeypatch, i0_1=answer)
    run = requested()
    execute_here(run)
    assert sentence in failure_of(run)


def test_nothing_left_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, **{_name(item): Answer(dropped="odd") for item in ITEMS})
    run = requested()
    execute_here(run)
    assert failure_of(run) == "The method drops all 6 questions (odd: 6)."


LABELS = ("neutral", "entailment", "contradiction")
FITS = Problem(
    "the trophy does not fit in the suitcase because it is too large.",
    "it", "the trophy", "the suitcase", "large trophy does not fit in small box.",
)  # fmt: skip
PROBLEMS = [FITS, FITS.swapped, Problem("ann is small as it is.", "it", "ann", "joan", "ann is.")]


def silent(done: int, total: int) -> None:
    pass


@pytest.fixture(scope="module")
def load(tmp_path_factory):
    def loaded(use, **options):
        return load_model(save_tiny(tmp_path_factory.mktemp(use), use, **options), use)

    return loaded


def log_probabilities(model, ids):
    with torch.inference_mode():
        return torch.log_softmax(model.model(input_ids=torch.tensor([ids])).logits[0], dim=-1)


@pytest.mark.long
def test_a_causal_model_compares_what_follows_the_pronoun_with_the_mentions_swapped(load):
    model = load("causal", positions=128)

    def plain(problem, begin):
        encoded = model.tokenizer(problem.text, return_offsets_mapping=True)
        start = start_token(model.tokenizer)
        ids = [*start, *encoded["input_ids"]]
        first = len(start) + sum(a < begin for a, _ in encoded["offset_mapping"])
        said = log_probabilities(model, ids)
        return float(sum(said[place - 1, ids[place]] for place in range(first, len(ids))))

    found = margins(model, PROBLEMS, silent)
    for one, margin in zip(PROBLEMS, found, strict=True):
        end = one.span[1]
        assert margin == pytest.approx(plain(one, end) - plain(one.swapped, end), abs=1e-3)
        # What precedes the mentions is the same in both texts and cancels.
        assert margin == pytest.approx(plain(one, 0) - plain(one.swapped, 0), abs=1e-3)
    assert found[1] == pytest.approx(-found[0], abs=1e-4)
    assert continuation_scores(model, []) == []


@pytest.mark.long
def test_a_masked_model_compares_the_two_mentions_masked_together(load):
    model = load("masked", positions=128)
    mask = model.tokenizer.mask_token_id

    def plain(problem):
        ids = model.tokenizer(problem.text)["input_ids"]
        claim = model.tokenizer(problem.sentence + " " + problem.claim)["input_ids"][:-1]
        wrong = model.tokenizer(problem.wrong, add_special_tokens=False)["input_ids"]
        right = model.tokenizer(problem.right, add_special_tokens=False)["input_ids"]
        last = range(len(claim) - len(wrong), len(claim))
        middle = range(last[0] - 1 - len(right), last[0] - 1)
        places = [*middle, *last]
        said = log_probabilities(model, [mask if p in places else i for p, i in enumerate(ids)])
        return float(sum(said[place, ids[place]] for place in places))

    found = margins(model, PROBLEMS, silent)
    expected = [plain(one) - plain(one.swapped) for one in PROBLEMS]
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_an_entailment_model_says_true_only_where_entailment_is_likeliest(load):
    model = load("entailment", labels=LABELS, positions=128)
    found = margins(model, PROBLEMS, silent)
    for one, margin in zip(PROBLEMS, found, strict=True):
        pair = model.tokenizer(
            one.premise, one.resolved, return_tensors="pt", return_token_type_ids=True
        )
        with torch.inference_mode():
            said = model.model(**pair).logits[0].log_softmax(dim=-1)
        assert (margin > 0) == (LABELS[int(said.argmax())] == "entailment")
        assert margin == pytest.approx(float(said[1] - max(said[0], said[2])), abs=1e-4)


def test_a_model_of_another_use_is_refused(load):
    with pytest.raises(ValueError, match="one of causal, masked, entailment, got 'choice'"):
        margins(load("choice"), PROBLEMS, silent)


def test_a_text_without_a_token_in_its_spans_is_refused(load):
    odd = Problem("it is.", "it", "", "", "box.")
    with pytest.raises(ValueError, match="is left to score"):
        margins(load("masked", positions=128), [odd], silent)
