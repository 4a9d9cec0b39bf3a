"""The list of the runs of every kind."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Value
from django.db.models.functions import NullIf

from collection.models import Campaign
from frontend.paging import numbered
from frontend.runs.reads import RunRow, listed_kinds, path_to_campaign, run_row, with_inputs
from winoplatform.runs.models import Run, RunStatus


@dataclass(frozen=True, slots=True)
class JobPage:
    """A page of the list of jobs: its rows, their places from 1, and the pages beside it."""

    rows: tuple[RunRow, ...]
    total: int
    first: int
    earlier: int | None
    later: int | None

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


ORDERS = {
    "oldest": ("created_at",),
    "name": ("sort_name",),
    "state": ("status",),
    "kind": ("sort_place",),
    "by": ("sort_person",),
    "starred": ("-is_starred",),
}
"""The columns of a page's keys by which it can be sorted; runs without a name come last."""


def jobs(chosen: Mapping[str, Any], number: str, *, size: int, now: datetime) -> JobPage:
    """Return a page of the runs of every kind, newest first or in the order chosen.

    *chosen* are values of ``JobsForm``. Two queries, and one for each kind of run on the page.
    """
    first, *others = (
        _keys(kind, chosen)
        .annotate(
            sort_place=Value(place),
            sort_name=NullIf("caption", Value("")),
            sort_person=F("created_by__username"),
        )
        .values_list(
            "created_at", "sort_place", "pk", "status", "is_starred", "sort_name", "sort_person"
        )
        for place, kind in enumerate(listed_kinds())
        if _is_asked(kind, chosen)
    )
    keys = first.union(*others, all=True)
    order = ORDERS.get(chosen.get("sort", ""), ())
    page = numbered(keys.order_by(*order, "-created_at", "-pk"), number, size)
    rows = tuple(run_row(run, now) for run in _loaded(page.rows))
    place = (page.earlier or 0) * size + 1
    return JobPage(rows, keys.count(), place, page.earlier, page.later)


def n_failed(campaign: Campaign) -> int:
    """Count the failed runs of a campaign that are not archived, in one query."""
    chosen = {"state": RunStatus.FAILED, "campaign": campaign}
    first, *others = (
        _keys(kind, chosen).values("pk") for kind in listed_kinds() if _is_asked(kind, chosen)
    )
    return int(first.union(*others, all=True).count())


def _is_asked(kind: type[Run], chosen: Mapping[str, Any]) -> bool:
    if chosen.get("kind", kind._meta.model_name) != kind._meta.model_name:
        return False
    return "campaign" not in chosen or path_to_campaign(kind) is not None


def _keys(kind: type[Run], chosen: Mapping[str, Any]) -> Any:
    rows = kind._default_manager.order_by()
    match chosen.get("kept"):
        case "starred":
            rows = rows.filter(is_starred=True)
        case "archived":
            rows = rows.filter(archived_at__isnull=False)
        case _:
            rows = rows.filter(archived_at=None)
    if "campaign" in chosen:
        rows = rows.filter(**{str(path_to_campaign(kind)): chosen["campaign"]})
    if "state" not in chosen:
        return rows
    states = Run.OPEN if chosen["state"] == "open" else (chosen["state"],)
    return rows.filter(status__in=states)


def _loaded(keys: Iterable[tuple[Any, ...]]) -> Iterator[Run]:
    """Yield the runs of a page with what their texts need, in the order of the keys."""
    order = [(kind, pk) for _created, kind, pk, *_ in keys]
    by_kind: dict[int, list[int]] = defaultdict(list)
    for kind, pk in order:
        by_kind[kind].append(pk)
    kinds = listed_kinds()
    found = {kind: with_inputs(kinds[kind]).in_bulk(pks) for kind, pks in by_kind.items()}
    yield from (found[kind][pk] for kind, pk in order if pk in found[kind])
