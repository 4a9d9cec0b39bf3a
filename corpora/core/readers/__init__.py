"""Readers of published benchmarks: they convert the lines of a file to items."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from corpora.core.items import Item
from corpora.core.readers.json_lines import read_items, read_winogrande
from corpora.core.readers.mask_records import read_mask_records, read_wsc273

Reader = Callable[[Iterable[str]], Iterator[Item]]

READERS: dict[str, Reader] = {
    "items": read_items,
    "winogrande": read_winogrande,
    "wsc273": read_wsc273,
    "pdp": partial(read_mask_records, name="pdp"),
}
