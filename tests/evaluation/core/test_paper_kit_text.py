"""The text of a paper kit and the check of its numbers, on a stored release and changes of it."""

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpora.core.bundle import codec
from corpora.core.bundle.layout import MANIFEST
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.reading import Bundle, open_bundle
from evaluation.core.paper_kit.facts import read_facts
from evaluation.core.paper_kit.methods import methods
from evaluation.core.paper_kit.prose import document
from evaluation.core.verify.expected_numbers import expected_numbers
from evaluation.core.verify.findings import Outcome
from evaluation.core.verify.marked import marked_sentences
from evaluation.core.verify.numbers import numbers
from evaluation.core.verify.recomputing import recomputed
from evaluation.core.verify.texts import compared

RELEASE = Path(__file__).parents[1] / "releases" / "format-3.zip"
FORMS = ("tex", "md")
# A number of the text, as digits; those of marks, names and commands are no numbers to change.
DIGITS = re.compile(r"%@.*|<!--.*?-->|\\texttt\{[^}]*\}|`[^`]*`|(?P<n>\d+(?:[,.-]\d+)*)")
WORDS = {"1": "one", "2": "two", "3": "three", "8": "eight", "13": "thirteen", "24": "twenty-four"}
Expected = dict[str, list[str]]


@pytest.fixture(scope="module")
def bundle() -> Iterator[Bundle]:
    with open_bundle(RELEASE) as opened:
        yield opened


@pytest.fixture(scope="module")
def expected(bundle: Bundle) -> Expected:
    return expected_numbers(bundle, recomputed(bundle, bundle.document(MANIFEST)))


@pytest.fixture(scope="module", params=FORMS)
def text(request: pytest.FixtureRequest, bundle: Bundle) -> str:
    return document(methods(read_facts(bundle)), request.param)


def wrong(text: str, expected: Expected) -> list[str]:
    parts = [*marked_sentences(text, is_latex=text.startswith(r"\subsection"))]
    found = compared("methods", parts, expected)
    return [one.sentence for one in found if one.outcome is Outcome.WRONG]


def places(text: str) -> list[tuple[int, int]]:
    """Where the text has numbers in digits."""
    return [found.span("n") for found in DIGITS.finditer(text) if found["n"]]


def line_of(text: str, place: int) -> str:
    begin = text.rindex("\n", 0, place) + 1
    return text[begin : text.index("\n", place)]


def test_the_text_is_right(text: str, expected: Expected) -> None:
    assert wrong(text, expected) == []
    assert len(places(text)) > 80


def test_a_changed_number_anywhere_is_named_with_its_sentence(
    text: str, expected: Expected
) -> None:
    missed = []
    for place, (begin, end) in enumerate(places(text)):
        old = text[begin:end]
        digit = str((int(old[-1]) + 1) % 10)
        new = (old[:-1] + digit, " ninety-one ", "no", f"{old} and forty")[place % 4]
        changed = text[:begin] + new + text[end:]
        said = wrong(changed, expected)
        beginning = re.sub(r"\W+|texttt", "", line_of(changed, begin))[:9]
        if len(said) != 1 or beginning not in re.sub(r"\W+", "", said[0]):
            missed.append((line_of(changed, begin), said))
    assert missed == []


def test_the_same_number_in_another_form_is_right(text: str, expected: Expected) -> None:
    is_latex, n_changed = "\\" in text, 0
    for begin, end in places(text):
        old = text[begin:end]
        new = WORDS.get(old, old.replace(",", r"\," if is_latex else ""))
        if new != old and not text[begin - 1].isalpha():
            n_changed += 1
            assert wrong(text[:begin] + new + text[end:], expected) == [], (old, new)
    assert n_changed > 15


def test_numbers_that_change_places_are_found(text: str, expected: Expected) -> None:
    found = places(text)
    n_swapped = 0
    for one, other in zip(found, found[1:] + found[:1], strict=True):
        (first, second), (third, fourth) = sorted((one, other))
        a, b = text[first:second], text[third:fourth]
        if numbers(a) != numbers(b):
            n_swapped += 1
            swapped = text[:first] + b + text[second:third] + a + text[fourth:]
            assert wrong(swapped, expected), (a, b)
    assert n_swapped > 40


