"""How often free-text answers in the styles of real systems are understood, and how often wrongly.

The answers are our own, and right by hand. Those held out were written before the parser and were
not used for it.
"""

import json
from functools import cache
from pathlib import Path

import pytest

from corpora.core.readers import READERS
from evaluation.core.predictions import parse_answer
from tests.data_dir import data_dir, needs_data

FOLDER = Path(__file__).parent
FILES = ("answers_held_out.jsonl", "answers_development.jsonl")


def answers(name):
    with (FOLDER / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def option_of(row):
    options = row["options"]
    filled = [row["sentence"].replace("_", one) for one in options] if "sentence" in row else ()
    return parse_answer(row["text"], options, filled=filled).option


@pytest.mark.parametrize("name", FILES)
def test_at_most_one_answer_in_200_is_understood_wrongly_and_one_in_20_not_at_all(name):
    rows = answers(name)
    found = [(row["right"], option_of(row)) for row in rows]
    wrong = [option for right, option in found if option is not None and option != right]
    missed = [right for right, option in found if option is None and right is not None]
    n_right = sum(right is not None for right, _ in found)
    assert len(rows) >= 190
    assert len(wrong) <= 0.005 * len(rows)
    assert len(missed) <= 0.05 * n_right


LETTERS = "AB"
STYLES = {
    "reasoning, then a label": "<think>Perhaps {wrong}. The answer is {wrong}?</think>\n{n}",
    "other in the text, a label last": "{wrong} is in the sentence.\nThat does not settle it.\n{n}",
    "options echoed": "1. {first}\n2. {second}\nAnswer: {n}",
    "options echoed in a line": "A) {first} B) {second}. The answer is {letter}) {right}",
    "the other denied": "Option {other} is incorrect.",
    "the other's text denied": "It can't be {wrong}.",
    "not but": "Not {wrong} but {right}.",
    "rather than": "{right} rather than {wrong}.",
    "box": "One may think of {wrong}. $\\boxed{{\\text{{{right}}}}}$",
    "hashes": "{wrong} is there.\n#### {n}",
    "brackets": "{wrong} is a distractor. [[{letter}]]",
    "tag": "{wrong} comes first. <answer>{right}</answer>",
    "JSON": '{{"reason": "{wrong} is not it", "answer": "{letter}"}}',
    "bold": "The correct answer is **{right}**, since {wrong} is something else.",
    "taken back": "The answer is {wrong}. Wait, no. The answer is {right}.",
    "both judged": "{wrong} does not make sense here. {right} makes sense.",
    "each judged in a sentence": "Option {other} is incorrect. Option {n} is correct.",
    "each text judged in a sentence": "{wrong} makes no sense. {right} fits.",
    "judged by a clause": "{right} works. {wrong} does not.",
    "judged by fields": "Option {other}: no. Option {n}: yes.",
    "judged by lines": "{other}: implausible\n{n}: plausible",
    "judged in brackets": "{wrong} (incorrect), {right} (correct)",
    "marks behind": "{wrong} ✗ {right} ✓",
    "kept": "I stay with {n}",
    "gone with": "I'd go with {n}, not {other}.",
    "stuck to": "sticking with {n}",
    "the other not gone with": "I wouldn't go with {other}.",
    "given up": "I was going with {wrong}, but it's {right}.",
    "makes no sense for": "It makes no sense for {wrong}. It makes sense for {right}.",
    "the wrong one named": "The wrong answer is {wrong}.",
    "boxes ticked": "- [ ] {wrong}\n- [x] {right}",
    "struck out": "~~{wrong}~~ {right}",
    "numbers by label": '{{"option{other}": 0.2, "option{n}": 0.8}}',
    "a German label": "Auswahl: {n}",
    "a Chinese label": "选择：{letter}",
    "refers to": "Here the blank refers to {right}, not {wrong}.",
    "run on": "{letter}\n\nQuestion: another one\nAnswer: {other}",
}


@cache
def items():
    with (data_dir() / "winogrande" / "dev.jsonl").open(encoding="utf-8") as lines:
        return list(READERS["winogrande"](lines))


def answer_of(item, style):
    n = item.answer
    return STYLES[style].format(
        n=n,
        other=3 - n,
        letter=LETTERS[n - 1],
        right=item.options[n - 1],
        wrong=item.options[2 - n],
        first=item.options[0],
        second=item.options[1],
    )


def share_right(of, style):
    found = [
        parse_answer(answer_of(item, style), item.options, filled=item.filled).option for item in of
    ]
    return sum(option == item.answer for option, item in zip(found, of, strict=True)) / len(of)


@pytest.mark.long
@needs_data
@pytest.mark.parametrize("style", STYLES)
def test_a_perfect_system_scores_one_in_each_style(style):
    assert share_right(items()[:40], style) == 1


@needs_data
@pytest.mark.long
@pytest.mark.parametrize("style", STYLES)
def test_a_perfect_system_scores_one_on_the_whole_split(style):
    assert share_right(items(), style) > 0.999
