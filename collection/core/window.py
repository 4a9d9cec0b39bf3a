"""The local context of a blank, which must not reveal the answer."""

from collection.core.words import BLANK, word_spans


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
