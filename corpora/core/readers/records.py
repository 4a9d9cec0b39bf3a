"""Records of the formats that are tables: any CSV, JSON lines or a JSON array."""

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import fields
from io import TextIOBase
from typing import IO, Any, TypeGuard, cast

from corpora.core.items import BLANK, Item
from corpora.core.readers.lines import LONGEST, at_line
from tabular import (
    Record,
    as_stream,
    is_unknown,
    key,
    read_lines,
    read_records,
    strict,
    whole_number,
)

Source = IO[bytes] | Iterable[str]
"""A file: binary and seekable, or its lines."""
LONGEST_WORD = 200
"""Characters of a pronoun: the time to look for it grows with its length."""
_BLANKS = re.compile(rf"{BLANK}{{2,}}")


def is_binary(source: Source) -> TypeGuard[IO[bytes]]:
    """Return whether a source is a binary file, and not lines."""
    return hasattr(source, "readline") and not isinstance(source, TextIOBase)


def as_binary(source: Source) -> IO[bytes]:
    """Return a source as a binary file; of lines each gets an ending if it has none."""
    if is_binary(source):
        return source
    return as_stream(_ended(line) for line in cast(Iterable[str], source))


def table_records(source: Source, known: Collection[str]) -> Iterator[Record]:
    """Yield the records of a table.

    Parameters
    ----------
    source : binary file or iterable of str
    known : collection of str
        Names that the format reads, found in any case.

    Raises
    ------
    ValueError
        With the line of the first record that cannot be read.
    """
    return strict(read_records(as_binary(source), known=known, is_exact=True))


def is_table(source: Source) -> bool:
    """Return whether a file begins as JSON, or with a line that names text and pronoun.

    The file is at its start afterwards; an iterable of lines is not looked into.
    """
    if is_binary(source):
        with closing(read_lines(source, longest=LONGEST)) as lines:
            first = next((line.text for line in lines if line.text.strip()), "")
        source.seek(0)
    elif isinstance(source, TextIOBase):
        first = next((line for line in source if line.strip()), "")
        source.seek(0)
    else:
        return False
    names = {key(cell) for cell in re.split(r"[,;\t|]", first[:1000])}
    return first.lstrip()[:1] in ("{", "[") or {"text", "pronoun"} <= names


def one_blank(sentence: str) -> str:
    """Return a sentence with a blank of several underscores written as one.

    >>> one_blank("The cup stood on the tray, so ____ fell.")
    'The cup stood on the tray, so _ fell.'
    """
    return _BLANKS.sub(BLANK, sentence)


def as_word(text: str) -> re.Pattern[str]:
    """Return a pattern that finds a text as a word of its own.

    Raises
    ------
    ValueError
        When it is longer than `LONGEST_WORD`.
    """
    if len(text) > LONGEST_WORD:
        raise ValueError(f"a pronoun may have {LONGEST_WORD} characters, got {text!r:.80}")
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")


def label_from_zero(label: Any, *, k: int, name: str = "label") -> int | None:
    """Return a label that counts from 0 as an option's number from 1; None if it is unknown.

    Raises
    ------
    ValueError
        When it names none of *k* options.
    """
    if is_unknown(label):
        return None
    number = whole_number(label)
    if number is None or not 0 <= number < k:
        raise ValueError(f"{name} must be from 0 to {k - 1}, or -1 if unknown, got {label!r:.80}")
    return number + 1


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n"


def read_items(lines: Source) -> Iterator[Item]:
    """Read the fields of items, as ``Item.to_line`` writes them.

    Raises
    ------
    ValueError
        With the number of the first line that is not an item.
    """
    for record in table_records(lines, [field.name for field in fields(Item)]):
        with at_line(record.line):
            item = Item.from_values(record.fields)
        yield item
