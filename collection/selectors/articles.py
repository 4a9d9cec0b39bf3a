"""Reads of priming: uses of articles and anchors, and the choice of the next article."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Count, Q, QuerySet

from collection.core.anchors import anchor_key
from collection.models import Article, Assignment, Campaign, Twin
from workers.models import User

# The uses of an article are its active twins (with submitted assignments; that of a withdrawn twin
# is withdrawn) and its current holders. They are counted each time, so an ended lease or a
# withdrawn twin frees a use. A corrected article is the same one, so all its versions count.
_NEXT_ARTICLE = """
WITH used AS (
    SELECT version.source_id, count(*) AS uses
    FROM collection_assignment AS assignment
    JOIN collection_article AS version ON version.id = assignment.article_id
    WHERE assignment.campaign_id = %(campaign)s
      AND assignment.status IN ('open', 'submitted')
      AND (assignment.status = 'submitted' OR assignment.leased_until > %(now)s)
    GROUP BY version.source_id
), had AS (
    SELECT DISTINCT version.source_id
    FROM collection_assignment AS assignment
    JOIN collection_article AS version ON version.id = assignment.article_id
    WHERE assignment.campaign_id = %(campaign)s AND assignment.worker_id = %(worker)s
)
SELECT article.id
FROM collection_article AS article
LEFT JOIN used ON used.source_id = article.source_id
LEFT JOIN had ON had.source_id = article.source_id
WHERE article.campaign_id = %(campaign)s
  AND article.retired_at IS NULL
  AND article.source_id IS DISTINCT FROM %(but)s::text
  AND (%(most)s::bigint IS NULL OR coalesce(used.uses, 0) < %(most)s::bigint)
ORDER BY (had.source_id IS NOT NULL), coalesce(used.uses, 0), random()
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
                "but": but.source_id if but else None,
            },
        )
        row = cursor.fetchone()
    return row[0] if row else None


@dataclass(frozen=True, slots=True)
class Uses:
    """What became of an article, in all its versions."""

    n_twins: int = 0
    n_returned: int = 0
    """Assignments that writers returned with a reason."""


def uses_of_articles(campaign: Campaign, source_ids: Iterable[str]) -> Mapping[str, Uses]:
    """Return the uses of articles by ``source_id``; of an unknown one, none."""
    rows = Assignment.objects.filter(campaign=campaign, article__source_id__in=list(source_ids))
    counts = (
        rows.order_by()
        .values_list("article__source_id")
        .annotate(
            n_twins=Count("pk", filter=Q(status=Assignment.Status.SUBMITTED)),
            n_returned=Count("pk", filter=~Q(return_reason="")),
        )
    )
    return defaultdict(Uses, {source_id: Uses(*numbers) for source_id, *numbers in counts})


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
