"""Votes: the validator (a pseudonym), the answers, their times and durations."""

from datetime import datetime
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    DecimalField,
    DurationField,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Extract, Greatest, Lag, Round

from collection.models import Campaign, Consent
from validation.models import VerdictEvent, Vote
from validation.selectors.tables.table import Table
from winoplatform.exporting.columns import Column, Kind
from workers.models import Qualification


def _is(**condition: Any) -> "ExpressionWrapper[Any]":
    return ExpressionWrapper(Q(**condition), BooleanField())


def _seconds(since: Any, until: Any) -> Round:
    """Seconds between two times, to the millisecond; null if the clock was set back."""
    between = ExpressionWrapper(until - since, DurationField())
    number = DecimalField()
    return Round(
        Greatest(Value(0, number), Extract(between, "epoch", output_field=number)), precision=3
    )


# The version of the guidelines that the worker had accepted when they voted.
ACCEPTED = Subquery(
    Consent.objects.filter(
        guideline__campaign=OuterRef("seat__campaign"),
        skill=Qualification.Skill.VALIDATE,
        worker=OuterRef("worker"),
        created_at__lte=OuterRef("created_at"),
    )
    .order_by("-guideline__version")
    .values("guideline__version")[:1]
)
_BEFORE = Window(Lag("created_at"), partition_by="worker", order_by="pk")
# Reading begins at the claim or the vote before, whichever is later: the next question is fetched
# while one is validated. As ``core.votes.first_seconds`` over arrays.
_BEGUN = Case(When(seat__claimed_at__isnull=False, then=Greatest(F("seat__claimed_at"), _BEFORE)))
_COLUMNS = {
    "vote": Column(F("public_id")),
    "question": Column(F("question__public_id")),
    "twin": Column(F("question__twin__public_id")),
    "domain": Column(F("question__twin__domain")),
    "worker": Column(F("worker__public_id")),
    "seat": Column(F("seat__number"), Kind.INTEGER, nullable=True),
    "option": Column(F("option"), Kind.INTEGER),
    "correct": Column(_is(option=F("question__answer")), Kind.FLAG),
    "ambiguous": Column(F("ambiguous"), Kind.FLAG),
    "local_option": Column(F("local_option"), Kind.INTEGER, nullable=True),
    "local_correct": Column(_is(local_option=F("question__answer")), Kind.FLAG, nullable=True),
    "seconds_local": Column(_seconds(_BEGUN, F("seat__local_at")), Kind.NUMBER, nullable=True),
    "seconds_sentence": Column(
        _seconds(F("seat__local_at"), F("created_at")), Kind.NUMBER, nullable=True
    ),
    "guidelines": Column(ACCEPTED, Kind.INTEGER, nullable=True),
    "report": Column(F("report")),
    "comment": Column(F("comment"), Kind.TYPED),
    "gold": Column(F("is_gold"), Kind.FLAG),
    "excluded": Column(_is(excluded_at__isnull=False), Kind.FLAG),
    "amended": Column(_is(amended_at__isnull=False), Kind.FLAG),
    "claimed_at": Column(F("seat__claimed_at"), Kind.TIME, nullable=True),
    "local_at": Column(F("seat__local_at"), Kind.TIME, nullable=True),
    "amended_at": Column(F("amended_at"), Kind.TIME, nullable=True),
    "excluded_at": Column(F("excluded_at"), Kind.TIME, nullable=True),
    "excluded_by": Column(F("excluded_by__public_id"), nullable=True),
    "exclusion_reason": Column(F("exclusion_reason"), Kind.TYPED),
    "created_at": Column(F("created_at"), Kind.TIME),
}
COLUMNS = tuple(_COLUMNS)


def _rows(campaign: Campaign) -> "QuerySet[Any]":
    # Filtered by campaign, so the window function finds the validator's previous vote in it.
    return Vote.objects.filter(seat__campaign=campaign).order_by("pk")


def _changed(since: datetime) -> Q:
    # A restored vote has no date of its own; the audit log names its question.
    restored = VerdictEvent.objects.filter(
        created_at__gte=since, action=VerdictEvent.Action.VOTE_RESTORED
    )
    return (
        Q(created_at__gte=since)
        | Q(amended_at__gte=since)
        | Q(excluded_at__gte=since)
        | Q(question__in=restored.values("question"))
    )


VOTES = Table(
    rows=_rows,
    columns=lambda campaign: _COLUMNS,
    changed=_changed,
    state=(
        "validation_vote r JOIN validation_seat s ON s.id = r.seat_id"
        " WHERE s.campaign_id = %(campaign)s",
        "validation_seat r WHERE r.campaign_id = %(campaign)s AND r.answered_at IS NOT NULL",
        "collection_consent r JOIN collection_guideline g ON g.id = r.guideline_id"
        " WHERE g.campaign_id = %(campaign)s",
    ),
)
