"""The Winograd Schema Challenge as a table: Hugging Face's columns."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from corpora.core.items import Item
from corpora.core.readers.mask_records import grouped
from corpora.core.readers.records import Source
from corpora.core.readers.table import read_table


def read_schemas(lines: Source, *, name: str) -> Iterator[Item]:
    """Read text, pronoun, pronoun_loc, options and label, in the collection's order.

    Twins follow each other, and are grouped as in the published file.

    Parameters
    ----------
    lines : binary file or iterable of str
    name : str
        The first part of each id; the second is the question's number.

    Raises
    ------
    ValueError
        With the number of the first line that is not such a question.
    """
    items = []
    for number, item in enumerate(read_table(lines), 1):
        id = f"{name}-{number:03}"
        items.append(replace(item, id=id, group=id))
    yield from grouped(items)


read_wsc273_table = partial(read_schemas, name="wsc273")
read_wsc285_table = partial(read_schemas, name="wsc285")
