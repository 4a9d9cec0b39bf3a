"""Free-text answers: what each rule understands, and what none may guess."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.predictions import REASONS, RULES, parse_answer
from evaluation.core.predictions.answers import Parsed

CUPS = ("cup", "tray")
FILLED = ("The cup slid off the tray because the cup was wet.",
          "The cup slid off the tray because the tray was wet.")  # fmt: skip

UNDERSTOOD = {
    "whole": [
        ("1", 1), (" 2\n", 2), ("2.", 2), ("(1)", 1), ("2.0", 2), ("[2]", 2), ("A", 1), ("b.", 2),
        ("(B)", 2), ("Option1", 1), ("Option 2", 2), ("option #2", 2), ("Choice B", 2),
        ("Answer: 2", 2), ("**Option 1**", 1), ("tray", 2), ("The tray.", 2), ("a CUP!", 1),
        ("“the cup”", 1), ("`tray`", 2), ("'cup'", 1),
    ],
    "sentence": [
        (FILLED[0], 1), (FILLED[1].upper(), 2), (f"I would write: “{FILLED[1]}” It has water.", 2),
    ],
    "start": [
        ("Option1: cup", 1), ("Option 2 : the tray ", 2), ("1. cup", 1), ("B) The tray", 2),
        ("2\nThe cup does not slide by itself.", 2), ("Option 1 because the tray is dry.", 1),
        ("2 - tray", 2), ("Tray, because the cup cannot be wet.", 2),
        ("The cup. A tray is dry.", 1),
        ("Option1: cup\n\nExplanation: the tray is under it.", 1), ("Option1 : cups.", 1),
    ],
    "statement": [
        ("Since the cup moves, the answer is the tray.", 2),
        ("The cup is on it, so the correct option is: B. tray", 2),
        ("Of cup and tray, the blank should be “cup”.", 1),
        ("Cup or tray? The pronoun refers to the cup, I think.", 1),
        ("The answer is option 2, not the cup.", 2),
        ("The answer is the cup. No, the answer is the tray.", 2),
        ("If the answer were the cup, it would be dry. So the answer is B.", 2),
        ("Answer: 1\n\nIf we said “although”, the answer would be 2.", 1),
        ("I... think it was the tray that was wet.", 2), ("I would choose option 2 here", 2),
        ("A is wrong. B is right.", 2), ("The answer isn't B.", 1), ("Choose one: B", 2),
        ("Between the cup and the tray, the tray makes more sense.", 2),
        ("It is hard to tell, but the tray is more likely.", 2),
        ("Die richtige Antwort ist 2.", 2), ("答案是A。", 1), ("La respuesta es la opción 2", 2),
    ],
    "last": [
        ("The cup is not what is wet.\nThe tray was under it.\n1", 1),
        ("The cup is dry.\n#### 2", 2), ("The tray moves first.\n\n-> cup", 1),
        ("1. cup\n2. tray\n\n2", 2),
        ("Is it the cup? It is dry. The tray.", 2), ("It isn't option 1. I'd say option 2", 2),
    ],
    "marked": [
        ("The cup? $\\boxed{\\text{(B)}}$", 2), ("Not the tray. \\boxed{1}", 1),
        ("I disagree with the cup. [[B]]", 2),
        ("The cup is dry. <answer>the tray</answer>", 2),
        ('{"reason": "It is not the tray.", "answer": "A"}', 1), ("```json\n{'choice': 2}\n```", 2),
        ("<answer>B</answer><reasoning>The cup is dry.</reasoning>", 2),
    ],
    "named": [
        ("It must be the cup's fault", 1), ("It's not the cup but the tray", 2),
        ("The tray, of the two", 2),
    ],
    "eliminated": [
        ("Option 1 is incorrect.", 2), ("It is not the cup.", 2), ("it can't be the tray", 1),
        ("not 1", 2), ("I don't think it's the cup.", 2),
        ("A is wrong.", 2), ("Anything but the tray.", 1),
    ],
}  # fmt: skip

NOT_UNDERSTOOD = {
    "empty": ["", "  \n", "...", "“”"],
    "out_of_range": ["3", "0", "C", "Option 3", "Option 7: cup", "I take option 4 here"],
    "refusal": [
        "I cannot determine whether it is the cup or the tray.", "I don't know.",
        "As an AI language model I have no cup.", "There is not enough information to say.",
        "It's impossible to tell; the cup?", "I'm sorry, but the sentence is odd.",
        "The answer cannot be determined, and this sentence is ambiguous.",
    ],
    "several_named": [
        "2 - cup", "2 cup", "(2) cup", "2, the cup",
        "cup or tray", "Option 1 or Option 2", "the cup and the tray", "Option1: tray",
        "1. tray", "The cup, or perhaps the tray, was wet", "1: the tray, because it is dry",
        "the answer is the cup or the tray", "1. cup\n2. tray", "A/B", "cup\ntray",
    ],
    "negated": ["Neither the cup nor the tray", "Option 1 is wrong and option 2 is wrong too."],
    "only_reasoning": ["<think>The cup is wet, so the answer is 1", "<think>1</think>\n"],
    "taken_back": ["The answer is the cup. Hmm, wait, that is odd."],
    "unstated": [
        "Let me think. The cup slid off, so", "The tray is flat. It is wide. It was bought in May.",
    ],
    "none_named": ["Yes", "the saucer", "cupboard", "wet", "The options: unclear words", "first?"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "text", "option"),
    [(rule, *answer) for rule, answers in UNDERSTOOD.items() for answer in answers],
)
def test_a_rule_understands(rule, text, option):
    assert parse_answer(text, CUPS, filled=FILLED) == Parsed(option, rule)


@pytest.mark.parametrize(
    ("reason", "text"), [(why, text) for why, texts in NOT_UNDERSTOOD.items() for text in texts]
)
def test_an_answer_that_no_rule_understands_has_a_reason(reason, text):
    assert parse_answer(text, CUPS, filled=FILLED) == Parsed(None, reason)


def test_every_rule_and_reason_has_a_case():
    assert UNDERSTOOD.keys() == RULES.keys() - {"scores"}
    assert NOT_UNDERSTOOD.keys() == REASONS.keys() - {"tied"}


@pytest.mark.parametrize(
    ("text", "options", "option"),
    [
        ("It must be the black car.", ("car", "black car"), 2),
        ("t-shirt", ("shirt", "t-shirt"), 2),
        ("the shirt, surely", ("shirt", "t-shirt"), 1),
        ("It was the teacher’s lounge", ("hall", "teacher's lounge"), 2),
        ("Three", ("Two", "Three", "Four"), 2),
        ("4", ("4", "5"), 1),  # no option is number 4, but one is 4
        ("2", ("2", "1"), None),  # the second, or the one that is 2
        ("the dog", ("a dog", "the dog"), None),
        ("True.", ("true", "false"), 1),
        ("Option E.", ("one", "two", "three", "four", "five"), 5),
        ("E", ("one", "two", "three", "four", "five"), 5),
        ("polish", ("Polish", "polish"), None),
    ],
)
def test_options_that_resemble_each_other_or_labels(text, options, option):
    assert parse_answer(text, options).option == option


words = st.sampled_from(
    ["cup", "tray", "option", "the", "not", "is", "or", "answer:", ".", "can't"]
)
numbers = st.sampled_from(["1", "2", "a", "B.", "option 1"])


@given(st.lists(words, max_size=8).map(" ".join))
def test_swapped_options_swap_the_numbers_of_what_is_named(text):
    here, there = parse_answer(text, CUPS), parse_answer(text, CUPS[::-1])
    assert there == Parsed(here.option and 3 - here.option, here.how)


@given(st.lists(words | numbers, max_size=8).map(" ".join) | st.text(max_size=40))
def test_an_answer_has_an_option_and_a_rule_or_a_reason(text):
    found = parse_answer(text, CUPS, filled=FILLED)
    assert found.how in (REASONS if found.option is None else RULES)
    assert found.option in (None, 1, 2)


def test_of_a_very_long_answer_the_end_is_read():
    assert parse_answer("the cup was not the tray " * 20_000, CUPS).how == "unstated"
    assert parse_answer("the cup was not the tray " * 20_000 + "\nAnswer: 2", CUPS).option == 2


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("<think>It is 1.</think>2", 2), ("It is 1.</think>\n2", 2), ("2 <think>or 1", 2),
        ("[THINK]1[/THINK]2", 2), ("<|START_THINKING|>1<|END_THINKING|>2", 2),
        ("<|channel|>analysis<|message|>1<|end|><|start|>assistant<|channel|>final<|message|>2", 2),
        ("analysisIs it 1?assistantfinal2", 2), ("2<|im_end|>\n<|im_start|>user\n1", 2),
        ("2\n\nQuestion: What is wet?\nAnswer: 1", 2),
    ],
)  # fmt: skip
def test_reasoning_and_what_follows_the_answer_are_not_read(text, option):
    assert parse_answer(text, CUPS).option == option


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("Yes", 1), ("The answer is no.", 2), ("True, since it is wet.", 1), ("f", 2),
        ("No, the pronoun refers to the tray.", 2), ("This is not true.", 2),
        ('{"answer": true}', 1),
        ("The claim is correct.", 1), ("<think>no</think>Yes", 1), ("yes or no?", None),
    ],
)  # fmt: skip
def test_yes_and_no_answer_a_true_false_item(text, option):
    assert parse_answer(text, ("true", "false")).option == option


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("Not the hose.", None), ("A and B are incorrect.", 3), ("It is neither A nor C.", 2),
        ("A. cup\nB. tray\nC. hose\nAnswer: C", 3), ("The answer is not the cup but the hose.", 3),
        ("Option 4", None),
    ],
)  # fmt: skip
def test_three_options(text, option):
    assert parse_answer(text, (*CUPS, "hose")).option == option


RUNS = (
    "a", " ", "\n", "1", "(", "[", "{", "<", "<think>", "</think>", "'", '"', "*", "_", "-", "#",
    "####", "\\boxed{", "}", "answer ", "answer:", "the answer is ", "not ", "option ", "option 1 ",
    "the ", "cup ", "cup, tray ", "so ", ". ", "? ", "\u0301\u0323", "A ", "B) ", "[[A]]",
    '"answer":', "<answer>", "if the ", "wait ", ", ", "答案是", "\ud800", "ﷺ", "$", "`",
    "</s>", "|", "i choose the ", "the one who ", "\u00a0", "①", "cup\n", "1. cup\n2. tray\n",
    "~~", "- [x] ", "i'd go with 1 ", "1 or ", "cup makes no sense. ", "cup: ", "cup - no ", "✓ ",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("run", RUNS)
def test_time_is_linear_in_the_length_of_an_answer(run, monkeypatch):
    """Quadratic time in a run of 20,000 characters is a minute or more."""
    began = time.process_time()
    parse_answer((run * 10_000)[:10_000], CUPS, filled=FILLED)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("I choose 1 or 2.", "several_named"),
        ("I would go with option one or two.", "several_named"),
        ('{"A": 0.5, "B": 0.5}', "tied"),
        ("After reflection, I stay with my first answer.", "none_named"),
        ("I give it a 2.", "none_named"),
        ("He said it's 1.", "none_named"),
        ("The cup does not fit. The tray is too small.", "several_named"),
    ],
)
def test_what_is_near_to_a_statement_is_not_understood(text, how):
    assert parse_answer(text, CUPS) == Parsed(None, how)


FOUR = ("the energy", "the field", "the spin", "the mass")
REPORTED = [  # kinds of answers that users of other evaluation tools have reported as misread
    (r"So \boxed{H \ll E} holds." "\n\n**Answer: D**", FOUR, 4),
    ("The answer is B. Note that A is tempting.", FOUR, 2),
    ("ANSWER IS D. A is incorrect.", FOUR, 4),
    ("The answer is C because I did the integral.", FOUR, 3),
    ("I looked at (A), but it is incorrect. Final answer: D.", FOUR, 4),
    ("The correct answer is d.", FOUR, 4),
    ("Answer: A\nOn checking, this has to be corrected.\nAnswer: B", FOUR, 2),
    ("Antwort:\n\nAntwort: C", FOUR, 3),
    ("I'm not sure. If I had to choose: 1", FOUR, 1),
    ("the answer is 2 or 4", FOUR, None),
    ("17", FOUR, None),
]


@pytest.mark.parametrize(("text", "options", "right"), REPORTED)
def test_answers_that_other_tools_misread_are_read(text, options, right):
    assert parse_answer(text, options).option == right
