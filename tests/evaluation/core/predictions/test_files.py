"""Files of predictions: what is read, counted and refused."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.bundle.layout import SIZES
from corpora.core.items import TRUTH, Item
from evaluation.core.predictions import (
    is_correct,
    is_understood,
    read_answers,
    read_table,
    read_winogrande_columns,
)
from tests.tabular.dialects import REFUSED

ITEMS = [
    Item(
        id=f"{group}-{n}",
        group=group,
        sentence=f"The cup {group} stood on the tray, so _ {verb}.",
        options=("the cup", "the tray"),
        answer=n,
    )
    for group in "ab"
    for n, verb in ((1, "fell"), (2, "bent"))
]


def jsonl(*records):
    return [json.dumps(record) + "\n" for record in records]


def table(text):
    return io.BytesIO(text.encode())


def test_json_lines_may_have_numbers_labels_and_text():
    read = read_table(
        jsonl(
            {"qID": "b-2", "prediction": "The tray."},
            {"qID": "a-1", "prediction": 1},
            {"id": "a-2", "answer": "Option 1"},
            {"qID": "b-1", "prediction": "I cannot tell."},
        ),
        ITEMS,
    )
    assert read.predictions == {"a-1": 1, "a-2": 1, "b-1": None, "b-2": 2}
    assert is_correct(read, ITEMS).tolist() == [True, False, False, True]
    assert is_understood(read, ITEMS).tolist() == [True, True, False, True]
    assert read.report.reasons == {"refusal": 1}
    assert read.report.examples == {"refusal": [("b-1", "I cannot tell.")]}


def test_missing_and_unknown_ids_are_counted():
    read = read_table(jsonl({"qID": "a-1", "prediction": 1}, {"qID": "x", "prediction": 2}), ITEMS)
    assert read.predictions == {"a-1": 1, "a-2": None, "b-1": None, "b-2": None}
    report = read.report
    assert (report.n_missing, report.missing) == (3, ("a-2", "b-1", "b-2"))
    assert (report.n_unknown, report.unknown) == (1, ("x",))
    assert (report.n_items, report.n_rows, report.n_understood) == (4, 2, 1)


def test_scores_choose_where_there_is_no_prediction_and_a_tie_chooses_nothing():
    read = read_table(
        jsonl(
            {"qID": "a-1", "scores": [-1.5, -2]},
            {"qID": "a-2", "scores": [0, 0], "answer": "2"},
            {"qID": "b-1", "scores": [3, 3], "prediction": 2},
            {"qID": "b-2", "scores": [1, 2], "prediction": 1, "option1": "the tray",
             "option2": "the cup"} | {"prediction": 2},
        ),
        ITEMS,
    )  # fmt: skip
    assert read.predictions == {"a-1": 1, "a-2": None, "b-1": 2, "b-2": 1}
    assert read.scores["b-2"] == (2.0, 1.0)  # in the order of the item's options
    assert read.report.reasons == {"tied": 1}


def test_numbers_follow_the_order_of_options_in_the_file():
    rows = "qID,option1,option2,prediction\r\na-1,the tray,the cup,1\r\na-2,the cup,the tray,1\r\n"
    read = read_table(table(rows), ITEMS)
    assert (read.predictions["a-1"], read.predictions["a-2"]) == (2, 1)


def test_a_csv_file_may_name_items_by_their_sentence_and_end_with_a_summary():
    rows = ["n,sentence,answer,said"]
    rows += [f'{n},"{item.sentence}",{item.answer},Option 1' for n, item in enumerate(ITEMS)]
    read = read_table(table("\r\n".join([*rows, ",,0.5,"])), ITEMS, prediction_column="said")
    assert list(read.predictions.values()) == [1, 1, 1, 1]
    assert read.report.summary == {"answer": "0.5"}


def test_the_five_columns_are_one_prediction_list_per_training_size():
    reads = read_winogrande_columns(
        ["1,1,1,1,1\n", "1,1,1,2,2\n", "2,1,1,1,1\n", ",1,2,2,2"], ITEMS
    )
    assert tuple(reads) == SIZES
    correct = {size: int(is_correct(read, ITEMS).sum()) for size, read in reads.items()}
    assert correct == {"xs": 1, "s": 2, "m": 3, "l": 4, "xl": 4}
    assert reads["xs"].report.reasons == {"empty": 1}


def test_lines_are_in_the_order_of_the_items():
    read = read_answers(["cup\n", "the tray\r\n", "\n", "both"], ITEMS)
    assert list(read.predictions.values()) == [1, 2, None, None]


SENTENCE = ITEMS[0].sentence


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"qID": "a-1", "prediction": 1}] * 2, "'a-1' is in lines 1 and 2"),
        ([{"qID": "a-1", "prediction": 0}], "line 1: options are numbered from 1, got 0"),
        ([{"qID": "a-1", "prediction": "0"}], "numbered from 1"),
        ([{"qID": "a-1", "prediction": True}], "a number or text, got True"),
        ([{"qID": "a-1", "prediction": 1.5}], "a number or text, got 1.5"),
        ([{"qID": "a-1", "prediction": [1]}], r"a number or text, got \[1\]"),
        ([{"qID": "a-1"}], "line 1 has none of"),
        ([{"prediction": 1}], "line 1 must have an id in one of qID, id, idx, sentence"),
        ([{"qID": "", "prediction": 1}], "must have an id"),
        ([{"qID": "a-1", "sentence": SENTENCE, "answer": "1"}], "a question of a data set"),
        ([{"qID": "a-1", "scores": [1]}], "one number per option of 'a-1', 2, got 1"),
        ([{"qID": "a-1", "scores": [1, float("nan")]}], "NaN is no number"),
        ([{"qID": "a-1", "scores": [2, 1], "prediction": 2}], "not the option with the highest"),
        ([{"qID": "a-1", "prediction": 1, "option1": "x", "option2": "y"}], "options must be"),
        ([{"qID": "x", "prediction": 1}], "no id of the file is one of the questions': it has x"),
        ([{"qID": "1.2E+10", "prediction": 1}], "a number as a spreadsheet writes it"),
        (["a-1"], "line 1: The first line must name the columns"),
    ],
)
def test_a_json_line_that_would_give_a_wrong_number_is_refused(records, message):
    with pytest.raises(ValueError, match=message):
        read_table(jsonl(*records), ITEMS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qID,answer\na-1,1\n", "line 2 has none of .* in CSV, name its column"),
        ("n,pred\na-1,1\n", "line 2 must have an id in one of .*; name its column"),
        ("qID,pred\na-1\n", "line 2: The row has 1 cells, and the first line names 2"),
        ("qID,pred\na-1,1,2\n", "line 2: The row has 3 cells, and the first line names 2"),
        ("qID,pred\n,1\na-1,1\n", "line 2 must have an id in 'qID', got ''"),
        ("qID,QID,pred\na-1,a-1,1\n", "The name qID stands twice, in “qID” and “QID”"),
        ('qID,pred\na-1,"1\n', "line 2: The quotation mark that opens in this row"),
        ("qID,p1,p2\na-1,0.5,high\n", "line 2: p1, p2 must be a list of finite numbers"),
        ("qID,label\na-1,2\n", "line 2: label must be from 0 to 1, got '2'"),
        ("", "the file has no row with a prediction"),
    ],
)
def test_a_csv_file_that_would_give_a_wrong_number_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        read_table(table(text), ITEMS)


def test_a_column_that_is_absent_is_named():
    with pytest.raises(ValueError, match=r"must be one of \['qID', 'pred'\], got 'model'"):
        read_table(table("qID,pred\na-1,1\n"), ITEMS, prediction_column="model")


def test_sentences_that_repeat_cannot_name_items():
    twice = [*ITEMS, Item(id="c", group="c", sentence=SENTENCE, options=("x", "y"), answer=1)]
    with pytest.raises(ValueError, match="'a-1' and 'c' have the same sentence"):
        read_table(table(f'sentence,pred\n"{SENTENCE}",1\n'), twice)
    rows = f'sentence,option1,option2,pred\n"{SENTENCE}",x,y,2\n'
    assert read_table(table(rows), twice).predictions["c"] == 2


def test_a_list_of_another_length_or_width_is_refused():
    with pytest.raises(ValueError, match="one line per item, 4, got 3"):
        read_winogrande_columns(["1,1,1,1,1"] * 3, ITEMS)
    with pytest.raises(ValueError, match="line 1 must have 5 labels"):
        read_winogrande_columns(["1"] * 4, ITEMS)
    with pytest.raises(ValueError, match="one line per item"):
        read_answers([], ITEMS)


def test_an_item_without_an_answer_is_not_scored():
    blind = [Item(id="a-1", group="a", sentence="_ fell.", options=("x", "y"))]
    read = read_table(jsonl({"qID": "a-1", "prediction": 1}), blind)
    with pytest.raises(ValueError, match="'a-1' has none"):
        is_correct(read, blind)


@given(st.permutations(range(4)), st.lists(st.integers(1, 2), min_size=4, max_size=4))
def test_the_order_of_rows_and_of_the_options_in_them_does_not_matter(order, chosen):
    plain = [{"qID": item.id, "prediction": n} for item, n in zip(ITEMS, chosen, strict=True)]
    turned = [
        {"qID": item.id, "prediction": 3 - n, "option1": "the tray", "option2": "the cup"}
        for item, n in zip(ITEMS, chosen, strict=True)
    ]
    expected = read_table(jsonl(*plain), ITEMS)
    assert list(expected.predictions.values()) == chosen
    for records in (plain, turned):
        assert read_table(jsonl(*(records[place] for place in order)), ITEMS) == expected


@pytest.mark.parametrize("read", [read_answers, read_table, read_winogrande_columns])
def test_a_file_that_is_no_text_is_refused_without_a_line(read):
    workbook = REFUSED["an Excel workbook"][0]([])
    with pytest.raises(ValueError, match=r"^The file is an Excel workbook \(\.xlsx\)"):
        read(io.BytesIO(workbook), ITEMS)


def test_scores_by_the_options_texts_are_read_in_any_order():
    scores = {"the tray": 0.2, "the cup": 0.7}
    read = read_table(jsonl({"id": "a-1", "scores": scores}, {"id": "a-2", "probs": scores}), ITEMS)
    assert (read.predictions["a-1"], read.scores["a-1"]) == (1, (0.7, 0.2))
    assert read.predictions["a-2"] == 1
    numbered = read_table(jsonl({"id": "a-1", "scores": scores, "prediction": 1}), ITEMS)
    assert numbered.predictions["a-1"] == 1


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        ({"the cup": 1, "a saucer": 0}, "options must be those"),
        ({"the cup": "x", "the tray": 1}, "finite"),
    ],
)
def test_scores_of_other_options_are_refused(scores, says):
    with pytest.raises(ValueError, match=says):
        read_table(jsonl({"id": "a-1", "scores": scores}), ITEMS)


PLAIN = [
    Item(
        id=f"q{n}",
        group="g",
        sentence=f"Olga lent Petra her ladder {word} _ had a roof to mend.",
        options=("Olga", "Petra"),
    )
    for n, word in ((1, "because"), (2, "although"))
]
LOGGED = "Olga lent Petra her ladder since she had a roof to mend."


def truths(*ids: str) -> list[Item]:
    span = (LOGGED.index("she"), LOGGED.index("she") + 3)
    return [
        Item(id=id, group="g", sentence=LOGGED, options=TRUTH, form="truth", span=span,
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
