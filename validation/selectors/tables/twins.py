"""Twins with how their text was typed, withdrawn ones included."""

from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from collection.models import Campaign, Question, Twin
from validation.selectors.tables.table import Table
from winoplatform.exporting.columns import Column, Kind

_COLUMNS = {
    "twin": Column(F("public_id")),
    "revises": Column(F("revises__public_id"), nullable=True),
    "origin": Column(F("origin")),
    "source_id": Column(F("source_id"), Kind.TYPED),
    "source_split": Column(F("source_split")),
    "domain": Column(F("domain")),
    "anchor": Column(F("anchor"), Kind.TYPED),
    "option1": Column(F("option1"), Kind.TYPED),
    "option2": Column(F("option2"), Kind.TYPED),
    "trigger": Column(F("trigger"), Kind.JSON),
    "warnings": Column(F("warnings"), Kind.JSON),
    "advice": Column(F("advice"), Kind.JSON),
    "author": Column(F("author__public_id"), nullable=True),
    "guidelines": Column(F("provenance__guideline__version"), Kind.INTEGER, nullable=True),
    **{
        name: Column(F(f"provenance__{name}"), Kind.INTEGER, nullable=True)
        for name in (
            "typed_characters", "pasted_characters", "largest_insert", "edits", "active_seconds",
        )
    },
    **{name: Column(F(name), Kind.INTEGER, nullable=True) for name in ("min_words", "max_words")},
    "min_overlap": Column(F("min_overlap"), Kind.NUMBER, nullable=True),
    "votes_per_question": Column(F("votes_per_question"), Kind.INTEGER),
    "verdict_policy": Column(F("verdict_policy")),
    "withdrawn_at": Column(F("withdrawn_at"), Kind.TIME, nullable=True),
    "created_at": Column(F("created_at"), Kind.TIME),
}  # fmt: skip
COLUMNS = tuple(_COLUMNS)


def _rows(campaign: Campaign) -> "QuerySet[Any]":
    return Twin.objects.filter(campaign=campaign).order_by("pk")


def _changed(since: datetime) -> Q:
    # An imported question may join the twin later, which changes trigger and warnings.
    joined = Question.objects.filter(created_at__gte=since).values("twin")
    return Q(created_at__gte=since) | Q(withdrawn_at__gte=since) | Q(pk__in=joined)


TWINS = Table(
    rows=_rows,
    columns=lambda campaign: _COLUMNS,
    changed=_changed,
    state=(
        "collection_twin r WHERE r.campaign_id = %(campaign)s",
        "collection_provenance r JOIN collection_twin t ON t.id = r.twin_id"
        " WHERE t.campaign_id = %(campaign)s",
    ),
)
