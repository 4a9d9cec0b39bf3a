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
_OTHERS = {
    "half": "0.5", "halves": "0.5", "quarter": "0.25", "quarters": "0.25", "dozen": "12",
    "twice": "2", "thrice": "3",
}  # fmt: skip
_SUFFIXES = {"k": 1_000, "K": 1_000, "M": 1_000_000, "bn": 1_000_000_000}
_BEFORE_PRONOUN = frozenset(
    ["no", "each", "any", "every", "this", "that", "which", "the", "another", "other", "some"]
)
_AFTER_PRONOUN = frozenset(
    ["of", "another", "can", "could", "may", "might", "should", "must", "would"]
)

_PIECE = re.compile(r"\d+(?:[.,'’-]\d+)*|[A-Za-z]+")
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_VERSION = re.compile(r"\d+(?:\.\d+){2,}")
_GROUPED = re.compile(r"\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?")
_SEPARATOR = re.compile("[,'’]")
_THIN = re.compile("(?<=\\d)[\u00a0\u2009\u202f](?=\\d{3})")
_SUFFIX = re.compile("(?:k|K|M|bn)(?![A-Za-z0-9])")
_PERCENT = re.compile(r"\s?(?:%|per\s?cent(?![A-Za-z]))", re.IGNORECASE)


def numbers(text: str) -> list[str]:
    """Return the numbers of a text in order, in one form each.

    Digits and number words are the same, and so are ways to write thousands. Dates such as 2026-01
    and versions such as 1.0.0 are one number each. Ordinal words and "one" as a pronoun are none.

    Examples
    --------
    >>> numbers("Of 1,563 votes, twenty-one (1.30 %) are by three people; −0.05 and 0.050")
    ['1563', '21', '1.3%', '3', '-0.05', '0.05']
    >>> numbers("no one wrote one of them in 2026-01; version 1.0.0 has one question")
    ['2026-01', '1.0.0', '1']
    >>> numbers("sixteen of seventy, or six of seven hundred and five; 64-85, .5 and v2_two")
    ['16', '70', '6', '705', '64', '85', '0.5', '2']
    >>> numbers("26k questions, 1.5M of them; three quarters of 26 km")
    ['26000', '1500000', '3', '0.25', '26']
    """
    text = unicodedata.normalize("NFKC", _THIN.sub(",", text))
    return [*_numbers(re.sub(r"--+", "–", text))]


def _numbers(text: str) -> Iterator[str]:
    pieces = [*_PIECE.finditer(text)]
    place = 0
    while place < len(pieces):
        piece, n_words = pieces[place], 1
        if piece[0][0].isdecimal():
            values = _scaled(_digits(piece, text), _SUFFIX.match(text, piece.end()))
        else:
            n_words = max(1, _length(pieces, place, text))
            values = _words(pieces[place : place + n_words], text)
        end = pieces[place + n_words - 1].end()
        if values:
            yield from values[:-1]
            yield values[-1] + ("%" if _PERCENT.match(text, end) else "")
        place += n_words


def _digits(piece: re.Match[str], text: str) -> list[str]:
    """Return the numbers in digits with marks between them."""
    if _DATE.fullmatch(piece[0]):
        return [piece[0]]
    first, *others = piece[0].split("-")
    begin = piece.start()
    if text[begin - 1 : begin] == "." and not text[begin - 2 : begin - 1].isalnum():
        first, begin = f"0.{first}", begin - 1
    sign, before = text[begin - 1 : begin], text[begin - 2 : begin - 1]
    is_negative = sign in ("-", "−") and not (before.isalnum() or before in tuple("_.)]-"))
    values = _split(first)
    if is_negative and values[0] != "0":
        values[0] = f"-{values[0]}"
    return values + [value for part in others for value in _split(part)]


def _scaled(values: list[str], suffix: re.Match[str] | None) -> list[str]:
    """Return the numbers with the last one times what a letter behind it means, such as 26k."""
    if suffix is None or _DATE.fullmatch(values[-1]) or _VERSION.fullmatch(values[-1]):
        return values
    return [*values[:-1], plain(Decimal(values[-1]) * _SUFFIXES[suffix[0]])]


def _split(part: str) -> list[str]:
    if _VERSION.fullmatch(part):
        return [part]
    if _GROUPED.fullmatch(part):
        return [plain(Decimal(_SEPARATOR.sub("", part)))]
    parts = _SEPARATOR.split(part)
    return [one if _VERSION.fullmatch(one) else plain(Decimal(one)) for one in parts]


def _length(pieces: list[re.Match[str]], place: int, text: str) -> int:
    """Return how many words from a place on are number words, with "and" between them."""
    last = place - 1
    for at in range(place, len(pieces)):
        word, is_joined = pieces[at][0].lower(), at == place or _gap(pieces, at, text)
        if not is_joined or not (_is_number(word) or (word == "and" and last >= place)):
            break
        if _is_number(word):
            last = at
    return last - place + 1


def _is_number(word: str) -> bool:
    return word in _SMALL or word in _SCALES


def _gap(pieces: list[re.Match[str]], at: int, text: str) -> bool:
    """Return whether nothing but spaces or a hyphen is between a piece and that before it."""
    return text[pieces[at - 1].end() : pieces[at].start()].strip() in ("", "-")


def _words(run: list[re.Match[str]], text: str) -> list[str]:
    """Return the numbers of a run of words; of none, where "one" is a pronoun."""
    begin, end = run[0].start(), run[-1].end()
    if begin and (text[begin - 1].isalnum() or text[begin - 1] == "_"):
        return []
    words = [piece[0].lower() for piece in run]
    if words[0] in _OTHERS:
        return [_OTHERS[words[0]]]
    if not _is_number(words[0]):
        return []
    if words == ["one"] and _is_pronoun(text, begin, end):
        return []
    return [plain(value) for value in _spelled([word for word in words if word != "and"])]


def _is_pronoun(text: str, begin: int, end: int) -> bool:
    before = text[max(0, begin - 20) : begin].lower().split()[-1:]
    after = text[end : end + 20].lower()
    is_after = bool(before) and before[0] in _BEFORE_PRONOUN and text[begin - 1].isspace()
    return (
        is_after
        or after.startswith(("'s", "’s"))
        or (after[:1].isspace() and after.split()[:1] != [] and after.split()[0] in _AFTER_PRONOUN)
    )


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
