"""The English function words: a closed class, so the list is complete."""

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
