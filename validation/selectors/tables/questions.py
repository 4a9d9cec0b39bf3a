"""Questions with their verdicts, those of withdrawn twins included."""

from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from collection.models import Campaign, Question
from validation.models import VerdictEvent
from validation.selectors.tables.table import Table
from winoplatform.exporting.columns import Column, Kind

_COLUMNS = {
    "question": Column(F("public_id")),
    "twin": Column(F("twin__public_id")),
    "number": Column(F("number"), Kind.INTEGER),
    "sentence": Column(F("sentence"), Kind.TYPED),
    "option1": Column(F("twin__option1"), Kind.TYPED),
    "option2": Column(F("twin__option2"), Kind.TYPED),
    "answer": Column(F("answer"), Kind.INTEGER),
    "domain": Column(F("twin__domain")),
    "origin": Column(F("twin__origin")),
    "valid": Column(F("verdict__valid"), Kind.FLAG, nullable=True),
    "reasons": Column(F("verdict__reasons"), Kind.JSON, nullable=True),
    "counts": Column(F("verdict__counts"), Kind.JSON, nullable=True),
    "policy": Column(F("verdict__policy"), nullable=True),
    "version": Column(F("verdict__version"), Kind.INTEGER, nullable=True),
    "decided_by": Column(F("verdict__decided_by__public_id"), nullable=True),
    "decided_at": Column(F("verdict__created_at"), Kind.TIME, nullable=True),
    "withdrawn_at": Column(F("twin__withdrawn_at"), Kind.TIME, nullable=True),
    "created_at": Column(F("created_at"), Kind.TIME),
}
COLUMNS = tuple(_COLUMNS)


def _rows(campaign: Campaign) -> "QuerySet[Any]":
    return Question.objects.filter(twin__campaign=campaign).order_by("pk")


def _changed(since: datetime) -> Q:
    # The audit log dates every change of a verdict, also its deletion.
    logged = VerdictEvent.objects.filter(created_at__gte=since).values("question")
    return (
        Q(created_at__gte=since)
        | Q(twin__withdrawn_at__gte=since)
        | Q(verdict__created_at__gte=since)
        | Q(pk__in=logged)
    )


QUESTIONS = Table(
    rows=_rows,
    columns=lambda campaign: _COLUMNS,
    changed=_changed,
    state=(
        "collection_twin r WHERE r.campaign_id = %(campaign)s",
        "collection_question r JOIN collection_twin t ON t.id = r.twin_id"
        " WHERE t.campaign_id = %(campaign)s",
        "validation_verdict r JOIN collection_question q ON q.id = r.question_id"
        " JOIN collection_twin t ON t.id = q.twin_id WHERE t.campaign_id = %(campaign)s",
    ),
)
