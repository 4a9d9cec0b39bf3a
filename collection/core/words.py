"""Words of a sentence, the local context of its blank, and English function words."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_LISTS = """
a an the
i me my myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
this that these those who whom whose which what whoever whatever whichever
one's oneself someone somebody something anyone anybody anything everyone everybody everything
nobody nothing none
each every either neither both all any some no such much many more most few fewer less least
several enough other others another own same
am is are was were be been being have has had having do does did doing done
shall should would could may must ought cannot
isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't shan't shouldn't won't
wouldn't can't couldn't mustn't mightn't needn't ain't
i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd
they'd i'll you'll he'll she'll it'll we'll they'll that's there's here's what's who's let's
of at by for with about against between into through during before after above below to from up
down in out on off over under upon onto toward towards within without across along among amongst
around behind beneath beside besides beyond despite except near per since throughout till until
unto via
and or but nor so yet if because although though while whereas unless whether lest than as
not too very just only also even still then there here now again once ever never always often
when where why how thus hence therefore however moreover otherwise instead rather quite else away
"""

# Left out on purpose, as they are also nouns or verbs: can, will, might, need, past, round, like,
# mine, back.
FUNCTION_WORDS = frozenset(_LISTS.split())


def is_function_word(word: str) -> bool:
    """Return whether a word is a function word (article, pronoun, preposition, auxiliary, …).

    Case, the kind of apostrophe and punctuation around the word do not matter.

    >>> is_function_word("The"), is_function_word("trophy")
    (True, False)
    """
    return _bare(word) in FUNCTION_WORDS


def has_content_word(phrase: str) -> bool:
    """Return whether any word of a phrase is a content word (with a letter or digit in it)."""
    bare = (_bare(word) for word in phrase.split())
    return any(word not in FUNCTION_WORDS for word in bare if any(map(str.isalnum, word)))


def _bare(word: str) -> str:
    return word.casefold().replace("\u2019", "'").strip(".,;:!?()[]{}\"'\u201c\u201d\u2018_-")


BLANK = "_"
_BLANKS = re.compile(rf"{BLANK}{{2,}}")
_WORD = re.compile(r"\S+")
_INSIDE = re.compile(r"\w(?:.*\w)?", re.DOTALL)


def one_line(text: str) -> str:
    """Return a text with each run of white space as one space, and none at its ends.

    Letters with accents are composed (NFC), as a decomposed one looks the same. Every text of a
    twin is stored and checked in this form.

    >>> one_line(" a  cup\\r of\\u00a0tea\\t.")
    'a cup of tea .'
    """
    line = " ".join(text.split())
    return line if line.isascii() else unicodedata.normalize("NFC", line)


_QUOTES = str.maketrans("\u2018\u2019\u201a\u201b\u02bc\u201c\u201d\u201e\u201f", "'" * 5 + '"' * 4)


def word_key(word: str) -> str:
    r"""Return what a word has in common with itself typed otherwise: case and forms of quotes.

    >>> word_key("\u201cDon\u2019t") == word_key("\"don't")
    True
    """
    folded = word.casefold()
    return folded if folded.isascii() else folded.translate(_QUOTES)


def one_blank(sentence: str) -> str:
    """Return a sentence on `one_line` with a blank of several underscores written as one.

    >>> one_blank("The cup was  on ____.")
    'The cup was on _.'
    """
    return _BLANKS.sub(BLANK, one_line(sentence))


def words(sentence: str) -> list[str]:
    """Return the whitespace-separated tokens of a sentence as shown, the blank included.

    >>> words("The  cup is on the _ .")
    ['The', 'cup', 'is', 'on', 'the', '_', '.']
    """
    return sentence.split()


def word_spans(sentence: str) -> list[tuple[int, int]]:
    """Return the start and end of each of the sentence's `words`, in order."""
    return [match.span() for match in _WORD.finditer(sentence)]


def bare(word: str) -> str:
    """Return a word without the punctuation around it; an underscore is kept.

    >>> bare("“small.”"), bare("can't,"), bare("_")
    ('small', "can't", '_')
    """
    inside = _INSIDE.search(word)
    return inside[0] if inside else ""


def overlap(a: str, b: str) -> float:
    """Return the share of words that two sentences have in common.

    Parameters
    ----------
    a, b : str
        Two sentences, in any order.

    Returns
    -------
    float in [0, 1]
        Multiset intersection of the words, by `word_key`, divided by the longer sentence's word
        count; 0.0 if both are empty. Shares are exact: 14 of 20 words is ``0.7``.

    Source: AAAI 2020, section 2 ("at least 70% word overlap"). The paper gives no formula; a set
    Jaccard index would refuse 1-5 % of the twins its own workers were paid for, this one none.

    >>> overlap("the cup is full", "The cup is EMPTY now")
    0.6
    """
    return shared(words(a), words(b))


def shared(a: Sequence[str], b: Sequence[str]) -> float:
    """Return the `overlap` of two sentences that are already split into words."""
    longer = max(len(a), len(b))
    if not longer:
        return 0.0
    common = Counter(map(word_key, a)) & Counter(map(word_key, b))
    return common.total() / longer


def local_window(sentence: str, *, before: int = 2) -> str:
    """Return the sentence from a few words before its blank to its end.

    Parameters
    ----------
    sentence : str
        A sentence with exactly one blank ``_``.
    before : int >= 0
        How many words to show before the word with the blank; fewer if there are not as many.

    Returns
    -------
    str
        A suffix of `sentence`, starting with a word.

    Raises
    ------
    ValueError
        If the sentence has no blank or several, or `before` is negative.

    Source: AAAI 2020, section 2, validation rule 3 ("local context around the target pronoun").

    >>> local_window("The racecar passed the bus because the _ was going so fast.")
    'because the _ was going so fast.'
    """
    if before < 0:
        raise ValueError(f"before must be 0 or more, got {before}")
    blanks = sentence.count(BLANK)
    if blanks != 1:
        raise ValueError(f"sentence must have exactly one blank {BLANK!r}, got {blanks}")
    # The last word of the part that ends with the blank is the word with the blank.
    spans = word_spans(sentence[: sentence.index(BLANK) + 1])
    return sentence[spans[max(0, len(spans) - 1 - before)][0] :]
