"""The votes of a human evaluation as a file; workers are pseudonyms."""

from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse

from collection.core.people import resolved
from evaluation.models import HumanEvaluation, HumanSeat
from tabular.writing import csv_lines
from winoplatform.spreadsheets import saved_as

COLUMNS = (
    "vote", "item", "group", "domain", "worker", "people_origin", "seat", "option", "shown",
    "correct", "seconds", "created_at", "used", "exclusion_reason",
)  # fmt: skip


def human_votes_csv(evaluation: HumanEvaluation) -> StreamingHttpResponse:
    """Answer with every vote of *evaluation*, in the order of the items.

    ``option`` is numbered as in the item, ``shown`` as it was shown, and ``seconds`` count from
    the claim. A vote is not ``used`` if a curator excluded it, or if it replaced one that counts
    again.
    """
    name = f"human-votes-{evaluation.public_id}.csv"
    return saved_as(name, csv_lines(COLUMNS, _rows(evaluation)))


def _rows(evaluation: HumanEvaluation) -> Iterator[tuple[Any, ...]]:
    seats = HumanSeat.objects.filter(evaluation=evaluation, answered_at__isnull=False)
    rows = seats.select_related("item", "worker").order_by("item__number", "number")
    chosen = evaluation.campaign.people_chosen
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
        )  # fmt: skip