def test_a_sentence_with_a_number_that_is_removed_or_added_is_reported(
    text: str, expected: Expected
) -> None:
    marks = re.compile(r"(?:%@ (?P<tex>\S+)|<!-- @(?P<md>\S+) -->)\n.*\n")
    keys = set()
    for found in marks.finditer(text):
        key = found["tex"] or found["md"]
        said = wrong(text[: found.start()] + text[found.end() :], expected)
        assert [key in one for one in said] == [True] * bool(expected.get(key)), key
        keys.add(key)
        if len(keys) % 3:
            continue
        (added,) = wrong(
            text[: found.end()] + "We asked 47 more.\n" + text[found.end() :], expected
        )
        assert "47" in added
        (twice,) = {*wrong(text[: found.end()] + text[found.start() :], expected)} or {""}
        assert (key in twice) == bool(expected.get(key))
    assert {key for key, of in expected.items() if of} <= keys
    assert wrong(text.replace("\n", "\nThere were 12 more.\n", 1), expected)


def replaced(line: str, others: dict[str, str]) -> str:
    for old, new in others.items():
        line = line.replace(old, new)
    return line


def test_edited_prose_is_right(text: str, expected: Expected) -> None:
    is_latex = text.startswith(r"\subsection")
    vote = r"\emph{vote}" if is_latex else "*vote*"
    others = {"question": "item", "The ": "In all, the ", ", ": "; ", " of ": "\nof ", "vote": vote}
    edited = "".join(
        line if line.startswith(("%@", "<!--")) else replaced(line, others)
        for line in text.splitlines(keepends=True)
    )
    assert wrong(edited, expected) == []
    more = "No one of the authors saw them, as others say"
    cite = (
        r"~\cite[p.~3]{gebru2021}, see Table~\ref{tab:2}." if is_latex else " [@gebru2021, p. 3]."
    )
    first = edited.index(".\n") + 1
    assert wrong(f"{edited[:first]} {more}{cite}{edited[first:]}", expected) == []
    sections = re.split(r"(?m)^(?=\\subsection|## )", edited)
    assert wrong("".join(reversed(sections)), expected) == []


HOSTILE = (
    '50% of $x_1$ & #2 {a} \\input{12} ~^ <b> `7` "*3*" %@ data.name\n<!-- @pay --> −5 [1] 中 é'
)


def changed(about: dict[str, Any], path: str, value: Any) -> None:
    *keys, last = path.split(".")
    place: Any = about
    for key in keys:
        place = place[int(key)] if isinstance(place, list) else place[key]
    place[last] = value


PERSON = {"value": 0.94, "low": 0.9, "high": 0.97, "n": 20, "people_low": None,
          "people_high": None, "n_people": 1}  # fmt: skip
HUMAN = {"split": "dev", "release": "kitchen-0", "questions": 20, "people": 1, "votes": 60,
         "individual": PERSON, "majority": PERSON | {"value": None, "low": None, "high": None},
         "group": None, "who": {"origins": ["invited"], "platforms": [], "writers": [],
                                "validators": []}}  # fmt: skip
