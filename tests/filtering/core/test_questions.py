"""Frozen questions: their canonical line, and the sentence with an option in its blank."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filtering.core.questions import FrozenQuestion, fill
from tests.data_dir import needs_data
from tests.winogrande_data import winogrande_questions

QUESTION = FrozenQuestion(
    id="q1",
    twin="t1",
    sentence="The trophy did not fit the café's case as the _ was big.",
    option1="trophy",
    option2="case",
    answer=1,
    domain="physical",
)


def test_a_line_reads_back_as_the_same_question():
    assert FrozenQuestion.from_line(QUESTION.to_line()) == QUESTION


def test_the_line_is_canonical_json():
    assert QUESTION.to_line() == json.dumps(
        dataclasses.asdict(QUESTION), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert "\n" not in QUESTION.to_line()


@pytest.mark.parametrize(
    "line", ["", "[]", "{}", "not json", '{"id": "1"}', QUESTION.to_line()[:-1] + ',"x":1}']
)
def test_a_broken_line_is_a_clear_error(line):
    with pytest.raises(ValueError, match="line must be a frozen question"):
        FrozenQuestion.from_line(line)


def test_an_answer_is_1_or_2():
    with pytest.raises(ValueError, match="answer must be 1 or 2, got 3"):
        dataclasses.replace(QUESTION, answer=3)


@pytest.mark.parametrize("sentence", ["No blank here.", "Two _ blanks _ here."])
def test_a_sentence_without_its_one_blank_is_refused(sentence):
    with pytest.raises(ValueError, match="exactly one blank"):
        fill(sentence, "pot")
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
    assert fill(sentence, option) == filled


@given(before=st.text().filter(lambda t: "_" not in t), option=st.text(min_size=1))
def test_filling_changes_nothing_but_the_blank(before, option):
    filled = fill(before + "_!", option)
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
        assert FrozenQuestion.from_line(question.to_line()) == question
