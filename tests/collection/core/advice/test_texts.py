"""Advice on the text itself, whatever other twins there are."""

import gzip
import json

import pytest

from collection.core.advice.polarity import (
    Polarity,
    compound,
    negation_findings,
    negations_apart,
    polarity,
    polarity_findings,
)
from collection.core.advice.published import FILE, WIDTH, is_published, made_index, schema_hash
from collection.core.advice.texts import offensive_words, text_findings
from collection.core.findings import OF_TEXTS, Level
from collection.core.triggers import trigger_diff
from tests.authoring_data import AUTHORING_FILE, read_authoring
from tests.data_dir import data_dir, needs_data

GOOD = "The soup stayed warm in the flask but not in the jar, because the _ had a tight lid."
OPTIONS = ("flask", "jar")


def codes(sentence: str, *, options: tuple[str, str] = OPTIONS, **more: object) -> list[str]:
    found = list(text_findings((GOOD, sentence), options, **more))  # type: ignore[arg-type]
    assert {finding.sentence for finding in found} <= {2}
    assert {finding.level for finding in found} <= {Level.WARNING}
    return [finding.code for finding in found]


def test_nothing_is_said_about_a_usual_sentence() -> None:
    assert codes(GOOD) == []


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("Sure! Here is a twin: the soup stayed warm because the _ had a lid.", "chat_text"),
        ("Sentence 2: the soup stayed warm because the _ had a lid.", "chat_text"),
        ("As an AI, I say the soup stayed warm because the _ had a lid.", "chat_text"),
        ("The soup stayed <b>warm</b> because the _ had a lid.", "markup"),
        ("The soup stayed warm&nbsp;because the _ had a lid.", "markup"),
        (f"The soup stayed {'w' + 'ar' * 20 + 'm'} because the _ had a lid.", "long_word"),
        ("The soup stayed sdfkjhg because the _ had a lid.", "gibberish"),
        ("The soup stayed warmmmmm because the _ had a lid.", "gibberish"),
        ("The soup stayed тёплым because the _ had a lid.", "other_script"),
        ("The soup stayed warm because the shitty _ had a lid.", "offensive_word"),
    ],
)
def test_each_kind_of_text_is_found(sentence: str, code: str) -> None:
    assert codes(sentence) == [code]


@pytest.mark.parametrize(
    "sentence",
    [
        "Sure enough, the soup in the flask was warm, but the _ had no lid.",
        "Here is where Ana kept the flask and the jar until the _ broke at 3 < 4 o'clock & later.",
        "The café's rhythm section played NBCDF strengths by catchphrase beside the _ .",
        "Zoë and Chloé carried the flask to the 5 µm filter until the _ broke.",
    ],
)
def test_words_that_only_look_odd_are_left_alone(sentence: str) -> None:
    assert codes(sentence) == []


def test_a_campaign_in_another_script_has_that_script() -> None:
    for sentence, found in (
        ("Суп остался тёплым, потому что _ была закрыта.", []),
        ("Суп остался warm, потому что _ была закрыта.", ["other_script"]),
    ):
        given = text_findings((sentence,), ("банка", "миска"), script="CYRILLIC")
        assert [finding.code for finding in given] == found


def test_eight_words_in_a_row_of_the_guidelines_are_a_copy() -> None:
    guidelines = "For example: “The lamp stood on the desk beside the window.” Be kind."
    copied = "the lamp stood on the desk, beside that tall door, where the _ shone."
    assert codes(copied.replace("that tall door", "the window"), own_texts=[guidelines]) == [
        "own_text"
    ]
    assert codes(copied, own_texts=[guidelines]) == []


def test_a_published_question_is_known_with_other_options_and_punctuation() -> None:
    sentence = "The {} hit the {}, because the _ was in the way."
    index = made_index([(sentence.format("ball", "jar"), ("the ball", "the jar"))])
    copy = sentence.format("STONE", "vase").replace(",", "")
    assert is_published(copy, ("stone", "vase"), index=index)
    assert not is_published(copy.replace("way", "dark"), ("stone", "vase"), index=index)
    assert not is_published(copy, ("stone", "vase"), index=b"")


def test_the_shipped_index_is_sorted_hashes_and_nothing_else() -> None:
    content = FILE.read_bytes()
    hashes = [content[at : at + WIDTH] for at in range(0, len(content), WIDTH)]
    assert len(content) % WIDTH == 0
    assert hashes == sorted(set(hashes))
    assert len(hashes) > 40_000


@needs_data
def test_every_question_of_the_first_winograd_schemas_is_known() -> None:
    for line in (data_dir() / "wsc/wsc273.jsonl").read_text().splitlines():
        row = json.loads(line)
        assert is_published(row["sentence"], (row["option1"], row["option2"])), row


@needs_data
@pytest.mark.long
def test_the_index_is_what_its_command_makes_and_finds_no_others() -> None:
    folder = data_dir()
    files = ["winogrande/dev.jsonl", "winogrande/test.jsonl", "wsc/wsc273.jsonl"]
    lines = [line for name in files for line in (folder / name).read_text().splitlines()]
    with gzip.open(folder / "winogrande/train_xl.jsonl.gz", "rt") as more:
        rows = [json.loads(line) for line in (*lines, *more)]
    made = made_index((row["sentence"], (row["option1"], row["option2"])) for row in rows)
    assert made == FILE.read_bytes()
    known = {row["sentence"].casefold() for row in rows}
    crowd = list(read_authoring(folder / AUTHORING_FILE))
    others = [t for t in crowd if not known & {text.casefold() for text in t.sentences}]
    # The same crowd wrote both, and some of these differ in punctuation only.
    hits = sum(is_published(text, t.options) for t in others for text in t.sentences)
    assert hits / (2 * len(others)) < 0.02