PEOPLE = {"writers": [], "validators": []}
CASES: dict[str, dict[str, Any]] = {
    "a demonstration": {
        "title": "Kitchen (demonstration)",
        "people": PEOPLE | {"origins": ["simulated"], "platforms": []},
    },
    "no filter": {"selection": None},
    "another filter": {"selection.filter": {"method": "pmi", "kept": 3, "size": [1, 20]}},
    "a filter of nothing": {"selection": {}},
    "one writer": {"collection.writers": 1, "collection.written": 1, "collection.questions": 1},
    "only imported": {
        "collection.written": 0, "collection.votes": 0, "collection.votes_excluded": 0,
        "collection.rules": [], "collection.guidelines": {}, "collection.pay": {},
        "collection.hourly_pay": {}, "agreement": {},
    },
    "nothing": {
        "collection.questions": 0, "collection.written": 0, "collection.decided": [],
        "origin.questions": {}, "left_out": {}, "repeats": None, "limits": [], "warnings": [],
        "leaks": None,
    },
    "pay": {
        "collection.pay": {"writing": {"": 2, "0.40": 3, "1.00": 3}, "validating": {"0.05": 24}},
        "collection.hourly_pay": {"writing": {"median": "12.50", "n": 1}},
    },
    "erased people": {"collection.erased": 1, "collection.votes_excluded": 1},
    "people's performance": {"human": [HUMAN, HUMAN | {"split": "all", "release": ""}]},
    "crowd workers": {"people": PEOPLE | {"origins": ["crowd"], "platforms": ["Crowd 24", "x_2"]}},
    "answers about people": {
        "background": [{"text": "At least 18 years?", "many": False, "people": 30, "least": 5,
                        "lines": {"yes, 18": 20, "no": 5}, "rest": 5}],
    },
    "one blind question": {"commitments": 1},
    "number words": {"statements.funding": "Two grants, thirty-one people and half of a dozen."},
    "hostile texts": {
        "title": HOSTILE, "licence": HOSTILE, "statements.contact": HOSTILE,
        "warnings": [HOSTILE, "'' 4", "-3", "* 5", "[6]"], "collection.currency": HOSTILE,
        "left_out": {HOSTILE: 3}, "origin.questions": {HOSTILE: 4},
        "collection.guidelines": {"writing": {HOSTILE: 1}, "validating": {"": 2}},
        "selection.encoding.encoder": HOSTILE,
    },
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", CASES)
def test_the_text_of_every_kind_of_release_is_right(bundle: Bundle, case: str, form: Any) -> None:
    about = json.loads(json.dumps(bundle.document(MANIFEST)))
    for path, value in CASES[case].items():
        changed(about, path, value)
    facts = read_facts(bundle)
    manifest = codec.from_json(Manifest, json.dumps(about))
    text = document(methods(dataclasses.replace(facts, manifest=manifest)), form)
    parts = [*marked_sentences(text, is_latex=form == "tex")]
    found = [*compared("methods", parts, expected_numbers(bundle, about))]
    assert [one.sentence for one in found if one.outcome is Outcome.WRONG] == []
    assert ("This release is a demonstration." in text) == (case == "a demonstration")


def said(bundle: Bundle, case: str) -> str:
    about = json.loads(json.dumps(bundle.document(MANIFEST)))
    for path, value in CASES[case].items():
        changed(about, path, value)
    facts = dataclasses.replace(
        read_facts(bundle), manifest=codec.from_json(Manifest, json.dumps(about))
    )
    return document(methods(facts), "md")


def test_sentences_whose_facts_are_missing_are_left_out_or_say_so(bundle: Bundle) -> None:
    imported = said(bundle, "only imported")
    assert "were imported from a published set." in imported
    for word in ("median pay", "articles", "Validators answered"):
        assert word not in imported
    assert "Agreement was not measured." in imported
    assert "Nobody voted on these questions here." in imported
    assert "No filter was applied" in said(bundle, "no filter")
    one = said(bundle, "one writer")
    assert "The questions of training and dev (1) are by 1 person." in one
    nothing = said(bundle, "nothing")
    assert "Training and dev have no questions." in nothing
    assert "Leaks were not searched for." in nothing
    assert "What an hour of validating paid is not known." in said(bundle, "pay")
    assert "The release has no scores of models." in nothing


def test_the_check_shares_no_code_with_what_writes_the_text() -> None:
    checked = Path("evaluation/core/verify")
    for name in ("expected_numbers", "marked", "numbers", "texts"):
        lines = (checked / f"{name}.py").read_text().splitlines()
        assert not [line for line in lines if line.startswith(("import", "from")) and "kit" in line]
