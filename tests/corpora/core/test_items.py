"""Items: the rules of their forms, their canonical line, and the sentence with an option."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.items import Item, TwinItem, composed_item
from tests.data_dir import needs_data
from tests.winogrande_data import winogrande_questions

QUESTION = Item(
    id="q1",
    group="t1",
    sentence="The trophy did not fit the café's case as the _ was big.",
    options=("trophy", "case"),
    answer=1,
)
PRONOUN = Item(
    id="p1",
    group="p",
    sentence="Ann told Eve that she was late.",
    options=("Ann", "Eve", "nobody"),
    form="pronoun",
    span=(18, 21),
    metadata={"source": "made up"},
)
TRUTH = Item(
    id="c1",
    group="c",
    sentence=PRONOUN.sentence,
    options=("true", "false"),
    answer=2,
    form="truth",
    span=(18, 21),
    candidate="Ann",
)
PREMISE = Item(
    id="e1",
    group="e",
    sentence="The man broke his toe.",
    options=("He got a hole in his sock.", "He dropped a hammer on his foot."),
    answer=2,
    form="premise",
    relation="cause",
)
FORMS = [QUESTION, PRONOUN, TRUTH, PREMISE]


@pytest.mark.parametrize("item", FORMS, ids=lambda item: item.form)
def test_a_line_reads_back_as_the_same_item(item):
    assert Item.from_line(item.to_line()) == item


def test_the_line_is_canonical_json_without_what_is_absent():
    line = QUESTION.to_line()
    assert line == json.dumps(
        json.loads(line), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert [*json.loads(line)] == ["answer", "form", "group", "id", "options", "sentence"]
    assert "answer" not in json.loads(PRONOUN.to_line())


@pytest.mark.parametrize(
    "line", ["", "[]", "{}", "not json", '{"id": "1"}', QUESTION.to_line()[:-1] + ',"x":1}']
)
def test_a_broken_line_is_a_clear_error(line):
    with pytest.raises(ValueError, match="line must be an item"):
        Item.from_line(line)


@pytest.mark.parametrize(
    ("item", "fields", "says"),
    [
        (QUESTION, {"answer": 3}, "answer must be from 1 to 2, got 3"),
        (PRONOUN, {"answer": 0}, "answer must be from 1 to 3, got 0"),
        (QUESTION, {"options": ("one",)}, "options must be at least 2"),
        (QUESTION, {"form": "cloze"}, "form must be one of"),
        (QUESTION, {"span": (0, 3)}, "span must be omitted"),
        (QUESTION, {"candidate": "Ann"}, "candidate must be given only for the form 'truth'"),
        (QUESTION, {"relation": "cause"}, "relation must be one of"),
        (PRONOUN, {"span": None}, "span must be within the sentence"),
        (PRONOUN, {"span": (18, 180)}, "span must be within the sentence"),
        (TRUTH, {"candidate": None}, "candidate must be given"),
        (TRUTH, {"options": ("yes", "no")}, "options must be"),
        (PREMISE, {"relation": "reason"}, "relation must be one of"),
        (QUESTION, {"options": ("a", "a")}, "all different"),
        (QUESTION, {"options": (1, 2)}, "options must be strings"),
        (QUESTION, {"options": "ab"}, "options must be strings"),
        (QUESTION, {"answer": True}, "answer must be a whole number"),
        (QUESTION, {"answer": 1.0}, "answer must be a whole number"),
        (QUESTION, {"id": None}, "id must be a non-empty string"),
        (QUESTION, {"id": " "}, "id must be a non-empty string"),
        (QUESTION, {"group": ["x"]}, "group must be a non-empty string"),
        (QUESTION, {"sentence": 5}, "sentence must be a non-empty string"),
        (QUESTION, {"metadata": 5}, "metadata must be an object"),
        (PRONOUN, {"span": ("a", "b")}, "span must be whole numbers"),
        (TRUTH, {"candidate": 5}, "candidate must be a string"),
    ],
)
def test_what_breaks_a_rule_of_the_form_is_refused(item, fields, says):
    with pytest.raises(ValueError, match=says):
        dataclasses.replace(item, **fields)


@pytest.mark.parametrize("sentence", ["No blank here.", "Two _ blanks _ here."])
def test_a_sentence_without_its_one_blank_is_refused(sentence):
    with pytest.raises(ValueError, match="exactly one blank"):
        dataclasses.replace(QUESTION, sentence=sentence)


@pytest.mark.parametrize(
    ("sentence", "option", "filled"),
    [
        ("It was the _'s fault.", "cat", "It was the cat's fault."),
        ("She left, _, and ran.", "Ann", "She left, Ann, and ran."),
        ("_ was wet.", "grass", "Grass was wet."),
        ("It rained.  _ was wet.", "grass", "It rained.  Grass was wet."),
        ('He said "stop!" _ stopped.', "cars", 'He said "stop!" Cars stopped.'),
        ('He said: "_ is wet."', "grass", 'He said: "grass is wet."'),
        ('"_ is wet," he said.', "grass", '"Grass is wet," he said.'),
        ("It cost 3.50 when _ paid.", "iPhone", "It cost 3.50 when iPhone paid."),
        ("So _ won.", "Ann", "So Ann won."),
        ("So the _ won.", " team ", "So the team won."),
    ],
)
def test_an_option_fills_the_blank(sentence, option, filled):
    item = dataclasses.replace(QUESTION, sentence=sentence, options=("pot", option))
    assert item.filled[1] == filled


@pytest.mark.parametrize(
    "fields", [{"answer": None}, {"options": ("a", "b", "c")}, {"form": "pronoun", "span": (0, 3)}]
)
def test_a_question_of_a_twin_has_a_blank_two_options_and_an_answer(fields):
    question = TwinItem.from_line(QUESTION.to_line())
    with pytest.raises(ValueError, match="has a blank, two options and an answer"):
        dataclasses.replace(question, **fields)


def test_each_option_takes_the_place_of_the_pronoun():
    assert PRONOUN.filled[1:] == (
        "Ann told Eve that Eve was late.",
        "Ann told Eve that nobody was late.",
    )


def test_a_blank_takes_the_place_of_the_pronoun():
    assert PRONOUN.blanked == TRUTH.blanked == "Ann told Eve that _ was late."
    assert QUESTION.blanked == QUESTION.sentence


@pytest.mark.parametrize("item", [TRUTH, PREMISE], ids=lambda item: item.form)
def test_what_has_no_place_for_an_option_says_so(item):
    with pytest.raises(ValueError, match="has no place for an option"):
        item.filled  # noqa: B018


@given(
    before=st.text().filter(lambda text: "_" not in text and "\0" not in text),
    option=st.text(min_size=1).filter(lambda text: text != "pot"),
)
def test_filling_changes_nothing_but_the_blank(before, option):
    item = dataclasses.replace(QUESTION, sentence=before + "_!", options=("pot", option))
    filled = item.filled[1]
    assert filled.startswith(before)
    assert filled.endswith("!")
    assert filled[len(before) : -1].casefold() == option.strip().casefold()


@needs_data
def test_every_real_question_can_be_frozen_and_filled():
    questions = winogrande_questions("train_m")
    assert len(questions) == 2558
    for question in questions:
        first, second = question.filled
        assert first != second
        assert "_" not in first + second
        assert TwinItem.from_line(question.to_line()) == question


def test_texts_are_composed_and_the_span_stays_at_its_word():
    decomposed = "Rene\u0301 met Zoe\u0308 before she\u0301 left."
    start = decomposed.index("she")
    item = Item(
        id="e\u0301", group="g", sentence=decomposed, options=("Rene\u0301", "Zoë"), form="pronoun",
        span=(start, start + 4), metadata={"from": "e\u0301"},
    )  # fmt: skip
    composed = composed_item(item)
    assert composed.sentence == "René met Zoë before shé left."
    assert composed.sentence[slice(*composed.span)] == "shé"
    assert all(option in composed.sentence for option in composed.options)
    assert (composed.id, composed.metadata) == (item.id, item.metadata)
    assert composed_item(composed) == composed
