"""Under which name uses of an anchor or a trigger are counted together."""

from collections.abc import Sequence

from collection.core.words import bare

LONGEST_TRIGGER_KEY = 300


def anchor_key(anchor: str) -> str:
    """Return the anchor without case, wide gaps and an ending "s": uses of it count together.

    >>> anchor_key("Baby  Bottles"), anchor_key("glass")
    ('baby bottle', 'glass')
    """
    folded = " ".join(anchor.casefold().split())
    return folded if folded.endswith("ss") else folded.removesuffix("s")


def trigger_key(first: Sequence[str], second: Sequence[str]) -> str:
    """Return a name for the trigger words of twins that ignores their order, case and edges.

    Parameters
    ----------
    first, second : sequences of words
        What sets either sentence apart, as in ``TriggerDiff``.

    Returns
    -------
    str
        At most 300 characters; a side without words is empty.

    >>> trigger_key(["too", "Small."], ["too", "large."])
    'too large|too small'
    """
    sides = sorted(" ".join(bare(word.casefold()) for word in side) for side in (first, second))
    return "|".join(sides)[:LONGEST_TRIGGER_KEY]
