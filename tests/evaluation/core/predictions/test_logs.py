"""Predictions as harnesses, submissions and spreadsheets write them."""

import io
import json

import pytest

from corpora.core.items import TRUTH, Item
from evaluation.core.predictions import read_table

PLAIN = [
    Item(
        id=f"q{n}",
        group="g",
        sentence=f"Olga lent Petra her ladder {word} _ had a roof to mend.",
        options=("Olga", "Petra"),
    )
    for n, word in ((1, "because"), (2, "although"))
]
SENTENCE = "Olga lent Petra her ladder since she had a roof to mend."


def truths(*ids: str) -> list[Item]:
    span = (SENTENCE.index("she"), SENTENCE.index("she") + 3)
    return [
        Item(id=id, group="g", sentence=SENTENCE, options=TRUTH, form="truth", span=span,
             candidate=name)
        for id, name in zip(ids, ("Petra", "Olga"), strict=True)
    ]  # fmt: skip


def predicted(content: object, items: list[Item] = PLAIN) -> list[int | None]:
    text = content if isinstance(content, str) else "\n".join(map(json.dumps, content))
    return list(read_table(io.BytesIO(text.encode()), items).predictions.values())


def sample(n: int, likelihoods: object, **doc: object) -> dict[str, object]:
    named = doc or {"qID": f"q{n}", "option1": "Olga", "option2": "Petra"}
    return {"doc_id": n - 1, "doc": named, "filtered_resps": likelihoods, "acc": 1.0}


def test_the_higher_log_likelihood_of_a_harness_counts_and_not_its_metric():
    rows = [sample(n, [["-9.1", "False"], ["-8.2", "False"]]) for n in (1, 2)]
    assert predicted(rows) == [2, 2]
    turned = sample(1, [[-1.0, True], [-2, False]], qID="q1", option1="Petra", option2="Olga")
    assert predicted([turned, rows[1]]) == [2, 2]


@pytest.mark.parametrize("text", ["Petra", "2"])
def test_text_that_a_harness_generated_is_an_answer(text):
    assert predicted([sample(n, [text], x=1) for n in (1, 2)]) == [2, 2]


def test_a_document_without_an_id_is_known_by_its_sentence_or_its_number():
    rows = [[-1, False], [-2, False]]
    by_text = sample(9, rows, sentence=PLAIN[1].sentence)
    assert predicted([by_text]) == [None, 1]
    assert predicted([sample(2, rows, query="?")]) == [None, 1]
    assert predicted(json.dumps([sample(2, rows, query="?")], indent=1)) == [None, 1]


def test_answers_of_several_filters_are_refused():
    rows = [sample(1, ["1"]) | {"filter": name} for name in ("strict", "flexible")]
    with pytest.raises(ValueError, match=r"several filters \(flexible, strict\)"):
        predicted(rows)


def inspect_log(*samples: dict[str, object]) -> str:
    return json.dumps({"version": 2, "eval": {}, "samples": list(samples)}, indent=1)


def test_inspect_s_log_has_the_answer_of_its_scorer_or_the_text_of_the_model():
    scored = {"id": "q1", "epoch": 1, "choices": ["Petra", "Olga"],
              "scores": {"choice": {"value": "C", "answer": "A"}}}  # fmt: skip
    spoken = {"id": "q2", "epoch": 1, "output": {"choices": [{"message": {"content": "Olga"}}]}}
    assert predicted(inspect_log(scored, spoken)) == [2, 1]
    numbered = [sample | {"id": n} for n, sample in enumerate((scored, spoken), 1)]
    assert predicted(inspect_log(*numbered)) == [2, 1]
    with pytest.raises(ValueError, match="several epochs"):
        predicted(inspect_log(scored, scored | {"epoch": 2}))


@pytest.mark.parametrize("ids", [("superglue_wsc-000", "superglue_wsc-001"), ("1", "2")])
@pytest.mark.parametrize("labels", [("True", "False"), (True, False), (1, 0), ("1", "0.0")])
def test_a_submission_to_superglue_names_questions_by_their_number(ids, labels):
    rows = [{"idx": n, "label": label} for n, label in enumerate(labels)]
    assert predicted(rows, truths(*ids)) == [1, 2]


def test_a_label_counts_from_0_and_a_prediction_from_1():
    assert predicted("idx,label\n0,1\n1,0\n") == [2, 1]
    assert predicted("id;prediction\nq1;1.0\nq2;2.0\n") == [1, 2]
    assert predicted("id,prediction\nq1,-1\nq2,2\n") == [None, 2]


@pytest.mark.parametrize("names", ["prob1,prob2", "P_1,p_2", "score option 1,score option 2"])
def test_scores_may_stand_in_a_column_for_each_option(names):
    read = read_table(io.BytesIO(f"id,{names}\nq1,0.3,0.7\nq2,1e-3,5e-4\n".encode()), PLAIN)
    assert list(read.predictions.values()) == [2, 1]
    assert read.scores["q1"] == (0.3, 0.7)


def test_a_cell_may_have_the_list_of_scores_as_json():
    assert predicted('id;scores\nq1;"[0.3, 0.7]"\nq2;"[1, 0]"\n') == [2, 1]


def test_ids_that_a_spreadsheet_has_changed_into_numbers_are_found():
    assert predicted("id,pred\n1,1\n2.0,2\n", truths("00001", "00002")) == [1, 2]
