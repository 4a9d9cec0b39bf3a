"""The items of a reference set, as its page shows them."""

from dataclasses import dataclass
from itertools import islice

from django.http import Http404
from django.utils.translation import gettext as _

from corpora.core.items import Item
from corpora.models import ReferenceSet, ReferenceSplit
from frontend.items import pieces_of, question_of
from frontend.marks import Piece
from winoplatform.artifacts import store

ITEMS = 20


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item with its number in the file; of each option, whether it is the answer."""

    number: int
    item: Item
    pieces: tuple[Piece, ...]
    question: str
    options: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class ItemPage:
    """Some items of a split in the order of the file; ``earlier`` and ``later`` are pages."""

    split: ReferenceSplit
    rows: list[ItemRow]
    first: int
    last: int
    earlier: int | None
    later: int | None


def chosen_split(found: ReferenceSet, name: str) -> ReferenceSplit:
    """Return the split of this name; the first one if no name is given."""
    for split in found.splits.all():
        if name in ("", split.name):
            return split
    raise Http404(_("This reference set has no such split."))


def item_page(split: ReferenceSplit, number: str) -> ItemPage:
    """Return a page of a split's items, counted from 1; another number returns the first page.

    Only the items of the page are parsed, so the last page of a large split is shown as quickly.
    """
    pages = -(-split.n_items // ITEMS)
    page = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 1
    page = page if 1 <= page <= pages else 1
    start = (page - 1) * ITEMS
    with store.open_artifact(split.items) as file:
        lines = [line.decode() for line in islice(file, start, start + ITEMS)]
    return ItemPage(
        split=split,
        rows=[_item_row(n, Item.from_line(line)) for n, line in enumerate(lines, start + 1)],
        first=start + 1,
        last=start + len(lines),
        earlier=page - 1 if page > 1 else None,
        later=page + 1 if page < pages else None,
    )


def _item_row(number: int, item: Item) -> ItemRow:
    options = tuple((text, n == item.answer) for n, text in enumerate(item.options, 1))
    return ItemRow(number, item, tuple(pieces_of(item)), question_of(item), options)
