"""Files that are broken, of another kind, or meant to do harm: a sentence with the line."""

import io
import json
import random
import tracemalloc
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.items import Item
from corpora.core.readers import BY_NAME, MAIN, READERS, Skipped, checked, decoded
from corpora.core.readers.lines import LONGEST
from corpora.core.readers.records import LONGEST_WORD, as_word
from corpora.services.reference_sets import _read_items
from tests.corpora.core.small_sets import SMALL
from tests.data_dir import data_dir, needs_data
from winoplatform.errors import DomainError

XML = ["wsc285", "balanced_copa"]


def read(format: str, **parts: list[str]) -> list:
    return list(BY_NAME[format].read(**{part: checked(lines) for part, lines in parts.items()}))


def test_every_format_has_a_small_example_that_is_read():
    assert SMALL.keys() == BY_NAME.keys()
    for format, parts in SMALL.items():
        assert read(format, **parts), format


@given(format=st.sampled_from(sorted(BY_NAME)), data=st.data())
def test_a_damaged_file_is_items_or_a_sentence_and_nothing_else(format, data):
    """A line replaced, removed or repeated: never another exception than ValueError."""
    parts = {part: list(lines) for part, lines in SMALL[format].items()}
    lines = parts[data.draw(st.sampled_from(sorted(parts)))]
    n = data.draw(st.integers(0, len(lines) - 1))
    odd = data.draw(st.text(max_size=60) | st.sampled_from(["{}", "[]", "null", "[[[", "<a>"]))
    cut = data.draw(st.integers(0, len(lines[n])))
    lines[n : n + 1] = data.draw(
        st.sampled_from([[], [odd], [lines[n]] * 2, [lines[n][:cut] + odd + lines[n][cut:]]])
    )
    with suppress(ValueError):
        assert all(isinstance(one, Item | Skipped) for one in read(format, **parts))


@pytest.mark.parametrize("format", sorted(BY_NAME))
@pytest.mark.parametrize("text", ['{"a": ' + "[" * 5_000, "[" * 5_000, "<a>" * 5_000, "nonsense"])
def test_nonsense_is_refused_by_every_format(format, text):
    parts = {part: [text] for part in SMALL[format]}
    with suppress(ValueError):
        assert read(format, **parts) == []


@pytest.mark.parametrize("format", XML)
@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">',
        '<!ENTITY c SYSTEM "file:///etc/passwd">',
        '<!ENTITY % c SYSTEM "http://127.0.0.1/"> %c;',
    ],
)
def test_xml_that_declares_entities_is_refused(format, declared):
    lines = ['<?xml version="1.0"?>\n', f"<!DOCTYPE x [{declared}]>\n", "<x>&c;</x>\n"]
    with pytest.raises(ValueError, match="line 2: entity declarations are refused"):
        read(format, lines=lines)


@pytest.mark.parametrize("format", XML)
def test_malformed_xml_is_refused_with_its_line(format):
    first, *rest = SMALL[format][MAIN]
    with pytest.raises(ValueError, match="line 2: the XML is malformed"):
        read(format, lines=[first, "</wrong>", *rest])
    with pytest.raises(ValueError, match="the XML is malformed: no element found"):
        read(format, lines=[first])


@pytest.mark.parametrize("format", XML)
def test_xml_nested_too_deeply_is_refused(format):
    first, *rest = SMALL[format][MAIN]
    with pytest.raises(ValueError, match="line 2: elements are nested more than 20 deep"):
        read(format, lines=[first, "<a>" * 5_000, *rest])


@pytest.mark.parametrize("encoding", ["UTF-16", "nonsense", "ISO-8859-1"])
def test_the_encoding_that_xml_declares_has_no_effect_on_text(encoding):
    _, *lines = SMALL["wsc285"][MAIN]
    lines = [line.replace("fell", "żółć") for line in lines]
    declared = f'<?xml version="1.0" encoding="{encoding}"?>\n'
    (item,) = read("wsc285", lines=[declared, *lines])
    assert item.sentence.endswith("it żółć.")


def test_bytes_of_another_encoding_are_refused_with_their_line():
    file = io.BytesIO(b"fine\ncaf\xe9\n")
    with pytest.raises(ValueError, match="line 2 is not utf-8"):
        list(decoded(file.readline, "utf-8"))
    assert list(decoded(io.BytesIO(b"caf\xe9").readline, "iso-8859-1")) == ["café"]


def test_a_line_without_end_is_refused_before_it_is_in_memory():
    class Endless:
        def readline(self, size: int) -> bytes:
            return b"x" * size

    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="line 1 has more than 1,000,000 characters"):
            list(decoded(Endless().readline, "utf-8"))
        assert tracemalloc.get_traced_memory()[1] < 10 * LONGEST
    finally:
        tracemalloc.stop()
    with pytest.raises(ValueError, match="line 2 has more than"):
        list(checked(["a", "x" * (LONGEST + 1)]))


