"""Every rule of the checker, by example."""

import time

import pytest

from collection.core.findings import RULES, WARNINGS, Level, level_of, make_finding, quote
from collection.core.rules import (
    Domain,
    Finding,
    Thresholds,
    TwinDraft,
    check_question,
    check_twin,
)
from tests.collection.core.examples import FIRST, GOOD, SECOND, both, draft, of_length

LONG = "word " * 300

BROKEN: list[tuple[str, TwinDraft]] = [
    ("sentence_empty", draft(sentences=(FIRST, ""))),
    ("sentence_empty", draft(sentences=(" \n ", SECOND))),
    ("too_long", draft(sentences=(FIRST, SECOND + LONG))),
    ("control_character", draft(sentences=(FIRST, SECOND.replace("soon", "so\x00on")))),
    ("control_character", draft(sentences=(FIRST, SECOND.replace("soon", "soon\x1b[2J")))),
    ("invisible_character", draft(sentences=(FIRST, SECOND.replace("soon", "so\u200bon")))),
    ("invisible_character", draft(sentences=(FIRST, SECOND.replace("soon", "so\u00adon")))),
    ("invisible_character", draft(sentences=(FIRST, SECOND.replace("soon", "so\ud800on")))),
    ("invisible_character", draft(sentences=(FIRST, SECOND.replace("soon", "soon\u3164")))),
    ("too_few_words", of_length(14)),
    ("too_many_words", of_length(31)),
    ("blank_missing", draft(sentences=(FIRST.replace("_", "it"), SECOND))),
    ("blank_repeated", draft(sentences=(FIRST, SECOND.replace("_", "_ _")))),
    ("blank_repeated", draft(sentences=(FIRST, SECOND.replace("_", "___")))),
    ("blank_glued", draft(sentences=(FIRST, SECOND.replace("the _", "the_")))),
    ("blank_glued", draft(sentences=(FIRST, SECOND.replace("_", "_s")))),
    ("option_empty", draft(options=("lamp", "  "))),
    ("option_has_blank", draft(options=("lamp", "_"))),
    ("options_same", draft(options=("lamp", "LAMP "))),
    ("option_missing", draft(options=("lamp", "table"))),
    ("option_missing", draft(sentences=(FIRST, SECOND.replace("shelf", "board")))),
    ("option_part_of_word", both("lamp", "lamps")),
    ("answer_invalid", draft(answers=(1, 3))),
    ("answers_same", draft(answers=(2, 2))),
    ("twins_identical", draft(sentences=(FIRST, FIRST))),
    ("twins_identical", draft(sentences=(FIRST, FIRST.upper().replace("AGAIN.", " again !")))),
    ("twins_reordered", draft(sentences=(FIRST, FIRST.replace("heavy lamp", "lamp heavy")))),
    ("overlap_low", of_length(20, own=7)),
    ("anchor_empty", draft(anchor=" ")),
    ("anchor_function_word", draft(anchor="The")),
    ("anchor_function_word", draft(anchor="of the")),
    ("anchor_function_word", draft(anchor="...")),
    ("anchor_not_in_article", draft(article="How to fix a lamp\nStand on the doorstep.")),
    ("anchor_missing", draft(anchor="window")),
    ("anchor_missing", draft(sentences=(FIRST, SECOND.replace("door", "wall")))),
    ("anchor_part_of_word", draft(anchor="eavy")),
    ("person_not_named", draft(domain=Domain.SOCIAL)),
    (
        "people_gender_differs",
        both("lamp", "Rebecca", options=("Rebecca", "Ian"), domain=Domain.SOCIAL),
    ),
    ("object_number_differs", both("shelf", "shelves", options=("lamp", "shelves"))),
    ("object_proper_noun", both("lamp", "MacBook", options=("MacBook", "shelf"))),
    ("object_animal", both("lamp", "puppy", options=("puppy", "shelf"))),
]

