"""The versions that a campaign's people accept, and who has accepted and withdrawn which."""

from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from collection.models import Campaign, Consent, Guideline
from validation.selectors.tables.table import Table
from winoplatform.exporting.columns import Column, Kind

_VERSIONS = {
    "guideline": Column(F("public_id")),
    "guidelines": Column(F("version"), Kind.INTEGER),
    "text": Column(F("text"), Kind.TYPED),
    "aids_policy": Column(F("aids_policy"), Kind.TYPED),
    "asked_by": Column(F("asked_by"), Kind.TYPED),
    "contact": Column(F("contact"), Kind.TYPED),
    "monitoring": Column(F("monitoring"), Kind.TYPED),
    "data_use": Column(F("data_use"), Kind.TYPED),
    "shows_user_names": Column(F("shows_user_names"), Kind.FLAG, earlier=False),
    "published_by": Column(F("created_by__public_id"), nullable=True),
    "created_at": Column(F("created_at"), Kind.TIME),
}
_CONSENTS = {
    "consent": Column(F("public_id")),
    "worker": Column(F("worker__public_id")),
    "guidelines": Column(F("guideline__version"), Kind.INTEGER),
    "skill": Column(F("skill")),
    "created_at": Column(F("created_at"), Kind.TIME),
    "withdrawn_at": Column(F("withdrawn_at"), Kind.TIME, nullable=True),
}


def _versions(campaign: Campaign) -> "QuerySet[Any]":
    return Guideline.objects.filter(campaign=campaign).order_by("pk")


def _consents(campaign: Campaign) -> "QuerySet[Any]":
    return Consent.objects.filter(guideline__campaign=campaign).order_by("pk")


def _published(since: datetime) -> Q:
    return Q(created_at__gte=since)


def _given_or_withdrawn(since: datetime) -> Q:
    return Q(created_at__gte=since) | Q(withdrawn_at__gte=since)


GUIDELINES = Table(
    rows=_versions,
    columns=lambda campaign: _VERSIONS,
    changed=_published,
    state=("collection_guideline r WHERE r.campaign_id = %(campaign)s",),
)
CONSENTS = Table(
    rows=_consents,
    columns=lambda campaign: _CONSENTS,
    changed=_given_or_withdrawn,
    state=(
        "collection_consent r JOIN collection_guideline g ON g.id = r.guideline_id"
        " WHERE g.campaign_id = %(campaign)s",
    ),
)