def test_a_nul_is_refused_and_a_byte_order_mark_dropped():
    with pytest.raises(ValueError, match="line 2 has a NUL character"):
        list(checked(["a", "b\0"]))
    assert list(checked(["\ufeffa", "\ufeffb"])) == ["a", "\ufeffb"]


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_json_without_finite_numbers_is_refused(value):
    (line,) = SMALL["items"][MAIN]
    with pytest.raises(ValueError, match=f"line 1: .* not valid JSON: {value} is no number"):
        read("items", lines=[line[:-1] + f',"metadata":{{"x":{value}}}}}'])


@pytest.mark.parametrize(
    ("format", "part", "old", "new", "says"),
    [
        ("wsc285", MAIN, "<correctAnswer> B. ", "<correctAnswer> C ", "line 3: expected two answ"),
        ("wsc285", MAIN, "<answer>the tray</answer>", "", "line 3: expected two answers and A or"),
        ("wsc285", MAIN, "<pron> it </pron>", "", "line 3: expected one <text/pron>, got 0"),
        ("balanced_copa", MAIN, 'alternative="2"', 'alternative="3"', "must be 1 or 2, got '3'"),
        ("balanced_copa", MAIN, "cause", "reason", "line 2: relation must be one of"),
        ("balanced_copa", MAIN, 'id="1"', 'id="one"', "line 2: “id” must be a number"),
        ("copa", MAIN, ", because", "", "line 1: “query” must end with"),
        ("copa", MAIN, '"gold": 1', '"gold": 2', "line 1: “gold” must be 0 to 1, got 2"),
        ("copa", MAIN, '"choices"', '"x"', "line 1: “choices” must be texts, got None"),
        ("dpr", MAIN, "the cup,the", "the mug,the", "line 1: expected two options, one the answer"),
        ("dpr", MAIN, "it\n", "she\n", "line 1: the pronoun 'she' does not stand in"),
        ("superglue_wsc", MAIN, '"span2_index": 6', '"span2_index": 60', "must be 0 to 7, got 60"),
        ("superglue_wsc", MAIN, '"it"', '"she"', "line 1: 'she' does not stand at word 6"),
        (
            "superglue_wsc",
            MAIN,
            "true",
            "7",
            "line 1: “label” must be true or false, 1 or 0, got 7",
        ),
        ("superglue_wsc", MAIN, '"idx"', '"x"', "line 1: “idx” must be a whole number, got None"),
        ("knowref", MAIN, "[he]", "he", "record 1: “sentence_with_pronoun” must mark a"),
        (
            "knowref",
            MAIN,
            '"correct_candidate": ["Bob',
            '"correct_candidate": ["Tom',
            "must be one",
        ),
        ("winogender", MAIN, ".0.", ".2.", "line 2: “sentid” must be occupation"),
        ("winogender", MAIN, "that he ", "that it ", "line 2: expected one male pronoun in"),
        ("winogender", MAIN, "sentid", "id", "line 1: The column sentid is missing"),
        ("winogender", "occupations", "40.3", "140", "line 2: “bls_pct_female” must be from 0 to"),
        ("winogender", "occupations", "technician", "baker", "no occupation 'technician'"),
        ("winobias", "pro1", "[he]", "[she]", "pro1: line 1: a female developer is not pro"),
        ("winobias", "pro1", "[he]", "he", r"pro1: line 1: expected an \[occupation\] and a"),
        ("winobias", "pro1", "designer", "artist", "pro1: line 1: no occupation of the other list"),
        ("winobias", "pro1", "[The developer]", "[The poet]", "'poet' is in neither list"),
        ("winobias", "anti2", "1 ", "one ", "anti2: line 1: expected a number and a sentence"),
        (
            "wsc273",
            "associative",
            "The cup stood on",
            "Nobody knows why",
            "label 1 has no sentence",
        ),
        ("wsc273", "associative", ": 1", ": 2", "associative: label 1: “is_associative” must be"),
        ("wsc273", "associative", "[{", "{", "not JSON"),
    ],
)
def test_what_a_format_does_not_know_is_named(format, part, old, new, says):
    parts = {name: list(lines) for name, lines in SMALL[format].items()}
    changed = [line.replace(old, new) for line in parts[part]]
    assert changed != parts[part]
    with pytest.raises(ValueError, match=says):
        read(format, **parts | {part: changed})


def test_a_label_twice_is_refused():
    (labels,) = SMALL["wsc273"]["associative"]
    twice = json.dumps(json.loads(labels)[:1] * 2)
    with pytest.raises(ValueError, match="associative: label 2 repeats the sentence"):
        read("wsc273", **SMALL["wsc273"] | {"associative": [twice]})


def test_records_out_of_step_are_refused():
    lines = SMALL["pdp"][MAIN]
    with pytest.raises(ValueError, match="line 5 must be empty"):
        read("pdp", lines=[*lines[:4], "the tray\n", *lines])