FINE: list[tuple[str, TwinDraft]] = [
    ("the good twins", GOOD),
    ("15 words", of_length(15)),
    ("30 words", of_length(30)),
    ("an overlap of exactly 70 %", of_length(20, own=6)),
    ("published twins without anchor and domain", draft(anchor=None, domain=None)),
    ("an option in another case", draft(options=("LAMP", "Shelf"))),
    (
        "an option across a double space",
        both("old", "old ", options=("lamp", "old shelf")),
    ),
    (
        "a typographic apostrophe",
        both("lamp", "boy’s lamp", options=("boy's lamp", "shelf")),
    ),
    ("an inflected anchor", draft(anchor="doo")),
    ("an anchor phrase with a function word", draft(anchor="by the door")),
    ("a possessive blank", both("_ was", "_'s foot was")),
    ("a blank before a full stop", both("_ was too", "was _.")),
    ("accents and an emoji", both("old", "déjà-vu 🙂")),
    ("a non-breaking space", both("old shelf", "old\u00a0shelf")),
    ("an abbreviation as object", both("lamp", "TV", options=("TV", "shelf"))),
    (
        "an object at a sentence start",
        both("by the", "by it. Lamp in", options=("Lamp", "shelf")),
    ),
    ("a hot dog", both("lamp", "hot dog", options=("hot dog", "shelf"))),
    (
        "two women",
        both("lamp", "Rebecca", options=("Rebecca", "Dana"), domain=Domain.SOCIAL),
    ),
]


def only(findings: tuple[Finding, ...]) -> Finding:
    assert len(findings) == 1
    return findings[0]


@pytest.mark.parametrize(("code", "broken"), BROKEN)
def test_a_broken_rule_is_found(code: str, broken: TwinDraft) -> None:
    assert code in check_twin(broken).codes


@pytest.mark.parametrize(("code", "broken"), BROKEN)
def test_errors_refuse_and_warnings_do_not(code: str, broken: TwinDraft) -> None:
    report = check_twin(broken)
    assert report.accepted == (report.codes <= WARNINGS)


@pytest.mark.parametrize("fine", [case for _, case in FINE], ids=[name for name, _ in FINE])
def test_nothing_is_found_where_nothing_is_wrong(fine: TwinDraft) -> None:
    assert check_twin(fine).findings == ()


@pytest.mark.parametrize("space", ["\r", "\r\n", "\t", " \r ", "\u2028", "\u3000", "  "])
def test_white_space_of_any_kind_is_a_space(space: str) -> None:
    spaced = check_twin(draft(sentences=(FIRST, SECOND.replace(" soon", f"{space}soon"))))
    assert (spaced.findings, spaced.word_counts, spaced.overlap) == (
        (),
        check_twin(GOOD).word_counts,
        check_twin(GOOD).overlap,
    )


def test_twins_of_the_same_words_in_another_order_warn_and_a_campaign_may_refuse_them() -> None:
    turned = draft(sentences=(FIRST, FIRST.replace("heavy lamp", "lamp heavy")))
    assert [item.code for item in check_twin(turned).warnings] == ["twins_reordered"]
    assert check_twin(turned).accepted
    refused = check_twin(turned, blocking=frozenset({"twins_reordered"}))
    assert [item.code for item in refused.errors] == ["twins_reordered"]


def test_every_rule_has_an_example() -> None:
    assert {code for code, _ in BROKEN} == set(RULES)


def test_every_warning_is_a_rule() -> None:
    assert set(RULES) > WARNINGS
    assert level_of("anchor_missing") is Level.ERROR


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(ValueError, match="code must be one of RULES or ADVICE, got 'nonsense'"):
        make_finding("nonsense", "What?")


@pytest.mark.parametrize(
    ("code", "broken", "sentence", "marked"),
    [
        ("too_many_words", of_length(31), 1, "bent"),
        ("blank_repeated", draft(sentences=(FIRST, SECOND.replace("_", "_ _"))), 2, "_"),
        ("blank_glued", draft(sentences=(FIRST, SECOND.replace("_", "_s"))), 2, " _s"),
        ("control_character", draft(sentences=(FIRST.replace(" by", " \bby"), SECOND)), 1, "\b"),
        ("option_part_of_word", both("lamp", "lamps"), 1, "lamps"),
        ("anchor_part_of_word", draft(anchor="eavy"), 1, "heavy"),
        ("object_proper_noun", both("lamp", "Ikea", options=("ikea", "shelf")), 2, "Ikea"),
    ],
)
def test_a_finding_points_at_the_place(
    code: str, broken: TwinDraft, sentence: int, marked: str
) -> None:
    findings = check_twin(broken).findings
    finding = next(item for item in findings if (item.code, item.sentence) == (code, sentence))
    assert broken.sentences[sentence - 1][finding.start : finding.end] == marked


