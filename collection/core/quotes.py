"""Which settings of a campaign a text quotes: guidelines say how long a sentence may be."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_POLICIES = {
    "majority": r"(most|majority|more than half)\b",
    "unanimous": r"(every|each|all|both)( of the)? (validator|person|people|other)|unanim",
}


def _spelt(number: int) -> str:
    if number < len(_SMALL):
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    if tens > 9:
        return str(number)
    return _TENS[tens - 2] + (f"[- ]{_SMALL[ones]}" if ones else "")


def _number(value: Any) -> Iterator[str]:
    number = int(value)
    yield from (str(number), f"{number:,}", _spelt(number))


def _percent(value: Any) -> Iterator[str]:
    share = Decimal(str(value))
    digits = f"{100 * share:.3f}".rstrip("0").rstrip(".")
    unit = r"\s?(?:%|per ?cent)"
    yield from (rf"{re.escape(digits)}{unit}", rf"{re.escape(f'{share.normalize():f}')}0*")
    if "." not in digits:
        yield _spelt(int(digits)) + unit


def _money(value: Any) -> Iterator[str]:
    amount = Decimal(str(value))
    yield re.escape(f"{amount:.2f}")
    if amount == amount.to_integral_value():
        yield rf"(?:[$€£]|USD |EUR |GBP ){int(amount)}"
    elif amount < 1:
        yield rf"{int(100 * amount)}\s?(?:cents?|ct|¢)"


def _minutes(value: Any) -> Iterator[str]:
    minutes = int(value)
    yield from (rf"{form}[ -]min" for form in _number(minutes))
    if minutes % 60 == 0:
        hours = minutes // 60
        yield from (rf"{form}[ -]hour" for form in (*_number(hours), *(["an"] * (hours == 1))))


def _verbatim(value: Any) -> Iterator[str]:
    if value:
        yield re.escape(str(value))


def _policy(value: Any) -> Iterator[str]:
    yield _POLICIES[str(value)]


Forms = Callable[[Any], Iterator[str]]
# How the value of each setting is written, and a word of the same sentence.
_QUOTES: Mapping[str, tuple[Forms, str]] = {
    "min_words": (_number, "word"),
    "max_words": (_number, "word"),
    "min_overlap": (_percent, "word|overlap|share|same|common"),
    "votes_per_question": (_number, "vote|validator|other|people|person"),
    "verdict_policy": (_policy, ""),
    "extra_votes_max": (_number, "extra|additional|more"),
    "reward_twin": (_money, ""),
    "reward_vote": (_money, ""),
    "reward_exercise": (_money, ""),
    "currency": (_verbatim, ""),
    "assignment_minutes": (_minutes, ""),
    "vote_minutes": (_minutes, ""),
    "article_uses_max": (_number, "article"),
    "anchor_uses_max": (_number, "anchor"),
    "trigger_uses_max": (_number, "trigger"),
    "twins_per_day_max": (_number, "twin|pair"),
    "twins_per_worker_max": (_number, "twin|pair"),
    "votes_per_day_max": (_number, "vote|question"),
    "votes_per_worker_max": (_number, "vote|question"),
    "exercise_pass_share": (_percent, "test|pass|correct|right"),
    "exercise_attempts": (_number, "attempt|try|tries|times"),
    "min_approvals": (_number, "task|approv"),
    "min_approval_rate": (_percent, "task|approv"),
    "pay_terms": (_verbatim, ""),
    "name": (_verbatim, ""),
}


def quoted(text: str, settings: Mapping[str, Any]) -> list[str]:
    """Return the names of the settings whose value a text contains.

    A number counts in figures or in words, in a sentence that has a word for what it is a number
    of. Other wordings (“a dozen”) are not recognised.

    Parameters
    ----------
    text : str
        Markdown.
    settings : mapping
        Values by name, as JSON has them; other names are left out, and so are settings without one.

    >>> quoted("Write 15 to thirty words. Most validators agree.", {
    ...     "min_words": 15, "max_words": 30, "votes_per_question": 3,
    ...     "verdict_policy": "majority"})
    ['min_words', 'max_words', 'verdict_policy']
    """
    sentences = _SENTENCES.split(text.replace("*", ""))
    return [
        name
        for name, value in settings.items()
        if value is not None and name in _QUOTES and _is_in(sentences, value, *_QUOTES[name])
    ]


def _is_in(sentences: Iterable[str], value: Any, forms: Forms, about: str) -> bool:
    written = "|".join(forms(value))
    if not written:
        return False
    pattern = re.compile(rf"(?<![\w.,])(?:{written})(?!\w|[.,]\d)", re.IGNORECASE)
    if forms in (_policy, _minutes):
        pattern = re.compile(rf"\b(?:{written})", re.IGNORECASE)
    unit = re.compile(about, re.IGNORECASE)
    return any(pattern.search(sentence) and unit.search(sentence) for sentence in sentences)
