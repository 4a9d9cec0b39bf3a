"""The ledger entries of each person for the work on a knowledge set."""

import uuid
from collections import defaultdict
from typing import Any

from django.db.models import CharField, Count, Q, QuerySet, Sum
from django.db.models.functions import Cast
from django.http import HttpResponse
from django.shortcuts import render

from collection.models import Campaign
from frontend.http import PAY, PageRequest, curators_only
from frontend.knowledge.reads import set_for
from frontend.sums import ZERO, Cell, SumRow, column_sums
from knowledge.models import FormalisingTask, KnowledgeSet
from panels.models import PanelSeat
from workers.models import LedgerEntry
from workers.models.ledger import LedgerQuerySet, of_payers


@curators_only(needs=PAY)
def pay(request: PageRequest, name: str) -> HttpResponse:
    """Show each person's entries by state, for answers and for verified formalisations."""
    knowledge_set = set_for(request.user, name)
    entries = _entries(knowledge_set).filter(of_payers(request.user))
    tables = [
        {"currency": currency, "rows": rows, "totals": column_sums(rows)}
        for currency, rows in _sums(entries).items()
    ]
    context = {
        "set": knowledge_set,
        "tables": tables,
        "states": list(LedgerEntry.State),
        "payers": Campaign.objects.filter(public_id__in=entries.values("budget")).order_by("name"),
    }
    return render(request, "frontend/knowledge/pay.html", context)


def _sums(entries: LedgerQuerySet) -> dict[str, list[SumRow]]:
    """Return each person's entries by state, for each currency that a campaign pays in."""
    stateful: Any = entries.with_state().order_by()
    groups = stateful.values("currency", "worker__public_id", "state")
    cells: dict[str, dict[uuid.UUID, dict[str, Cell]]] = defaultdict(lambda: defaultdict(dict))
    for row in groups.annotate(count=Count("pk"), sum=Sum("amount")):
        mine = cells[row["currency"]][row["worker__public_id"]]
        mine[row["state"]] = Cell(row["count"], row["sum"])
    return {
        currency: [
            SumRow(
                str(worker), tuple(mine.get(state, Cell(0, ZERO)) for state in LedgerEntry.State)
            )
            for worker, mine in sorted(of_workers.items())
        ]
        for currency, of_workers in sorted(cells.items())
    }


def _entries(knowledge_set: KnowledgeSet) -> LedgerQuerySet:
    """Return the ledger's entries for answers about a set and for its formalised questions."""
    seats = PanelSeat.objects.done().filter(panel__knowledge_set=knowledge_set)
    tasks = FormalisingTask.objects.filter(knowledge_set=knowledge_set, verified_at__isnull=False)
    return LedgerEntry.objects.filter(
        Q(kind=LedgerEntry.Kind.KNOWLEDGE, unit__in=_units(seats))
        | Q(kind=LedgerEntry.Kind.FORMALISATION, unit__in=_units(tasks))
    )


def _units(rows: "QuerySet[Any]") -> Any:
    return rows.order_by().annotate(text=Cast("public_id", CharField())).values("text")
