"""The search among a release's rows finds what reading each row would find."""

import json
from itertools import product

import pytest

from corpora.selectors import wanted_rows

pytestmark = pytest.mark.rowless
# Among them characters that become ASCII in lower case, and those that JSON escapes.
TEXTS = (
    "The Cup _ fell", "The \u212aettle _", "a lo\u017f\u017f _", "Straße _", "\u0130 _",
    'He said "no" _', "and/or _", "a\\b _", "café \U0001f600 _", "a\tb _", "\\u0041 _",
)  # fmt: skip
WORDS = (
    "", "cup", "CUP fell", "kettle", "loss", "strasse", "i\u0307", '"no"', "and/or", "a\\b",
    "CAFÉ", "\U0001f600", "u0041", "sentence", "option1", "physical",
)  # fmt: skip


@pytest.mark.parametrize("is_ascii", [True, False])
def test_lines_are_searched_as_their_texts(is_ascii: bool) -> None:
    for text, words, domain in product(TEXTS, WORDS, ("", "physical", "social")):
        row = {"sentence": text, "option1": "jar", "option2": "pot", "domain": "physical"}
        line = json.dumps(row, ensure_ascii=is_ascii).encode()
        whole = f"{text}\njar\npot".casefold()
        is_wanted = all(word in whole for word in words.casefold().split())
        expected = row if is_wanted and domain != "social" else None
        assert wanted_rows(words, domain)(line) == expected, (text, words, domain)
