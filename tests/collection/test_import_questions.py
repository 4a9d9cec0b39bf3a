"""One line at a time: which published questions come in, which only warn, which are refused."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collection.core.rules import RULES, Thresholds
from collection.imports.questions import (
    FIELDS,
    LONGEST_BASE,
    LONGEST_OPTION,
    REASONS,
    TOLERATED,
    Half,
    PublishedQuestion,
    check_pair,
    check_unpaired,
    decide,
)
from collection.imports.report import Reject
from tabular import Record, as_stream, problem, read_records
from tests.collection.import_lines import SENTENCES, line, question

LIMITS = Thresholds()
OPTIONS = ("trophy", "suitcase")
SHORT = "The trophy did not fit the suitcase because the _ was large."
LONG = SENTENCES[0].replace("brown", "brown " * 20)

HOSTILE: list[tuple[str, Any]] = [
    ("qid_missing", question(qID=...)),
    ("field_missing", question(sentence=...)),
    ("field_missing", question(option1=...)),
    ("field_not_text", question(qID=17)),
    ("field_not_text", question(sentence=None)),
    ("field_not_text", question(option2=["suitcase"])),
    ("answer_invalid", question(answer=True)),
    ("answer_invalid", question(answer=1.5)),
    ("field_has_nul", question(sentence=SENTENCES[0] + "\0")),
    ("field_has_nul", question(qID="A\0-1")),
    ("field_has_surrogate", line(question()).replace("trophy", "\\ud800 trophy")),
    ("field_has_surrogate", line(question()).replace("AAA-1", "\\udfff-1")),
    ("answer_missing", question(answer=...)),
    ("answer_missing", question(answer="")),
    ("answer_missing", question(answer=None)),
    ("answer_missing", question(answer=-1)),
    ("answer_invalid", question(answer="3")),
    ("answer_invalid", question(answer="A")),
    ("answer_invalid", question(answer="١")),
    ("qid_malformed", question(qID="")),
    ("qid_malformed", question(qID="AAA")),
    ("qid_malformed", question(qID="AAA-3")),
    ("qid_malformed", question(qID="-1")),
    ("qid_malformed", question(qID=" -1")),
    ("qid_too_long", question(qID="A" * (LONGEST_BASE + 1) + "-1")),
    ("option_too_long", question(option1="trophy" * 30)),
    ("sentence_empty", question(sentence="  ")),
    ("too_long", question(sentence="word " * 300 + "_ trophy suitcase")),
    ("control_character", question(sentence=SENTENCES[0].replace("bed", "\x1b[2J bed"))),
    ("blank_missing", question(sentence=SENTENCES[0].replace("_", "it"))),
    ("blank_repeated", question(sentence=SENTENCES[0].replace("bed", "_"))),
    ("option_empty", question(option1="")),
    ("option_empty", question(option2=" ")),
    ("option_has_blank", question(option1="_")),
    ("options_same", question(option2="Trophy")),
    ("option_missing", question(option1="elephant")),
]


def decided(value: Any) -> PublishedQuestion | Reject:
    (record,) = read_records(as_stream("\n" * 6 + line(value)), known=FIELDS)
    return decide(record, thresholds=LIMITS)


@pytest.mark.parametrize(("code", "value"), HOSTILE)
def test_a_hostile_line_is_refused_with_its_number_and_a_sentence(code: str, value: Any) -> None:
    reject = decided(value)

    assert isinstance(reject, Reject)
    assert (reject.line, reject.code) == (7, code)
    assert reject.message.endswith(".")
    assert reject.source_id in {"", "AAA"}


def test_a_line_that_could_not_be_read_is_refused() -> None:
    found = problem("not_utf8")
    assert decide(Record(7, {}, found), thresholds=LIMITS) == Reject(7, found.code, found.sentence)


def test_every_code_of_a_line_is_shown_by_a_hostile_one() -> None:
    shown = {code for code, _ in HOSTILE}

    assert set(REASONS) <= shown
    # The rest needs a twin or an anchor, or a domain, or a file that cannot be read.
    anchors = {code for code in RULES if code.startswith("anchor_")} - TOLERATED
    assert set(RULES) - TOLERATED - shown == {"answers_same", "twins_identical"} | anchors


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("too_few_words", SHORT),
        ("too_many_words", LONG),
        ("blank_glued", SENTENCES[0].replace("_", "_s")),
        ("invisible_character", SENTENCES[0].replace("bed", "b\u200bed")),
        ("option_part_of_word", SENTENCES[0].replace("trophy", "trophys")),
    ],
)
def test_what_published_data_may_break_only_warns(code: str, sentence: str) -> None:
    found = decided(question(sentence=sentence))
    check = check_unpaired(OPTIONS, Half(sentence, 1), thresholds=LIMITS)

    assert isinstance(found, PublishedQuestion)
    assert code in check.warnings
    assert check.refused is None


def test_a_tolerated_code_is_a_rule() -> None:
    assert set(RULES) >= TOLERATED


def test_a_good_line_keeps_its_text_and_loses_the_ending() -> None:
    found = decided(question("A-B-1", 1, note="kept out"))

    assert isinstance(found, PublishedQuestion)
    assert (found.source_id, found.sentence, found.answer) == ("A-B-1", SENTENCES[0], 1)
    assert (found.option1, found.option2) == OPTIONS


@pytest.mark.parametrize("space", ["\r", "\r\n", "\t", "  ", "\u00a0", "\u2028", "\u3000"])
def test_white_space_of_any_kind_comes_in_as_one_space(space: str) -> None:
    sentence = SENTENCES[0].replace(" bed", f"{space}bed") + space

    found = decided(question(sentence=sentence, option2=f"{space}{OPTIONS[1]}"))

    assert isinstance(found, PublishedQuestion)
    assert found.sentence == SENTENCES[0]
    assert (found.option1, found.option2) == OPTIONS


def test_the_longest_names_and_options_that_fit_are_taken() -> None:
    option = ("trophy " * 20)[: LONGEST_OPTION - 1] + "s"
    sentence = f"{option} and the suitcase stood on the bed, but only the _ was far too large."

    found = decided(question("A" * LONGEST_BASE, sentence=sentence, option1=option))

    assert isinstance(found, PublishedQuestion)


def test_the_coin_is_drawn_from_the_sentence_alone() -> None:
    one = decided(question(ending=1))
    same = decided(question("BBB", 2, sentence=SENTENCES[0], answer="2"))

    assert isinstance(one, PublishedQuestion)
    assert isinstance(same, PublishedQuestion)
    assert one.coin == same.coin


def checked(first: str, second: str) -> tuple[str | None, tuple[str, ...]]:
    found = check_pair(OPTIONS, (Half(first, 1), Half(second, 2)), thresholds=LIMITS)
    return found.refused, found.warnings


def test_twins_without_a_difference_are_refused() -> None:
    assert checked(SENTENCES[0], SENTENCES[0].upper())[0] == "twins_identical"


def test_twins_that_differ_in_order_or_too_much_only_warn() -> None:
    turned = SENTENCES[0].replace("brown suitcase on the bed", "suitcase on the brown bed")
    other = "Nobody put the trophy and a suitcase there, as my _ was much bigger than that thing."

    assert checked(SENTENCES[0], turned) == (None, ("twins_reordered",))
    assert checked(SENTENCES[0], other) == (None, ("overlap_low",))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


# The first draw loads Unicode tables: slow on a busy machine, and no sign of a bad strategy.
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from([*FIELDS, "other"]), values))
def test_no_object_makes_the_decision_raise(fields: dict[str, Any]) -> None:
    assert decided(question() | fields)


@given(st.text())
def test_no_text_makes_the_decision_raise(text: str) -> None:
    for record in read_records(as_stream(text), known=FIELDS):
        assert decide(record, thresholds=LIMITS)
