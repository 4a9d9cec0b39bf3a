"""Tokens, stems and closed word classes of English, for parsing without a trained model."""

import re
from collections.abc import Sequence
from functools import lru_cache

import Stemmer

from collection.core.words import BLANK, FUNCTION_WORDS

_TOKEN = re.compile(r"'s\b|\w+(?:-\w+|'(?!s\b)\w+)*|[^\w\s]")
_PUNCTUATION = frozenset(",;:.!?()—–")
_SNOWBALL = Stemmer.Stemmer("english")

# Past forms that a suffix stemmer does not reduce; the base comes first.
_IRREGULAR = """
become became|begin began begun|bite bit bitten|blow blew blown|break broke broken
bring brought|build built|buy bought|catch caught|choose chose chosen|come came|deal dealt
dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten
fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|forget forgot forgotten
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone
grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known
lay laid|lead led|leave left|lend lent|lie lay lain|light lit|lose lost|make made|mean meant
meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen
seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown
shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid
speak spoke spoken|spend spent|spin spun|stand stood|steal stole stolen|stick stuck
sting stung|strike struck|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken
teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand understood
wake woke woken|wear wore worn|win won|wind wound|write wrote written
"""
_BASE = {
    past: forms[0]
    for line in _IRREGULAR.split("\n")
    for forms in map(str.split, line.split("|"))
    for past in forms[1:]
}


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


BE = _set("am is are was were be been being isn't aren't wasn't weren't get got")
AUXILIARIES = BE | _set(
    """
    have has had having do does did doing will would shall should can could may might must ought
    cannot can't couldn't won't wouldn't don't doesn't didn't haven't hasn't hadn't shouldn't
    mustn't needn't 's become became
    """
)
# Words that may stand between an argument and its predicate.
_FILLERS = _set(
    """
    not never always often so too very just only also even still then really quite rather already
    almost more much less now once again ever
    """
)
CONNECTIVES = _set(
    """
    because since so but and or although though while whereas unless until till if when whenever
    after before as that which who whom whose where therefore however yet
    """
)
COORDINATORS = _set("and or but then")
RELATIVES = _set("who which that whom")
PREPOSITIONS = _set(
    """
    of at by for with about against between into through during above below to from up down in out
    on off over under upon onto toward towards within without across along among around behind
    beneath beside near inside outside past
    """
)
POSSESSIVES = _set("my your his her its our their whose")
DETERMINERS = POSSESSIVES | _set("a an the this that these those some any every each")
# Verbs and adjectives whose infinitive has their own subject.
_CONTROL = """
try want need begin start decide learn like love hope plan manage refuse agree continue able unable
ready eager likely happy seem appear tend prefer forget remember promise fail afford used
"""
# Each form of a personal pronoun, and the one that names them all.
PRONOUNS = {
    form: forms.split()[0]
    for forms in (
        "i me myself",
        "you yourself yourselves",
        "he him himself",
        "she her herself",
        "it itself",
        "we us ourselves",
        "they them themselves",
    )
    for form in forms.split()
}


def tokens(text: str) -> list[str]:
    """Return the lower-case words and punctuation marks of a text, the blank ``_`` included.

    >>> tokens("The trophy doesn’t fit: _'s too big.")
    ['the', 'trophy', "doesn't", 'fit', ':', '_', "'s", 'too', 'big', '.']
    """
    return _TOKEN.findall(text.casefold().replace("’", "'"))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the Snowball stem of a lower-case word; irregular past forms have that of the base.

    >>> stem("throwing") == stem("threw") == stem("throws")
    True
    """
    return str(_SNOWBALL.stemWord(_BASE.get(word, word)))


CONTROL = frozenset(map(stem, _CONTROL.split()))


def is_word(token: str) -> bool:
    return token[0].isalpha() or token[0].isdigit()


def is_content(token: str) -> bool:
    """Return whether a token is a word of an open class (noun, verb, adjective, adverb)."""
    return is_word(token) and token not in FUNCTION_WORDS and token not in AUXILIARIES


def is_filler(token: str) -> bool:
    """Return whether a token may stand between a predicate and its subject."""
    return (
        token in AUXILIARIES
        or token in _FILLERS
        or (token.endswith("ly") and len(token) > 4)
        or token.endswith("n't")
    )


def clause_ends(words: Sequence[str]) -> list[bool]:
    """Return for each token whether it is between clauses: a connective or punctuation.

    "so" is one only before a new subject, not in "was so weak".

    >>> clause_ends(["so", "weak", ",", "so", "it", "fell"])
    [False, False, True, True, False, False]
    """
    return [_ends_clause(words, i) for i in range(len(words))]


def _ends_clause(words: Sequence[str], i: int) -> bool:
    if words[i] == "so":
        following = words[i + 1] if i + 1 < len(words) else ""
        return following in PRONOUNS or following in DETERMINERS or following in {BLANK, "that"}
    return words[i] in CONNECTIVES or words[i] in _PUNCTUATION


def is_passive(words: Sequence[str], start: int) -> bool:
    """Return whether the verb at a position is a participle after a form of "be".

    >>> is_passive("it was not broken by ann".split(), 3)
    True
    """
    i = start - 1
    while i >= 0 and is_filler(words[i]) and words[i] not in BE:
        i -= 1
    form = words[start].endswith(("ed", "en", "wn")) or words[start] in _BASE
    return i >= 0 and words[i] in BE and form
