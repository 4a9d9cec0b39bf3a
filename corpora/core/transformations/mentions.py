"""Where a sentence mentions an option, and which full stops end a sentence."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from collection.core.words import is_function_word
from corpora.core.items import BLANK
from corpora.core.transformations.results import Dropped

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
    folded = word.casefold()
    is_capital, is_blank = following[0].isupper(), following.startswith(BLANK)
    is_start = is_capital and is_function_word(following)
    if folded in NEVER_LAST or (folded == "no" and following[0].isdigit()):
        return False
    if word in TITLES:
        return is_start
    if folded in OTHERS:
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


ABSENT = "an option is not in the sentence"
REPEATED = "an option is in the sentence more than once"
_ARTICLE = re.compile(r"the (?=\S)", re.IGNORECASE)


def mentions(option: str, sentence: str) -> list[tuple[int, int]]:
    """Return the characters of every mention of an option, in order.

    A mention is the option as whole words. If there is none, an initial "the" may have the other
    case, and if there is still none it is ignored: "the suitcase" is mentioned by "the brown
    suitcase". Otherwise case counts, since a name may also be a verb (Will).

    Examples
    --------
    >>> mentions("the suitcase", "It fits into the brown suitcase, not the suitcases.")
    [(23, 31)]
    """
    for form in _forms(option.strip()):
        if spans := [match.span() for match in _whole(form).finditer(sentence)]:
            return spans
    return []


def single_mentions(options: Sequence[str], sentence: str) -> list[tuple[int, int]]:
    """Return the mention of each option; `Dropped` if one has none or several, or two overlap."""
    spans = []
    for option in options:
        places = mentions(option, sentence)
        if len(places) != 1:
            raise Dropped(REPEATED if places else ABSENT)
        spans.append(places[0])
    if any(start < end for (_, end), (start, _) in pairwise(sorted(spans))):
        raise Dropped("an option contains another one")
    return spans


def contains(sentence: str, phrase: str) -> bool:
    """Return whether a phrase is in a sentence exactly, as whole words."""
    return _whole(phrase).search(sentence) is not None


def replaced(sentence: str, words: Mapping[str, str]) -> str:
    """Return a sentence in which whole words or phrases are replaced, all at the same time."""
    longest_first = sorted(words, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda match: words[match[0]], sentence)


def without_articles(options: Sequence[str]) -> list[str]:
    """Return options without an initial "the" if all of them have one, otherwise unchanged.

    So "the man" and "John" are not exchanged in "a man": that would give "a John".
    """
    stripped = [option.strip() for option in options]
    if not all(_ARTICLE.match(option) for option in stripped):
        return stripped
    return [_ARTICLE.sub("", option, count=1) for option in stripped]


def _forms(option: str) -> list[str]:
    if not _ARTICLE.match(option):
        return [option]
    return [option, option[0].swapcase() + option[1:], _ARTICLE.sub("", option, count=1)]


def _whole(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
