"""Exported tables of a campaign: the splits of its twins, and what is public of its questions."""

from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from collection.models import Campaign, Question
from collection.models.expressions import SentenceKey
from corpora.models import BlindSentence, Draw
from validation.models import PublishedSentence
from validation.selectors.tables.table import Table
from winoplatform.exporting.columns import Column, Kind

_DRAWS = {
    "twin": Column(F("twin__public_id")),
    "split": Column(F("split")),
    "drawn": Column(F("origin")),
    "is_pair": Column(F("is_pair"), Kind.FLAG),
    "dev_share": Column(F("dev_share"), Kind.NUMBER, nullable=True),
    "test_share": Column(F("test_share"), Kind.NUMBER, nullable=True),
    "draw_table": Column(F("table__public_id"), nullable=True),
    "table_sha256": Column(F("table__sha256"), nullable=True),
    "table_salt": Column(F("table__salt"), nullable=True),
    "table_created_at": Column(F("table__created_at"), Kind.TIME, nullable=True),
    "created_at": Column(F("created_at"), Kind.TIME),
}
_PUBLISHED = PublishedSentence.objects.filter(key=OuterRef("key"))
_DECIDED = BlindSentence.objects.filter(key=OuterRef("key"))
_DISCLOSURES = {
    "question": Column(F("public_id")),
    "sentence_public": Column(F("sentence_public"), Kind.FLAG),
    "answer_public": Column(F("answer_public"), Kind.FLAG),
    "published_blind": Column(F("published_blind"), Kind.FLAG, nullable=True),
}


def _draws(campaign: Campaign) -> "QuerySet[Any]":
    return Draw.objects.filter(twin__campaign=campaign).order_by("pk")


def _drawn_since(since: datetime) -> Q:
    return Q(created_at__gte=since)


def _disclosures(campaign: Campaign) -> "QuerySet[Any]":
    keyed = Question.objects.filter(twin__campaign=campaign).alias(key=SentenceKey("sentence"))
    rows_of_sentences = keyed.annotate(
        sentence_public=Exists(_PUBLISHED),
        answer_public=Exists(_PUBLISHED.filter(is_answered=True)),
        published_blind=Subquery(_DECIDED.values("is_published")),
    )
    is_disclosed = Q(sentence_public=True) | Q(published_blind__isnull=False)
    return rows_of_sentences.filter(is_disclosed).order_by("pk")


def _all(since: datetime) -> Q:
    """What a release makes public has no date in these tables."""
    return Q()


_QUESTIONS = (
    "collection_question r JOIN collection_twin t ON t.id = r.twin_id"
    " WHERE t.campaign_id = %(campaign)s"
)
DRAWS = Table(
    rows=_draws,
    columns=lambda campaign: _DRAWS,
    changed=_drawn_since,
    state=(
        "corpora_draw r JOIN collection_twin t ON t.id = r.twin_id"
        " WHERE t.campaign_id = %(campaign)s",
    ),
)
DISCLOSURES = Table(
    rows=_disclosures,
    columns=lambda campaign: _DISCLOSURES,
    changed=_all,
    state=(_QUESTIONS, "validation_publishedsentence r", "corpora_blindsentence r"),
)
