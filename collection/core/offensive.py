"""Words that a page never offers: a maintained list, with additions and exceptions.

The list is `glin_profanity`'s. Of 19,610 different words of real how-to titles and steps it flags
35, of which 5 name a tool, a game or a guide there; it misses 17 others ("sexting").
"""

import re
from functools import lru_cache

from glin_profanity import Filter

_EXPLICIT = re.compile(
    r"(?:fuck|shit|cunt|bitch|whor|slut|nigg|masturbat|ejaculat|prostitut|porn|orgasm|erotic|vagin|"
    r"genital|clitor|pedophil|paedophil|incest|nazi|nudi|sex(?!t(?:ant|et|on|upl))|"
    r"(?:raped?|rapes|condoms?|fags?|dykes?|chinks?|gooks?)$)"
)
_HARMLESS = """
escort hoe cornhole skeet snatch fingering bareback bondage poof twinkie simp swinger tosser
domination pegging rimming shrimping humping hardcore
"""
_LIST = Filter({"languages": ["english"], "ignore_words": _HARMLESS.split()})


@lru_cache(maxsize=50_000)
def is_offensive(word: str) -> bool:
    """Return whether a word, or a part of it, is obscene, explicit or a slur.

    >>> is_offensive("Sexting"), is_offensive("sextant"), is_offensive("hoe")
    (True, False, False)
    """
    parts = word.casefold().split("-")
    return any(map(_EXPLICIT.match, parts)) or bool(_LIST.is_profane(word))
