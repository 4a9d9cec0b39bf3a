"""Reads of priming: uses of articles and anchors, and the choice of the next article."""

import uuid
from collections.abc import Iterable
from datetime import datetime

from django.db import connection
from django.db.models import Count, QuerySet

from collection.core.anchors import anchor_key
from collection.models import Article, Campaign, Twin
from workers.models import User

# The uses of an article are its active twins (with submitted assignments; that of a withdrawn twin
# is withdrawn) and its current holders. They are counted each time, so an ended lease or a
# withdrawn twin frees a use.
_NEXT_ARTICLE = """
WITH used AS (
    SELECT assignment.article_id, count(*) AS uses
    FROM collection_assignment AS assignment
    WHERE assignment.campaign_id = %(campaign)s
      AND assignment.status IN ('open', 'submitted')
      AND (assignment.status = 'submitted' OR assignment.leased_until > %(now)s)
    GROUP BY assignment.article_id
), had AS (
    SELECT DISTINCT article_id FROM collection_assignment
    WHERE campaign_id = %(campaign)s AND worker_id = %(worker)s
)
SELECT article.id
FROM collection_article AS article
LEFT JOIN used ON used.article_id = article.id
LEFT JOIN had ON had.article_id = article.id
WHERE article.campaign_id = %(campaign)s
  AND article.id IS DISTINCT FROM %(but)s::bigint
  AND (%(most)s::bigint IS NULL OR coalesce(used.uses, 0) < %(most)s::bigint)
ORDER BY (had.article_id IS NOT NULL), coalesce(used.uses, 0), random()
LIMIT 1
"""


def next_article_id(
    *, campaign: Campaign, worker: User, now: datetime, but: Article | None = None
) -> int | None:
    """Choose an article: least used first, random in ties; None if all are used up.

    One that *worker* has had before is chosen only if no other is left, and *but* never.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _NEXT_ARTICLE,
            {
                "campaign": campaign.pk,
                "worker": worker.pk,
                "now": now,
                "most": campaign.article_uses_max,
                "but": but.pk if but else None,
            },
        )
        row = cursor.fetchone()
    return row[0] if row else None


def used_up_anchors(*, campaign: Campaign, article: Article) -> frozenset[str]:
    """Return the ``anchor_key`` of each anchor of *article* that has reached its cap."""
    keys = (anchor_key(anchor["text"]) for anchor in article.anchors)
    return anchors_at_cap(campaign=campaign, keys=keys)


def anchors_at_cap(
    *, campaign: Campaign, keys: Iterable[str], leave_out: uuid.UUID | None = None
) -> frozenset[str]:
    """Return those of *keys* for which the campaign has reached its cap of twins.

    The twin whose public id is *leave_out* does not count, as it is about to be replaced.
    """
    if campaign.anchor_uses_max is None:
        return frozenset()
    twins: QuerySet[Twin] = Twin.objects.active().filter(campaign=campaign)
    if leave_out is not None:
        twins = twins.exclude(public_id=leave_out)
    counts = twins.filter(anchor_key__in=set(keys)).order_by().values_list("anchor_key")
    counted = counts.annotate(uses=Count("pk")).filter(uses__gte=campaign.anchor_uses_max)
    return frozenset(key for key, _ in counted)
