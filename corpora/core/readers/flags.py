"""Trichelair's labels of WSC273: which questions are associative, and which are switchable."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from corpora.core.items import Item
from corpora.core.readers.lines import at, json_array, text_of

# An edited sentence still shares at least this fraction of its words with the published one.
SHARED = 0.5


def flagged(items: Sequence[Item], lines: Iterable[str], name: str) -> list[Item]:
    """Add the metadata *name* to the items that a file of labels names.

    The labels are not in the order of the questions, so they are matched by the letters of the
    sentence without its pronoun. A label with an edited sentence (one of the switchable ones has
    its candidates switched already) goes to the remaining item that shares most words with it.

    Parameters
    ----------
    items : sequence of Item
        WSC273, or WSC285, whose last twelve questions have no label.
    lines : iterable of str
        A JSON array of objects with ``sentence`` (the pronoun in square brackets) and
        ``is_<name>`` (0 or 1).
    name : str
        'associative' or 'switchable'.

    Returns
    -------
    list of Item
        In the same order; items without a label are unchanged.

    Raises
    ------
    ValueError
        When a label is malformed, repeats, or has no sentence among the items.

    Notes
    -----
    Source: Trichelair et al. 2019, "How Reasonable are Common-Sense Reasoning Tasks", §3.
    """
    places = {_letters(item.blanked.replace("_", "")): n for n, item in enumerate(items)}
    labels: dict[int, bool] = {}
    edited: list[tuple[int, str, bool]] = []
    for number, sentence, flag in _labels(lines, name):
        place = places.get(_letters(sentence))
        if place is None:
            edited.append((number, sentence, flag))
        elif place in labels:
            raise ValueError(f"{name}: label {number} repeats the sentence {sentence!r}")
        else:
            labels[place] = flag
    for number, sentence, flag in edited:
        labels[_nearest(items, labels, number, sentence, name)] = flag
    return [
        replace(item, metadata={**item.metadata, name: labels[n]}) if n in labels else item
        for n, item in enumerate(items)
    ]


def shared(one: str, other: str) -> float:
    """Return the number of words that two sentences share, divided by the longer length."""
    first, second = (Counter(sentence.casefold().split()) for sentence in (one, other))
    return (first & second).total() / max(first.total(), second.total(), 1)


def _labels(lines: Iterable[str], name: str) -> Iterator[tuple[int, str, bool]]:
    for number, record in enumerate(json_array(lines), 1):
        with at(f"{name}: label {number}"):
            sentence, flag = text_of(record, "sentence"), record.get(f"is_{name}")
            if flag not in (0, 1):
                raise ValueError(f"“is_{name}” must be 0 or 1, got {flag!r:.80}")
        yield number, _without_pronoun(sentence), bool(flag)


def _without_pronoun(sentence: str) -> str:
    """Return a sentence without what is in square brackets; linear where none is closed."""
    kept, place = [], 0
    while (begin := sentence.find("[", place)) >= 0 and (end := sentence.find("]", begin)) >= 0:
        kept.append(sentence[place:begin])
        place = end + 1
    return "".join(kept) + sentence[place:]


def _nearest(
    items: Sequence[Item], taken: Iterable[int], number: int, sentence: str, name: str
) -> int:
    left = sorted(set(range(len(items))) - set(taken))
    best = max(left, key=lambda n: shared(items[n].blanked, sentence), default=None)
    if best is None or shared(items[best].blanked, sentence) < SHARED:
        raise ValueError(f"{name}: label {number} has no sentence here: {sentence!r:.120}")
    return best


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())
