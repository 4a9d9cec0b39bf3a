"""Records of five lines with a masked pronoun, the format of WSC273 and PDP."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from corpora.core.items import BLANK, Item
from corpora.core.readers.flags import SHARED, flagged, shared
from corpora.core.readers.lines import at_line, five_line_records

MASK = "[MASK]"


def read_wsc273(
    lines: Iterable[str],
    *,
    associative: Iterable[str] | None = None,
    switchable: Iterable[str] | None = None,
) -> Iterator[Item]:
    """Read WSC273 in its published order, in which twins follow each other.

    Parameters
    ----------
    lines : iterable of str
    associative, switchable : iterable of str, optional
        Trichelair's files of labels: they become metadata of the same names, true or false.

    Raises
    ------
    ValueError
        As ``read_mask_records`` and ``flagged``.
    """
    items = list(grouped(list(read_mask_records(lines, name="wsc273"))))
    for name, labels in (("associative", associative), ("switchable", switchable)):
        items = flagged(items, labels, name) if labels is not None else items
    yield from items


def grouped(items: Sequence[Item]) -> Iterator[Item]:
    """Group the twins of the Winograd Schema Challenge, which follow each other.

    Two consecutive sentences that share half of their words are a group. A remaining one joins the
    group before it if it shares as many words with that: 135 pairs and one triplet in WSC273.
    """
    groups: list[list[Item]] = []
    for item in items:
        last = groups[-1] if groups else []
        if len(last) == 1 and shared(last[-1].blanked, item.blanked) >= SHARED:
            last.append(item)
        else:
            groups.append([item])
    for before, group in zip([[], *groups], groups, strict=False):
        alone = len(group) == 1 and before
        joins = alone and shared(before[-1].blanked, group[0].blanked) >= SHARED
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
    for number, (line, record) in enumerate(five_line_records(lines), 1):
        id = f"{name}-{number:03}"
        with at_line(line):
            sentence, options, right = _parsed(record, id)
            answer = options.index(right) + 1
            item = Item(id=id, group=id, sentence=sentence, options=tuple(options), answer=answer)
        yield item


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