@needs_data
@pytest.mark.long
def test_the_crowds_sentences_are_rarely_called_anything_else() -> None:
    twins = list(read_authoring(data_dir() / AUTHORING_FILE))
    named = [
        {finding.code for finding in text_findings(twin.sentences, twin.options)} for twin in twins
    ]
    for code in OF_TEXTS - {"published_text"}:
        assert sum(code in found for found in named) / len(twins) < 0.005, code


def test_words_that_offend_are_listed_once() -> None:
    assert offensive_words(["Shitty, shitty _!", "A nice _."]) == ["shitty"]


def test_the_mark_of_options_has_no_part_of_their_articles() -> None:
    one = schema_hash("His cup hit the jar, so _ broke.", ("his cup", "jar"))
    assert one == schema_hash("A cup hit her jar, so _ broke.", ("cup", "her jar"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("was", "wasn't"),
        ("was", "was not"),
        ("fits", "does not fit"),
        ("fits.", "doesn't fit."),
        ("burned", "didn\u2019t burn"),
        ("stopped", "did not stop"),
        ("tried", "never tried"),
        ("can", "cannot"),
        ("will", "won't"),
        ("had some", "did not have any"),
        ("had", "had no"),
    ],
)
def test_a_negation_alone_is_found_either_way_round(first: str, second: str) -> None:
    assert negations_apart(first.split(), second.split()) == 1
    assert negations_apart(second.split(), first.split()) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("large", "small"),
        ("happy", "unhappy"),
        ("always", "never"),
        ("not large", "not small"),
        ("fits", "does not break"),
        ("was large", "was not small"),
        ("", ""),
    ],
)
def test_any_other_difference_is_none(first: str, second: str) -> None:
    assert negations_apart(first.split(), second.split()) == 0


def test_the_finding_quotes_the_negation_with_its_number() -> None:
    [finding] = negation_findings(trigger_diff("the _ was dry", "the _ was not dry"))
    assert (finding.code, finding.value, finding.example) == ("trigger_negation", 1.0, "not")
    assert "“not”" in finding.message


MONKEY = "The monkey loved to play with the balls but ignored the blocks because he found _ {}."
ROBERT = "Robert woke at 9:00am while Samuel woke at 6:00am, so _ had {} time to get ready."
BALLS = ("balls", "blocks")


def twins(text: str, first: str, second: str) -> tuple[str, str]:
    return text.format(first), text.format(second)


def test_the_twins_that_the_paper_marks_are_found() -> None:
    [finding] = polarity_findings(twins(MONKEY, "exciting", "dull"), BALLS, (1, 2))
    assert finding.code == "polarity_association"
    assert finding.value is not None
    assert 0 < finding.value <= 1
    assert finding.example == "balls (+) / blocks (−)"


def test_the_twins_that_the_paper_keeps_are_not() -> None:
    assert not list(polarity_findings(twins(ROBERT, "less", "more"), ("Robert", "Samuel"), (1, 2)))


def test_feelings_that_point_to_the_wrong_answers_are_welcome() -> None:
    assert not list(polarity_findings(twins(MONKEY, "exciting", "dull"), BALLS, (2, 1)))


@pytest.mark.parametrize("answers", [(0, 0), (1, 1), (1, 0)])
def test_answers_that_are_not_opposite_get_no_advice(answers: tuple[int, int]) -> None:
    assert not list(polarity_findings(twins(MONKEY, "exciting", "dull"), BALLS, answers))


def test_each_option_is_felt_in_its_own_clause() -> None:
    felt = polarity(MONKEY.format("exciting"), BALLS)
    assert felt is not None
    assert felt.options == (
        compound("the monkey loved to play with the balls "),
        compound(" ignored the blocks "),
    )
    assert felt.window == compound("he found it exciting.") == compound("exciting")


def test_options_in_one_clause_are_felt_by_their_own_words() -> None:
    felt = polarity(
        "The happy winner met the angry loser there because _ was glad.", ("winner", "loser")
    )
    assert felt is not None
    assert felt.options == (compound("winner"), compound("loser"))


def test_the_weaker_signal_counts_and_faint_ones_are_none() -> None:
    assert Polarity(0.5, (0.9, 0.1)).leaning() == 0.5
    assert Polarity(-0.5, (0.4, 0.1)).leaning() == pytest.approx(-0.3)
    assert Polarity(0.1, (0.9, 0.1)).leaning() == 0.0
    assert Polarity(0.9, (0.15, 0.1)).leaning() == 0.0


def test_a_sentence_that_names_an_option_only_after_the_blank_is_not_scored() -> None:
    assert polarity("The lamp fell and _ broke the shelf.", ("lamp", "shelf")) is None
    assert polarity("The lamp hit the shelf.", ("lamp", "shelf")) is None
