"""Sentences of running text."""

import re

# After a full stop, an exclamation or question mark, with a quotation mark or a bracket behind it.
_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”’)\]]))\s+|\n")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without empty ones.

    A sentence ends at a line break, or at ``.``, ``!`` or ``?`` before white space: also after an
    abbreviation, which cuts a sentence in two.

    >>> sentences('He said "Stop!" He left.\\nShe stayed at 3.5 metres')
    ['He said "Stop!"', 'He left.', 'She stayed at 3.5 metres']
    """
    return [part for part in (sentence.strip() for sentence in _END.split(text)) if part]
