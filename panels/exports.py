"""The votes of a panel as a file; workers are pseudonyms."""

from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse

from collection.core.people import resolved
from panels.models import Panel, PanelSeat
from tabular.writing import csv_lines
from winoplatform.exporting.spreadsheets import saved_as

COLUMNS = (
    "vote", "item", "group", "domain", "worker", "people_origin", "seat", "option", "shown",
    "correct", "seconds", "created_at", "used", "exclusion_reason", "fails",
    "report", "first_option", "amended_at",
)  # fmt: skip


def votes_csv(panel: Panel) -> StreamingHttpResponse:
    """Answer with every vote of *panel*, in the order of the items.

    ``option`` is numbered as in the item, ``shown`` as it was shown, and ``seconds`` count from
    the claim. A vote is not ``used`` if a curator excluded it, or if it replaced one that counts
    again. Of an amended vote, ``first_option`` is the one before, numbered as ``option``.
    """
    name = f"human-votes-{panel.public_id}.csv"
    return saved_as(name, csv_lines(COLUMNS, _rows(panel)))


def _rows(panel: Panel) -> Iterator[tuple[Any, ...]]:
    seats = PanelSeat.objects.filter(panel=panel, answered_at__isnull=False)
    rows = seats.select_related("item", "worker").order_by("item__number", "number")
    chosen = panel.campaign.people_chosen
    for seat in rows.iterator(chunk_size=1000):
        item = seat.item.item
        assert seat.worker is not None
        assert seat.option is not None
        assert seat.answered_at is not None
        assert seat.seconds is not None
        yield (
            str(seat.public_id), item.id, item.group, str(item.metadata.get("domain") or ""),
            seat.worker.public_id, resolved((seat.worker.origin, ""), chosen)[0],
            seat.number, seat.option, seat.order.index(seat.option) + 1,
            str(seat.option == item.answer).lower(),
            round(seat.seconds, 3),
            seat.answered_at.isoformat(),
            str(seat.excluded_at is None and not seat.spare).lower(), seat.exclusion_reason,
            seat.fails, seat.report, seat.first_option or "",
            seat.amended_at.isoformat() if seat.amended_at else "",
        )  # fmt: skip
