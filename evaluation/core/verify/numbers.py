"""The numbers of a text, however they are written."""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
         "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
         "nineteen")  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: n for n, word in enumerate(_ONES)} | {w: 10 * n for n, w in enumerate(_TENS, 2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_OTHERS = {"half": "0.5", "halves": "0.5", "dozen": "12", "twice": "2"}
_WORD = "|".join(sorted((*_SMALL, *_SCALES), key=len, reverse=True))  # sixteen before six
_PRONOUN = (
    r"\b(?:no|each|any|every|this|that|which|the|another|other|some)\s+one\b(?!\s+\d)|"
    r"\bone\s+(?:of|another|can|could|may|might|should|must|would)\b|\bone['’]s\b"
)
_TOKEN = re.compile(
    rf"(?P<pronoun>{_PRONOUN})"
    r"|(?P<date>\d{4}-\d{2}(?:-\d{2})?(?![\d-]))"
    r"|(?P<version>\d+(?:\.\d+){2,})"
    r"|(?P<sign>(?<![\w.)\]-])[-−])?"
    r"(?P<digits>\d{1,3}(?:[,'’]\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)?|(?<!\w)\.\d+)"
    rf"|\b(?P<words>(?:{_WORD})(?:(?:\s+and\s+|[\s-]+)(?:{_WORD}))*)\b"
    rf"|\b(?P<other>{'|'.join(_OTHERS)})\b",
    re.IGNORECASE,
)
_THIN = re.compile("(?<=\\d)[\u00a0\u2009\u202f](?=\\d{3})")
_PERCENT = re.compile(r"\s*(?:%|per\s?cent\b)", re.IGNORECASE)


def numbers(text: str) -> list[str]:
    """Return the numbers of a text in order, in one form each.

    Digits and number words are the same, and so are ways to write thousands. Dates such as 2026-01
    and versions such as 1.0.0 are one number each. Ordinal words and "one" as a pronoun are none.

    Examples
    --------
    >>> numbers("Of 1,563 votes, twenty-one (1.30 %) are by three people; −0.05 and 0.050")
    ['1563', '21', '1.3%', '3', '-0.05', '0.05']
    >>> numbers("sixteen of seventy, or six of seven hundred and five")
    ['16', '70', '6', '705']
    >>> numbers("no one wrote one of them in 2026-01; version 1.0.0 has one question")
    ['2026-01', '1.0.0', '1']
    """
    text = unicodedata.normalize("NFKC", _THIN.sub(",", text))
    return [*_numbers(re.sub(r"-{2,}", "–", text))]


def _numbers(text: str) -> Iterator[str]:
    for found in _TOKEN.finditer(text):
        if found["pronoun"]:
            continue
        if found["date"] or found["version"]:
            yield found[0]
            continue
        for place, value in enumerate(values := _values(found)):
            is_last = place == len(values) - 1
            yield plain(value) + ("%" if is_last and _PERCENT.match(text, found.end()) else "")


def _values(found: re.Match[str]) -> list[Decimal]:
    if found["words"]:
        return _spelled(re.findall(_WORD, found["words"].lower()))
    if found["other"]:
        return [Decimal(_OTHERS[found["other"].lower()])]
    value = Decimal(re.sub(r"[^\d.]", "", found["digits"]))
    return [-value if found["sign"] else value]


def _spelled(words: list[str]) -> list[Decimal]:
    """Return the numbers of words in a row; "two three" are two of them.

    >>> _spelled("two thousand one hundred five six".split())
    [Decimal('2105'), Decimal('6')]
    """
    values, total, part, last = [], 0, 0, 0
    for word in words:
        if word in _SCALES:
            scale = _SCALES[word]
            part = max(part, 1) * scale
            if scale > 100:
                total, part = total + part, 0
            last = scale
            continue
        n = _SMALL[word]
        is_next = last == 0 or last >= 100 or (last >= 20 and 0 < n < 10)
        if not is_next:
            values.append(total + part)
            total = part = 0
        part, last = part + n, n or 1
    values.append(total + part)
    return [Decimal(value) for value in values]


def plain(value: Decimal) -> str:
    """Return a number in one form.

    >>> plain(Decimal("0.850")), plain(Decimal("1200")), plain(Decimal("-0.000"))
    ('0.85', '1200', '0')
    """
    return format(value.normalize(), "f") if value else "0"
