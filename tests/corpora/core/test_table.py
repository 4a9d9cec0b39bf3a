"""Any table, by a mapping of columns."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.readers import BY_NAME, checked
from corpora.core.readers.table import answer_of

read_table = BY_NAME["table"].read
CUP = "The cup stood on the tray, so _ fell."
HEADER = "id,group,sentence,options,answer"


def read(*lines: str, **columns: str):
    return list(read_table([f"{line}\n" for line in lines], columns=columns))


def row(**values) -> str:
    return json.dumps({"sentence": CUP, "options": ["the cup", "the tray"]} | values)


def test_columns_of_a_csv_file_are_named():
    (item,) = read(
        "key,text,first,second,twin,domain",
        f'B,"{CUP}",the cup,the tray,t7,physical',
        sentence="text", options="first,second", answer="key", group="twin", metadata="domain",
    )  # fmt: skip
    assert (item.id, item.group, item.sentence) == ("q1", "t7", CUP)
    assert (item.options, item.answer) == (("the cup", "the tray"), 2)
    assert item.metadata == {"domain": "physical"}


def test_a_column_with_the_name_of_its_field_needs_no_mapping():
    (item,) = read(HEADER, f'q1,t,"{CUP}",the cup|the tray,the tray')
    assert (item.id, item.group, item.answer) == ("q1", "t", 2)


def test_tabs_json_lists_and_json_lines_say_the_same():
    tabbed = read("sentence\toptions\tanswer", f'{CUP}\t["the cup", "the tray"]\t1')
    lines = read("", row(answer=1))
    assert tabbed == lines == read("sentence,options,answer", f'"{CUP}",the cup|the tray,1')


def test_a_byte_order_mark_and_line_breaks_in_a_field_are_read():
    lines = ["\ufeffid,sentence,options\r\n", 'q,"Two\r\n', 'lines _.",a|b\r\n']
    (item,) = read_table(checked(lines))
    assert (item.id, item.sentence) == ("q", "Two\r\nlines _.")


def test_a_pronoun_makes_the_form_and_brackets_its_place():
    (item,) = read(row(sentence="It fell as it was.", pronoun="it", answer="B"))
    assert (item.form, item.span) == ("pronoun", (11, 13))
    (item,) = read(row(sentence="If it fell, [it] broke.", pronoun="it"))
    assert (item.sentence, item.span) == ("If it fell, it broke.", (12, 14))


@pytest.mark.parametrize(
    ("given", "answer"), [(True, 1), (False, 2), ("true", 1), ("False", 2), (None, None)]
)
def test_a_candidate_is_true_or_false(given, answer):
    line = row(sentence="Ann said she won.", pronoun="she", candidate="Ann", answer=given)
    (item,) = read(line)
    assert (item.form, item.candidate, item.options) == ("truth", "Ann", ("true", "false"))
    assert item.answer == answer


def test_a_relation_makes_a_premise():
    (item,) = read(row(sentence="It rained.", relation="effect", label=1))
    assert (item.form, item.relation, item.answer) == ("premise", "effect", 2)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("jar", 3), ("C", 3), ("c", 3), ("C.", 3), ("(C)", 3), ("3", 3), (3, 3), (" jar ", 3)],
)
def test_an_answer_is_a_text_a_letter_or_a_number(answer, expected):
    assert answer_of(answer, None, ("cup", "pot", "jar")) == expected


@pytest.mark.parametrize("answer", ["0", 0, 4, "D", "vase", True, 1.5, "1.5", -2, "²", [1]])
def test_an_answer_that_names_no_option_is_refused(answer):
    with pytest.raises(ValueError, match="its number from 1 to 3"):
        answer_of(answer, None, ("cup", "pot", "jar"))


@pytest.mark.parametrize("answer", [None, "", -1, "-1", "-1.0", -1.0, "NaN"])
def test_an_answer_may_be_unknown(answer):
    assert answer_of(answer, None, ("cup", "jar")) is answer_of(None, answer, ("a", "b")) is None


@pytest.mark.parametrize(("answer", "expected"), [(1.0, 1), ("2.0", 2), (" 2 ", 2)])
def test_a_program_may_have_made_a_number_of_an_answer(answer, expected):
    assert answer_of(answer, None, ("cup", "jar")) == expected
    assert answer_of(None, answer, ("x", "cup", "jar")) == expected + 1


@pytest.mark.parametrize("answer", ["2", "B"])
def test_an_answer_that_names_two_options_is_not_guessed(answer):
    with pytest.raises(ValueError, match="is the text of one option and names another one"):
        answer_of(answer, None, (answer, "other"))


@given(st.lists(st.text(min_size=3).map(str.strip).filter(lambda text: len(text) > 2),
                min_size=2, max_size=6, unique=True), st.data())  # fmt: skip
def test_a_number_and_a_letter_name_the_same_option(options, data):
    n = data.draw(st.integers(1, len(options)))
    letter = "ABCDEF"[n - 1]
    plain = not any(option.isdigit() or option.strip("().") in "ABCDEFabcdef" for option in options)
    if plain:
        ways = (n, str(n), letter, letter.lower(), options[n - 1])
        assert {answer_of(way, None, options) for way in ways} == {n}
    assert answer_of(None, n - 1, options) == n


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (
            ["sentence,options", f'"{CUP}"'],
            "line 2: The row has 1 cells, and the first line names 2",
        ),
        (
            ["sentence,options", f"{CUP},a|b"],
            "line 2: The row has 3 cells, and the first line names 2",
        ),
        (["sentence,Sentence", "a,b"], "line 1: The name sentence stands twice"),
        (["sentence,", "a,b"], "line 2: The row has 2 cells, and the first line names 1"),
        (["sentence,,options", "a,b,c"], "line 2: Column 2 has no name .* has “b”"),
        (["options", "a|b"], "line 2: sentence is missing or empty"),
        (["sentence", f'"{CUP}"'], "line 2: options must be a list, or columns option1"),
        (["sentence,options", "No blank.,a|b"], "line 2: sentence must contain exactly one blank"),
        (["sentence,options", "A _.,a"], "line 2: options must be at least 2"),
        (["sentence,options", "A _.,a|a"], "line 2: options must be at least 2, all different"),
        (["sentence,options", 'A _.,"a|b'], "line 2: The quotation mark that opens in this row"),
        (["sentence,options", 'A _.,"a"b'], "line 2: The row is not valid CSV"),
        ([row(), "[1]"], r"line 2: The line is JSON, but not an object .*: \[1\]"),
        ([row(), "{"], "line 2: The line is not valid JSON"),
        ([row(options=[1, 2])], "line 1: options must be texts"),
        ([row(options={"a": 1})], "line 1: options must be a list"),
        ([row(sentence=5)], "line 1: sentence must contain exactly one blank"),
        ([row(sentence=["x"])], "line 1: sentence must be text"),
        ([row(id=True)], "line 1: id must be text"),
        ([row(answer="x", label=1)], "line 1: either answer or label must be given"),
        ([row(label=2)], "line 1: label must be from 0 to 1, or -1 if unknown, got 2"),
        ([row(candidate="Ann")], "line 1: a candidate needs the pronoun"),
        ([row(pronoun="she")], "the pronoun 'she' stands 0 times"),
        ([row(sentence="it, it", pronoun="it")], r"stands 2 times.*; mark one of them \[it\]"),
        ([row(sentence="It.", relation="reason")], "line 1: relation must be one of"),
        ([row(sentence="x she", pronoun="she", candidate="y", answer="1")], "must be true or fals"),
        ([row(sentence="x she", pronoun="she", candidate="y", label="2")], "label must be 1 or 0"),
    ],
)
def test_what_is_no_question_is_refused_with_its_line(lines, says):
    with pytest.raises(ValueError, match=says):
        read(*lines)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"text": "sentence"}, r"columns must be of the fields id, .*; got \['text'\]"),
        ({"sentence": " "}, r"without a name: \['sentence'\]"),
        ({"sentence": "text"}, "line 1: there is no column “text”, only sentence, options"),
        ({"options": "a,b"}, "line 1: there is no column “a”"),
        ({"metadata": "source"}, "line 1: there is no column “source”"),
    ],
)
def test_a_mapping_of_what_is_not_there_is_refused(columns, says):
    with pytest.raises(ValueError, match=says):
        read(row(), **columns)


def test_an_empty_file_has_no_questions():
    assert read() == read("") == read("sentence,options") == []


def test_decomposed_letters_are_found_among_composed_ones():
    (named,) = read(row(sentence="_ rang the bell.", options=["Rene\u0301", "Zoë"], answer="René"))
    (marked,) = read(
        row(
            sentence="Rene\u0301 saw Zoë, and él saw él.",
            pronoun="e\u0301l",
            pronoun_loc=len("Rene\u0301 saw Zoë, and él saw "),
            options=["Rene\u0301", "Zoë"],
        )
    )
    assert named.answer == 1
    assert marked.sentence[: marked.span[0]] == "René saw Zoë, and él saw "
