"""Records of five lines with a masked pronoun, the format of WSC273 and PDP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from corpora.core.items import BLANK, Item

MASK = "[MASK]"
# Twins of WSC273 share at least this fraction of their words; other neighbours share less, or are
# twins of other sentences.
SHARED = 0.5


def read_wsc273(lines: Iterable[str]) -> Iterator[Item]:
    """Read WSC273 in its published order, in which twins follow each other.

    Two consecutive records that share half of their words are a group. A remaining record joins
    the group before it if it shares as many words with that: 135 pairs and one triplet.

    Raises
    ------
    ValueError
        As ``read_mask_records``.
    """
    items = list(read_mask_records(lines, name="wsc273"))
    groups: list[list[Item]] = []
    for item in items:
        last = groups[-1] if groups else []
        if len(last) == 1 and _shared(last[-1], item) >= SHARED:
            last.append(item)
        else:
            groups.append([item])
    for before, group in zip([[], *groups], groups, strict=False):
        joins = len(group) == 1 and before and _shared(before[-1], group[0]) >= SHARED
        name = (before if joins else group)[0].id
        yield from (replace(item, group=name) for item in group)


def read_mask_records(lines: Iterable[str], *, name: str) -> Iterator[Item]:
    """Read records of sentence, mask, comma-separated options, right option and an empty line.

    The masked pronoun becomes the blank, and whitespace between words one space. Options are
    sorted by text: in such files the right one is often the first. Each item has its own group.

    Parameters
    ----------
    lines : iterable of str
    name : str
        The first part of each id; the second part is the record's number.

    Raises
    ------
    ValueError
        With the number of the first record that has another format.
    """
    for number, record in enumerate(_records(lines), 1):
        id = f"{name}-{number:03}"
        sentence, options, right = _parsed(record, id)
        yield Item(
            id=id,
            group=id,
            sentence=sentence,
            options=tuple(options),
            answer=options.index(right) + 1,
        )


def _records(lines: Iterable[str]) -> Iterator[list[str]]:
    stripped = (line.strip() for line in lines)
    while record := list(islice(stripped, 5)):
        if any(record):
            yield record


def _parsed(record: Sequence[str], id: str) -> tuple[str, list[str], str]:
    if len(record) < 4 or record[1] != MASK or record[0].count(MASK) != 1:
        raise ValueError(f"{id}: expected a sentence with one {MASK}, {MASK}, options and answer")
    before, after = record[0].split(MASK)
    after = after.lstrip() if after.lstrip()[:1] in set(".,;:?!'") else f" {after.lstrip()}"
    sentence = " ".join(f"{before.rstrip()} {BLANK}{after}".split())
    options = sorted({option.strip() for option in record[2].split(",") if option.strip()})
    if record[3] not in options:
        raise ValueError(f"{id}: the answer {record[3]!r} is not among the options {options}")
    return sentence, options, record[3]


def _shared(one: Item, other: Item) -> float:
    """Return the number of words that two sentences share, divided by the longer length."""
    first, second = (Counter(item.sentence.casefold().split()) for item in (one, other))
    return (first & second).total() / max(first.total(), second.total())
