"""Writers and validators by pseudonym: who they are, and what the campaign states of them."""

from datetime import datetime
from typing import Any

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Value, When

from collection.models import Campaign, Twin
from validation.models import Seat
from validation.selectors.tables.table import Table
from winoplatform.exporting.columns import Column, Kind
from workers.models import User

CROWD = User.Origin.CROWD.value


def written(campaign: Any, until: datetime | None = None) -> "QuerySet[Twin]":
    """Return the twins of a campaign *until* a time, withdrawn ones too.

    The campaign is a row, or refers to one of an outer query, here and below.
    """
    twins = Twin.objects.filter(campaign=campaign)
    return twins if until is None else twins.filter(created_at__lte=until)


def wrote_in(campaign: Any, until: datetime | None = None) -> Exists:
    """Return the condition that an account has written in a campaign."""
    return Exists(written(campaign, until).filter(author=OuterRef("pk")))


def voted_in(campaign: Any, until: datetime | None = None) -> Exists:
    """Return the condition that an account has voted in a campaign."""
    seats = Seat.objects.filter(worker=OuterRef("pk"), campaign=campaign)
    given = seats.filter(answered_at__isnull=False)
    return Exists(given if until is None else given.filter(answered_at__lte=until))


def _rows(campaign: Campaign) -> "QuerySet[Any]":
    return User.objects.filter(Q(wrote_in(campaign)) | Q(voted_in(campaign))).order_by("pk")


def _columns(campaign: Campaign) -> dict[str, Column]:
    """Return the columns; who is behind an account that does not tell it, an import cannot know."""
    chosen, platform = campaign.people_chosen
    unknown = chosen or User.Origin.IMPORTED.value
    is_crowd = Q(origin=CROWD) | (Q(origin="") if chosen == CROWD else Q(pk__in=[]))
    return {
        "person": Column(F("public_id")),
        "person_origin": Column(_if(~Q(origin=""), F("origin"), Value(unknown))),
        "person_platform": Column(
            _if(~Q(platform=""), F("platform"), _if(is_crowd, Value(platform), Value(""))),
            Kind.TYPED,
        ),
        "campaign_origin": Column(Value(chosen, CharField())),
        "campaign_platform": Column(Value(platform, CharField()), Kind.TYPED),
    }


def _if(condition: Q, then: Any, otherwise: Any) -> Case:
    return Case(When(condition, then=then), default=otherwise, output_field=CharField())


def _all(since: datetime) -> Q:
    """Accounts have no date of their first work in a campaign."""
    return Q()


PEOPLE = Table(
    rows=_rows,
    columns=_columns,
    changed=_all,
    state=(
        "collection_campaign r WHERE r.id = %(campaign)s",
        "workers_user r WHERE r.id IN (SELECT author_id FROM collection_twin"
        " WHERE campaign_id = %(campaign)s UNION SELECT worker_id FROM validation_seat"
        " WHERE campaign_id = %(campaign)s AND answered_at IS NOT NULL)",
    ),
)