def test_a_message_says_what_to_do() -> None:
    finding = check_twin(of_length(14)).errors[0]
    assert finding.message == "Sentence 1 has 14 of at least 15 words; add 1 more."


def test_an_overlap_below_the_limit_is_never_shown_as_the_limit() -> None:
    draft_ = of_length(30, own=10)
    finding = only(check_twin(draft_, thresholds=Thresholds(min_overlap=2 / 3 + 1e-6)).errors)
    assert "share 66% of their words, and at least 66.67% is required" in finding.message


def test_a_report_contains_what_a_writer_wants_to_see() -> None:
    report = check_twin(GOOD)
    assert report.word_counts == (20, 20)
    assert report.overlap == 0.95
    assert (report.trigger.first_words, report.trigger.second_words) == (("bent",), ("bright",))


def test_a_finding_is_ready_for_json() -> None:
    finding = check_twin(draft(anchor="eavy")).warnings[0]
    assert finding.as_dict() | {"message": ""} == {
        "code": "anchor_part_of_word",
        "level": "warning",
        "message": "",
        "sentence": 1,
        "start": FIRST.index("heavy"),
        "end": FIRST.index("heavy") + 5,
        "value": None,
        "example": "",
    }


def test_an_empty_sentence_gets_no_other_finding() -> None:
    assert check_twin(draft(sentences=(FIRST, ""))).codes == {"sentence_empty"}


def test_an_empty_option_is_not_said_to_be_no_name() -> None:
    report = check_twin(draft(options=("", " "), domain=Domain.SOCIAL))
    assert "person_not_named" not in report.codes


def test_a_campaign_sets_its_own_limits() -> None:
    limits = Thresholds(min_words=5, max_words=14, min_overlap=0.5)
    assert check_twin(of_length(14, own=6), thresholds=limits).accepted
    assert not check_twin(of_length(15), thresholds=limits).accepted


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"min_words": 0}, "min_words must be 1 or more, got 0"),
        ({"max_words": 14}, r"max_words must be min_words \(15\) or more, got 14"),
        ({"min_overlap": 1.1}, "min_overlap must be between 0 and 1, got 1.1"),
        ({"min_overlap": float("nan")}, "min_overlap must be between 0 and 1, got nan"),
    ],
)
def test_impossible_limits_are_refused(limits: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Thresholds(**limits)  # type: ignore[arg-type]


def test_an_unpaired_question_is_checked_without_its_twin() -> None:
    assert check_question(FIRST, ("lamp", "shelf"), 2) == ()
    codes = {item.code for item in check_question("The lamp.", ("lamp", "shelf"), 0)}
    assert codes == {"too_few_words", "blank_missing", "option_missing", "answer_invalid"}


HOSTILE = ["a " * 500_000, "_" * 1_000_000, "a" * 1_000_000, "\u200b" * 1_000_000, " " * 1_000_000]


@pytest.mark.long
@pytest.mark.parametrize("text", HOSTILE, ids=["words", "blanks", "letters", "hidden", "spaces"])
def test_a_megabyte_of_text_is_answered_quickly(text: str) -> None:
    start = time.process_time()
    report = check_twin(draft(sentences=(text, text), options=(text, "x"), anchor=text))
    assert not report.accepted
    assert time.process_time() - start < 2
    assert all(len(item.message) < 300 for item in report.findings)


def test_the_longest_sentence_allowed_is_compared_quickly() -> None:
    start = time.process_time()
    check_twin(draft(sentences=("a b " * 300, "b c " * 300)))
    assert time.process_time() - start < 2


def test_a_long_quotation_is_shortened() -> None:
    assert quote("a" * 100) == "“" + "a" * 39 + "…”"
