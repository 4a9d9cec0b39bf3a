"""Readers of published benchmarks: they convert the lines of a file to items."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from corpora.core.items import Item
from corpora.core.readers.json_lines import read_items, read_winogrande
from corpora.core.readers.mask_records import read_mask_records, read_wsc273

Reader = Callable[[Iterable[str]], Iterator[Item]]

FORMATS = {
    "items": "JSON lines as a snapshot holds them: id, group, sentence, options, answer",
    "winogrande": "JSON lines with qID, sentence, option1, option2, answer; qIDs group the twins",
    "wsc273": "the text records of wsc273.txt; neighbouring records group the schemas",
    "pdp": "the text records of PDP60.txt; no groups",
}
GROUPED = frozenset({"winogrande", "wsc273"})
"""Formats whose files hold questions in groups of two or more."""

READERS: dict[str, Reader] = {
    "items": read_items,
    "winogrande": read_winogrande,
    "wsc273": read_wsc273,
    "pdp": partial(read_mask_records, name="pdp"),
}