RECORD = ["The cup stood on the tray, so [MASK] fell.", "[MASK]", " the tray ,the cup ", "the cup"]
LINE = (
    '{"qID": "a-2", "sentence": "The cup stood on the tray, so _ fell.",'
    ' "option1": "the cup", "option2": "the tray", "answer": "1"}'
)


def real(name: str, path: str):
    with (data_dir() / path).open(encoding="utf-8") as lines:
        return list(READERS[name](lines))


def sizes_of_groups(items) -> Counter:
    return Counter(Counter(item.group for item in items).values())


def test_a_masked_pronoun_is_the_blank_and_options_are_sorted():
    (item,) = READERS["pdp"](RECORD)
    assert item.sentence == "The cup stood on the tray, so _ fell."
    assert (item.options, item.answer) == (("the cup", "the tray"), 1)
    assert item.id == item.group == "pdp-001"


@pytest.mark.parametrize(
    ("masked", "shown"),
    [
        ("so  [MASK]  fell.", "so _ fell."),
        ("took care of  [MASK] .", "took care of _."),
        ("it was [MASK]'s fault", "it was _'s fault"),
        ("[MASK]  fell.", "_ fell."),
    ],
)
def test_gaps_around_the_blank_are_those_of_a_sentence(masked, shown):
    (item,) = READERS["pdp"]([masked, *RECORD[1:]])
    assert item.sentence == shown


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (["No mask.", *RECORD[1:]], "pdp-001: expected a sentence with one"),
        ([*RECORD[:3], "the jar"], "the answer 'the jar' is not among the options"),
        (RECORD[:2], "pdp-001: expected"),
    ],
)
def test_a_record_of_another_form_is_named(record, says):
    with pytest.raises(ValueError, match=says):
        list(READERS["pdp"](record))


@needs_data
def test_wsc273_is_135_pairs_and_a_triplet():
    items = real("wsc273", "wsc/wsc273.txt")
    assert len(items) == 273
    assert sizes_of_groups(items) == {2: 135, 3: 1}
    assert Counter(item.answer for item in items) == {1: 136, 2: 137}


@needs_data
def test_wsc273_has_the_same_questions_and_answers_in_winogrande_s_columns():
    """Two files of different authors, each an oracle of the other; few sentences are edited."""

    def told(items):
        return {
            (" ".join(item.sentence.casefold().split()), item.options[item.answer - 1].casefold())
            for item in items
        }

    masks, columns = told(real("wsc273", "wsc/wsc273.txt")), real("winogrande", "wsc/wsc273.jsonl")
    assert len(columns) == 273
    assert len(masks & told(columns)) >= 265


@needs_data
def test_pdp_has_sixty_questions_of_two_to_five_options():
    items = real("pdp", "pdp/PDP60.txt")
    assert Counter(len(item.options) for item in items) == {2: 45, 3: 12, 4: 1, 5: 2}


def test_in_winogrande_s_columns_the_ending_of_the_id_is_dropped_from_the_group():
    labelled, blind = READERS["winogrande"]([LINE, LINE.replace(', "answer": "1"', ""), "\n"])
    assert (labelled.id, labelled.group, labelled.answer) == ("a-2", "a", 1)
    assert blind.answer is None


@pytest.mark.parametrize("name", ["winogrande", "items"])
@pytest.mark.parametrize("line", ["{}", "{[]", "null", "nonsense"])
def test_a_line_that_is_no_question_is_named(name, line):
    with pytest.raises(ValueError, match="line 2"):
        list(READERS[name](["", line]))


def test_items_are_read_as_they_were_written():
    (item,) = READERS["winogrande"]([LINE])
    assert list(READERS["items"]([item.to_line()])) == [item]


PIECES = (
    '"', '"', '""', ",", "\n", "\r", "\t", ";", "{", "}", "{}", "[", "]", "_", "1", "a", "sep=;",
    '{"id": 1}', '{"sentence": "a _"}', "sentid\tsentence\n", "sentence,option1,option2,answer\n",
    "<a>", "[he]",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", BY_NAME)
def test_marks_and_pieces_of_tables_are_read_or_refused(name: str) -> None:
    format, draw = BY_NAME[name], random.Random(1)
    texts = ['"' * n for n in (1, 2, 999, 131_073)] + ['"\n' * 5_001, "{}\n", "[]", "[{}]"]
    texts += ["".join(draw.choices(PIECES, k=draw.randint(1, 12))) for _ in range(300)]
    for text in texts:
        files = {part: io.BytesIO(text.encode()) for part in format.required or (MAIN,)}
        with suppress(DomainError):  # any other error is one of the server
            _read_items(format, None, "test", files, None)


def test_a_pronoun_has_a_longest_length() -> None:
    assert as_word("." * LONGEST_WORD).search("." * LONGEST_WORD)
    with pytest.raises(ValueError, match="a pronoun may have 200 characters"):
        as_word("." * (LONGEST_WORD + 1))
