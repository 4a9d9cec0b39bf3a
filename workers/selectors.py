"""Reads of pay."""

from typing import Any

from django.db.models import Count, QuerySet, Sum

from workers.models import LedgerEntry


def ledger_sums(entries: QuerySet[LedgerEntry]) -> "QuerySet[LedgerEntry, Any]":
    """Count and add up *entries* by kind and currency; amounts of two currencies never mix."""
    groups = entries.order_by("kind", "currency").values("kind", "currency")
    return groups.annotate(count=Count("pk"), sum=Sum("amount"))
