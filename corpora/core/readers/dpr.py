"""Definite Pronoun Resolution (Rahman and Ng 2012): twins in records of five lines."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from corpora.core.items import Item
from corpora.core.readers.lines import at_line, five_line_records
from corpora.core.readers.records import as_word

_AFTER_CONJUNCTION = re.compile(r"\b(?:and|because|but|since|so|that)\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Record:
    line: int
    sentence: str
    pronoun: str
    options: tuple[str, ...]
    right: str

    @property
    def places(self) -> list[int]:
        """Where the pronoun stands as a word, in characters."""
        return [match.start() for match in as_word(self.pronoun).finditer(self.sentence)]


def read_dpr(lines: Iterable[str]) -> Iterator[Item]:
    """Read records of sentence, pronoun, comma-separated options, right option and an empty line.

    Two consecutive records with the same options are twins. Where a sentence has the pronoun
    several times, the one asked about is the last that the twins have in common after a
    conjunction; without one, the first after both options; without one, the first.

    Raises
    ------
    ValueError
        With the number of the first line of a record that has another format.

    Notes
    -----
    The files do not mark the pronoun's place; 51 of 1,886 sentences have it several times. In
    each of the 51 the rule finds the pronoun that the answer fits.
    """
    records = (_record(line, texts) for line, texts in five_line_records(lines))
    number = 0
    for twins in _twins(records):
        group = f"dpr-{number + 1:04}"
        common = _common(twins)
        for record in twins:
            number += 1
            with at_line(record.line):
                item = _item(record, f"dpr-{number:04}", group, common)
            yield item


def _record(line: int, texts: Sequence[str]) -> _Record:
    with at_line(line):
        if len(texts) < 4:
            raise ValueError("expected a sentence, its pronoun, two options and the answer")
        sentence, pronoun, joined, right = texts[:4]
        options = tuple(option.strip() for option in joined.split(","))
        if len(options) != 2 or right not in options:
            raise ValueError(f"expected two options, one the answer, got {joined!r} and {right!r}")
        record = _Record(line, sentence, pronoun, options, right)
        if not pronoun or not record.places:
            raise ValueError(f"the pronoun {pronoun!r} does not stand in {sentence!r:.200}")
        return record


def _twins(records: Iterator[_Record]) -> Iterator[tuple[_Record, ...]]:
    left = next(records, None)
    while left is not None:
        following = next(iter(islice(records, 1)), None)
        if following is not None and following.options == left.options:
            yield left, following
            left = next(records, None)
        else:
            yield (left,)
            left = following


def _common(twins: Sequence[_Record]) -> int:
    """Return how many characters of whole words the twins have in common at their start."""
    if len(twins) == 1:
        return 0
    first, second = (re.findall(r"\w+|\W+", record.sentence) for record in twins)
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += len(one)
    return length


def _item(record: _Record, id: str, group: str, common: int) -> Item:
    start = _pronoun_start(record, common)
    return Item(
        id=id,
        group=group,
        sentence=record.sentence,
        options=record.options,
        answer=record.options.index(record.right) + 1,
        form="pronoun",
        span=(start, start + len(record.pronoun)),
    )


def _pronoun_start(record: _Record, common: int) -> int:
    places = record.places
    shared = [start for start in places if start + len(record.pronoun) <= common]
    if linked := [start for start in shared if _AFTER_CONJUNCTION.search(record.sentence[:start])]:
        return linked[-1]
    folded = record.sentence.casefold()
    ends = [folded.find(option.casefold()) + len(option) for option in record.options]
    return next((start for start in places if start >= max(ends)), places[0])
