"""Transformations that keep only a part of a sentence, to detect artifacts."""

import re
from collections.abc import Sequence

from collection.core.words import local_window
from corpora.core.items import BLANK, Item
from corpora.core.transformations.mentions import ends_sentence, single_mentions
from corpora.core.transformations.results import (
    Dropped,
    Transformed,
    transform_each,
    with_sentence,
)

WORD_MARKERS = ("so", "but", "and", "because", "although", "though", "due", "since")
NO_MARKER = "no discourse marker or punctuation stands before the blank"
# A comma counts unless it is inside a number; a quotation mark after it belongs to what is before.
_MARKER = re.compile(
    rf"(?<![\w'’-])(?:{'|'.join(WORD_MARKERS)})(?![\w'’-])"
    r"|(?:\.|,(?!\d)|;|\?)(?:[\"'”’)\]]+(?=\s))?"
)


def no_candidates(items: Sequence[Item]) -> Transformed:
    """Remove the options from every sentence.

    Parameters
    ----------
    items : sequence of Item
        Any number of options; each must be mentioned once, see `mentions`. The options themselves
        stay, and are still what a model chooses from.

    Returns
    -------
    Transformed
        Same ids and groups.

    Source: Back to Square One §5, "No-Candidate Baseline". Its code counts an option also inside
    longer words ("Ann" in "Anna"), and leaves such items out.

    Examples
    --------
    >>> trophy = Item(id="a", group="a", options=("the trophy", "the suitcase"),
    ...     sentence="The trophy doesn't fit into the brown suitcase because _ is too large.")
    >>> no_candidates([trophy]).items[0].sentence
    "doesn't fit into the brown because _ is too large."
    """
    return transform_each(items, _without_candidates)


def part_sentence(items: Sequence[Item]) -> Transformed:
    """Keep what follows the last discourse marker before the blank.

    Parameters
    ----------
    items : sequence of Item

    Returns
    -------
    Transformed
        Same ids and groups. Items without a marker before the blank are left out.

    Source: Back to Square One §5, "Partial-Sentence Baseline", with the markers of its footnote 9
    (in lower case); a full stop is one where a sentence ends, see `ends_sentence`. As in its files
    the marker itself is omitted and the rest of the text is kept; its Figure 1 shows the marker.

    Examples
    --------
    >>> trophy = Item(id="a", group="a", options=("the trophy", "the suitcase"),
    ...     sentence="The trophy doesn't fit into the brown suitcase because _ is too large.")
    >>> part_sentence([trophy]).items[0].sentence
    '_ is too large.'
    """
    return transform_each(items, _after_marker)


def local_context(items: Sequence[Item]) -> Transformed:
    """Keep two words before the blank, and everything after it: w_{t-2:EOS}.

    Source: WinoGrande §4.1, "Word association baseline". Same ids and groups; see `local_window`.
    """
    return transform_each(
        items, lambda item: [with_sentence(item, local_window(item.sentence, before=2))]
    )


def candidates_only(items: Sequence[Item]) -> Transformed:
    """Replace every sentence by its blank, so that only the options are left.

    Same ids and groups. A model that still does better than chance knows which kind of option is
    more often right.
    """
    return transform_each(items, lambda item: [with_sentence(item, BLANK)])


def _without_candidates(item: Item) -> list[Item]:
    sentence = item.sentence
    for start, end in sorted(single_mentions(item.options, sentence), reverse=True):
        sentence = sentence[:start] + " " * (end - start) + sentence[end:]
    return [with_sentence(item, sentence)]


def _after_marker(item: Item) -> list[Item]:
    text = item.sentence
    ends = [
        marker.end()
        for marker in _MARKER.finditer(text, 0, text.index(BLANK))
        if marker[0][0] != "." or ends_sentence(text, marker.start())
    ]
    if not ends:
        raise Dropped(NO_MARKER)
    return [with_sentence(item, text[ends[-1] :])]
