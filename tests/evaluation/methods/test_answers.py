"""What a method may say about an item, and what becomes of it in figures and files."""

from collections.abc import Sequence

import numpy as np
import pytest

from corpora.core.items import Item
from evaluation import services
from evaluation.methods import METHODS, Answer, Block, Job, Method, Progress, Scorer
from evaluation.models import Evaluation
from tests.evaluation.sets import ITEMS, failure_of, small_set
from tests.filtering.stages import carried, killed_after, read, rows
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
