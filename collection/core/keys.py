"""Keys under which uses of an anchor or a trigger are counted together."""

from collections.abc import Sequence

from collection.core.words import bare

LONGEST_TRIGGER_KEY = 300


def anchor_key(anchor: str) -> str:
    """Return the key of an anchor: without case, extra white space and an ending "s".

    >>> anchor_key("Baby  Bottles"), anchor_key("glass")
    ('baby bottle', 'glass')
    """
    folded = " ".join(anchor.casefold().split())
    return folded if folded.endswith("ss") else folded.removesuffix("s")


def trigger_key(first: Sequence[str], second: Sequence[str]) -> str:
    """Return the key of twins' trigger words, which ignores order, case and punctuation.

    Parameters
    ----------
    first, second : sequences of words
        The words in which each sentence differs, as in ``TriggerDiff``.

    Returns
    -------
    str
        At most 300 characters; a side without words is empty.

    >>> trigger_key(["too", "Small."], ["too", "large."])
    'too large|too small'
    """
    sides = sorted(" ".join(bare(word.casefold()) for word in side) for side in (first, second))
    return "|".join(sides)[:LONGEST_TRIGGER_KEY]
