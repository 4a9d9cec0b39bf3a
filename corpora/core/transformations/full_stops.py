"""Which full stops end a sentence, and not an abbreviation, an initial or the whole of a number."""

from __future__ import annotations

import re

from collection.core.function_words import is_function_word
from corpora.core.items import BLANK

_BEFORE_NAMES = """
Mr Mrs Ms Dr Prof St Mt Ft Rev Hon Gen Col Lt Maj Capt Sgt Gov Sen Rep Pres mr mrs ms dr
"""
_BEFORE_NO_NAME = """
a.m p.m etc jr sr inc ltd co corp dept ave rd blvd oz lb lbs ft hr hrs est approx
"""
_LETTERED = "a an the vitamin plan type grade team option letter"

# The sentence ends only if the next word cannot be a name.
TITLES = frozenset(_BEFORE_NAMES.split())
# Any capital begins a sentence.
OTHERS = frozenset(_BEFORE_NO_NAME.split())
NEVER_LAST = frozenset(("e.g", "i.e", "vs", "cf"))
# One capital after these is a letter, and after any other word that of a name.
BEFORE_LETTERS = frozenset(_LETTERED.split())
_INNER_STOPS = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]")

LONGEST = 40  # characters of a word that are read
_WORD_BEFORE = re.compile(r"(?:^|(?<=\s))[\"'“‘(\[]*([^\W\d_]+(?:\.[^\W\d_]+)*)$")
_LAST_WORD = re.compile(r"[\"'“‘(\[]*(\S+)\s+$")
_AFTER = re.compile(rf"[\"'”’)\]]*\s+[\"'“‘(\[]*(\S{{1,{LONGEST}}})")
_END = re.compile(r"[\"'”’)\]\s]*$")
# A space is missing: "went red.The teacher", but not in "Node.js", ".NET" or "U.S.A".
_NO_SPACE = re.compile(r"(?<=[a-z]{2})\.(?=_|[A-Z][a-z]*\s)")


def ends_sentence(text: str, place: int) -> bool:
    """Return whether the full stop at a place of a text ends a sentence.

    The blank counts as a word that may begin a sentence or be one of a name: it begins one after
    "didn't.", "p.m." and "U.S.", and does not after "Dr." and "John F.".

    Examples
    --------
    >>> text = "Mr. Ames, of the U.S. Army, paid 3.50. It was Kenneth's. _ did at 5 p.m. as well."
    >>> [text[:place].split()[-1] for place, mark in enumerate(text)
    ...     if mark == "." and ends_sentence(text, place)]
    ['3.50', "Kenneth's", 'well']
    """
    following = _AFTER.match(text, place + 1)
    if following is None:  # the end of the text, or no space
        return bool(_END.match(text, place + 1) or _NO_SPACE.match(text, place))
    before = text[max(0, place - LONGEST) : place]
    word = _WORD_BEFORE.search(before)
    if word is None:
        return True
    return _ends_after(word[1], following[1], before=before[: word.start(1)])


def _ends_after(word: str, following: str, *, before: str) -> bool:
    """Return whether a sentence ends between a word with a stop and the following word."""
    known = word.casefold()
    is_capital, is_blank = following[0].isupper(), following.startswith(BLANK)
    is_start = is_capital and is_function_word(following)
    if known in NEVER_LAST or (known == "no" and following[0].isdigit()):
        return False
    if word in TITLES:
        return is_start
    if known in OTHERS:
        return is_capital or is_blank
    if _INNER_STOPS.fullmatch(word):
        return is_start or is_blank
    if len(word) > 1 or not word.isupper() or is_start:
        return True
    return not _is_initial(word, before=before, at_blank=is_blank, at_name=is_capital)


def _is_initial(letter: str, *, before: str, at_blank: bool, at_name: bool) -> bool:
    last = _LAST_WORD.search(before)
    word = last[1] if last else ""
    if letter == "I" or word.casefold() in BEFORE_LETTERS:
        return False
    # "met J. Ames", but "got D. _".
    return at_name or (at_blank and word[:1].isupper() and not is_function_word(word))
