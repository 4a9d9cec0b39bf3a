"""Writers and validators by pseudonym: who they are, and what the campaign states of them."""

from datetime import datetime
from typing import Any

from django.db.models import Case, CharField, F, Q, QuerySet, Value, When

from collection.models import Campaign
from validation.selectors.people import voted_in, wrote_in
from validation.selectors.tables.table import Table
from winoplatform.exporting.columns import Column, Kind
from workers.models import User

CROWD = User.Origin.CROWD.value


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
