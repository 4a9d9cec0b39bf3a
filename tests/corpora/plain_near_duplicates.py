"""Near-duplicates the plain way: each blind sentence is looked up in the index of content words."""

from collections.abc import Sequence

from django.db import connection, transaction

_NEAR = """
SELECT DISTINCT b.twin_id, o.id
FROM collection_question b CROSS JOIN LATERAL (
    SELECT q.id FROM collection_question q
    WHERE collection_content_words(q.sentence) %% collection_content_words(b.sentence)
      AND q.twin_id <> b.twin_id
    OFFSET 0
) o
WHERE b.twin_id = ANY(%s)
"""


def plain_near_duplicates(twins: Sequence[int], *, threshold: float) -> set[tuple[int, int]]:
    """Return the blind twins with the questions of other twins that are similar to them."""
    with transaction.atomic(), connection.cursor() as cursor:
        # The index returns rows above this session setting.
        cursor.execute("SET LOCAL pg_trgm.similarity_threshold = %s", [threshold])
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(_NEAR, [list(twins)])
        return set(cursor.fetchall())
