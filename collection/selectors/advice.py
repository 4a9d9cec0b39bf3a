"""Reads for advice: comparisons of a new twin with the other twins of a campaign, by index scans.

Nothing is cached between calls; withdrawn twins never count.
"""

from collections.abc import Iterable, Mapping, Sequence

from django.db import connection, transaction
from django.db.models import Q

from collection.core.advice.campaign import NEAR_DUPLICATE, Near
from collection.core.advice.cues import Cue
from collection.core.examples import OF_TWINS
from collection.models import Campaign, ExerciseItem, Twin
from collection.models.twins import TwinQuerySet
from workers.models import User

_NEAREST = """
SELECT question.sentence,
       similarity(collection_content_words(question.sentence), new.content_words) AS similarity,
       coalesce(twin.author_id = %(author)s, FALSE)
FROM (
    SELECT collection_content_words(text) AS content_words
    FROM unnest(%(sentences)s::text[]) AS typed (text)
) AS new
JOIN collection_question AS question
  ON collection_content_words(question.sentence) %% new.content_words
JOIN collection_twin AS twin ON twin.id = question.twin_id
WHERE twin.campaign_id = %(campaign)s AND twin.withdrawn_at IS NULL
  AND twin.id IS DISTINCT FROM %(leave_out)s
ORDER BY similarity DESC, question.id
LIMIT 1
"""

_COUNTS = """
SELECT cue, count(*) FROM ({twins}) AS twin CROSS JOIN unnest(twin.cues) AS cue
WHERE cue = ANY(%s) GROUP BY cue
"""


def nearest_twin(
    *,
    campaign: Campaign,
    sentences: Sequence[str],
    author: User,
    leave_out: Twin | None = None,
) -> Near | None:
    """Return the stored sentence most similar to *sentences*; None without a near-duplicate.

    Trigrams of content words (``ContentWords``) are compared with both sentences of each twin.
    Comparing only with its first sentence would reveal which one that is, and so usually its
    answer.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # The index returns rows above this session setting; its default would return thousands.
        cursor.execute("SET LOCAL pg_trgm.similarity_threshold = %s", [NEAR_DUPLICATE])
        cursor.execute(
            _NEAREST,
            {
                "author": author.pk,
                "sentences": list(sentences),
                "campaign": campaign.pk,
                "leave_out": leave_out.pk if leave_out else None,
            },
        )
        row = cursor.fetchone()
    return Near(*row) if row else None


def own_texts(campaign: Campaign) -> list[str]:
    """Return what writers of a campaign read before they write, apart from the article.

    Its guidelines, its exercise and the platform's examples.
    """
    guideline = campaign.guideline
    items = ExerciseItem.objects.filter(campaign=campaign, retired_at=None).order_by("pk")
    examples = (sentence for example in OF_TWINS for sentence in example.sentences)
    read = (guideline.text, guideline.aids_policy) if guideline else ()
    return [*read, *items.values_list("prompt", flat=True), *examples]


def trigger_uses(*, campaign: Campaign, key: str, leave_out: Twin | None = None) -> int:
    """Count the twins with this trigger."""
    twins = _others(campaign, leave_out)
    return twins.filter(trigger_key=key).count() if key else 0


def twins_up_to(limit: int, *, campaign: Campaign, leave_out: Twin | None = None) -> int:
    """Count the campaign's twins, up to *limit*."""
    return _others(campaign, leave_out).order_by()[:limit].count()


def _others(campaign: Campaign, leave_out: Twin | None) -> TwinQuerySet:
    others = Twin.objects.active().filter(campaign=campaign)
    return others.exclude(pk=leave_out.pk) if leave_out else others


def cue_counts(
    own: Iterable[Cue], *, campaign: Campaign, known: Q, leave_out: Twin | None = None
) -> Mapping[str, int]:
    """Count the other twins that have the same cues as a twin, or the opposite ones, by cue name.

    A cue depends on which option is right, so any result based on others' labels would reveal them,
    even a yes or no. Only twins that meet *known* count, whose labels the writer knows.
    """
    prefix = f"{campaign.pk}:"
    names = [prefix + name for cue in own for name in (cue.name, cue.opposite)]
    if not names:
        return {}
    twins = _others(campaign, leave_out).filter(known, cues__overlap=names)
    sql, params = twins.order_by().values("cues").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS.format(twins=sql), [*params, names])
        return {name.removeprefix(prefix): count for name, count in cursor}
