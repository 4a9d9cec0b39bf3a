"""No regular expression of the code takes more than linear time on a text from outside."""

import re

import pytest

from tests.regex_calls import Call, calls
from tests.regex_shapes import ambiguous, slow_to_search

pytestmark = pytest.mark.rowless

# By what makes each of them linear, or its text short.
EXCEPTIONS = {
    "collection.core.anchors._SENTENCE": "“.” stops at a line break, where “$” matches",
    "collection.imports.winogrande.'(\\\\.(jsonl|json|ndjson|csv|tsv|txt|gz))+$'": "a file's name",
    "corpora.core.bundle.checks._VERSION": "`_match` matches whole values",
    "corpora.core.transformations.mentions._LAST_WORD": "40 characters are searched",
    "knowledge.core.problems._FRAME": "“\\S+” is read once after each “ The ”, by which it ends",
    "winoplatform.api.results.PARAMETER": "docstrings of the code are searched",
    "knowledge.core.slots._SLOT": "a kind is followed by a space, so that each form is read once",
}
# Made of values at run time: literal words or phrases, of which each is `re.escape`d.
OF_WORDS = {
    "collection.core.matching", "collection.core.quotes", "corpora.core.bundle.wording",
    "corpora.core.readers.records", "corpora.core.readers.winobias",
    "corpora.core.readers.winogender",
    "evaluation.core.predictions.mentions", "corpora.core.transformations.mentions",
    "knowledge.core.problems",
}  # fmt: skip


@pytest.fixture(scope="module")
def calls_of_re() -> list[Call]:
    return list(calls())


@pytest.mark.long
def test_no_pattern_has_repeats_that_share_a_run_or_read_it_again(calls_of_re: list[Call]) -> None:
    slow = {
        one.place
        for one in calls_of_re
        if one.pattern is not None
        and (
            ambiguous(one.pattern, one.flags)
            or (one.is_searched and slow_to_search(one.pattern, one.flags))
        )
    }
    assert slow == EXCEPTIONS.keys()


@pytest.mark.long
def test_patterns_made_at_run_time_are_where_they_were_read(calls_of_re: list[Call]) -> None:
    made = {one.place for one in calls_of_re if one.pattern is None}
    assert {place for place in made if not place.startswith(tuple(OF_WORDS))} == set()


@pytest.mark.parametrize(
    ("pattern", "is_ambiguous", "is_slow"),
    [
        (r"^\W+|\W+$", False, True),
        (r"[^\s].*?(?:[.!?]+(?=\s|$)|$)", True, True),
        (r"(?:a+)*b", True, True),
        (r"\s*\n\s*", True, True),
        (r"\[[^\]]*\]", False, True),
        (r"\[[^\[\]]*\]", False, False),
        (r"\w+(?:'\w+)*", False, False),
        (r"\w(?:.*\w)?", False, False),
        (r"(?<!\w)\w+!", False, False),
        (r"\s++\S+", False, True),
        (r"\s{0,9}\s{0,9}x", False, False),
    ],
)
def test_the_check_finds_the_shapes(pattern: str, is_ambiguous: bool, is_slow: bool) -> None:
    flags = re.MULTILINE if "$" in pattern else 0
    assert (ambiguous(pattern, flags), slow_to_search(pattern, flags)) == (is_ambiguous, is_slow)
