"""The zero-shot form: twins that ask for their special word."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from corpora.core.items import BLANK, Item
from corpora.core.transformations.results import Dropped, Transformed, as_blank

# Stands for the special word until the blank is filled: a private-use character.
_GAP = "\ue000"
_CORE = re.compile(r"\w(?:.*\w)?")

NOT_A_PAIR = "its group is not a pair of twins with different answers"
NOT_ONE_WORD = "its twin differs in more than one word"
AT_THE_BLANK = "its twin differs at the blank"


def zero_shot(items: Sequence[Item]) -> Transformed:
    """Replace the blank by the right answer, and the special word by a blank.

    Parameters
    ----------
    items : sequence of Item
        The two items of a group must have different right options and differ in one word.

    Returns
    -------
    Transformed
        Same ids and groups. The options are the two special words: first the word of the twin with
        the smaller answer. Whether a word is one token is for the scorer to check.

    Source: Back to Square One §6.1.

    Examples
    --------
    >>> options, text = ("the trophy", "the suitcase"), "It doesn't fit into it because _ is too "
    >>> twins = [Item(id="a", group="g", sentence=text + "large.", options=options, answer=1),
    ...          Item(id="b", group="g", sentence=text + "small.", options=options, answer=2)]
    >>> [item.sentence.partition("because ")[2] for item in zero_shot(twins).items]
    ['the trophy is too _.', 'the suitcase is too _.']
    >>> [(item.options, item.answer) for item in zero_shot(twins).items]
    [(('large', 'small'), 1), (('large', 'small'), 2)]
    """
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[item.group].append(item)
    found: dict[str, Item] = {}
    dropped: Counter[str] = Counter()
    for group in groups.values():
        try:
            found |= {item.id: item for item in _asked_for_words(group)}
        except Dropped as reason:
            dropped[str(reason)] += len(group)
    return Transformed([found[item.id] for item in items if item.id in found], dropped)


def _asked_for_words(group: Sequence[Item]) -> list[Item]:
    if len(group) != 2:
        raise Dropped(NOT_A_PAIR)
    first, second = (as_blank(item) for item in group)
    if _right(first) == _right(second):
        raise Dropped(NOT_A_PAIR)
    pairs = [(first, second), (second, first)]
    (one, gap_one), (two, gap_two) = (_special_word(a.sentence, b.sentence) for a, b in pairs)
    words = (one, two) if (first.answer or 0) < (second.answer or 0) else (two, one)
    return [
        _with_gap(item, gap, words, 1 + words.index(word))
        for item, gap, word in ((first, gap_one, one), (second, gap_two, two))
    ]


def _right(item: Item) -> str:
    if item.answer is None:
        raise Dropped("the right answer is not known")
    return item.options[item.answer - 1]


def _special_word(sentence: str, twin: str) -> tuple[str, str]:
    """Return the word of a sentence that its twin replaces, and the sentence with a gap for it."""
    words, others = sentence.split(), twin.split()
    places = [i for i, pair in enumerate(zip(words, others, strict=False)) if len(set(pair)) > 1]
    if len(words) != len(others) or len(places) != 1:
        raise Dropped(NOT_ONE_WORD)
    changed = words[places[0]]
    core = _CORE.search(changed)
    if core is None or BLANK in changed:
        raise Dropped(AT_THE_BLANK)
    words[places[0]] = changed[: core.start()] + _GAP + changed[core.end() :]
    return core[0], " ".join(words)


def _with_gap(item: Item, gap: str, words: tuple[str, str], answer: int) -> Item:
    if len(set(words)) == 1:
        raise Dropped(NOT_ONE_WORD)
    filled = replace(item, sentence=gap).filled[(item.answer or 0) - 1]
    if BLANK in filled:
        raise Dropped("the right option contains an underscore")
    return replace(item, sentence=filled.replace(_GAP, BLANK), options=words, answer=answer)
