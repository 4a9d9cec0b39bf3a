"""Leave out what is nearly a blind question, so that no answer tells a blind label."""

from collections.abc import Callable

from collection.models.expressions import SentenceKey
from corpora.building.tables import execute, insert
from corpora.building.trigrams import all_trigrams, similar_questions
from corpora.models import BlindSentence
from validation.models import PublishedSentence

NEAR_DUPLICATE = "near_duplicate"
_DECIDED = BlindSentence._meta.db_table
_PUBLIC = PublishedSentence._meta.db_table
_KEY = SentenceKey.template

# Twins of which a question is or may become blind and public: its twin is as secret, also where it
# is published nowhere.
_SECRET = f"""
INSERT INTO planned_secret
SELECT DISTINCT q.twin_id FROM collection_question q
WHERE {_KEY % {"expressions": "q.sentence"}} IN (
    SELECT key FROM planned_blind WHERE is_published
    UNION SELECT key FROM {_DECIDED} WHERE is_published
)
"""
_NEAR = f"""
INSERT INTO planned_near
SELECT s.blind, q.twin_id, bool_or(EXISTS (
    SELECT FROM {_PUBLIC} p
    WHERE p.is_answered AND p.key = {_KEY % {"expressions": "q.sentence"}}
))
FROM planned_similar s JOIN collection_question q ON q.id = s.question
GROUP BY s.blind, q.twin_id
"""
# The answer of something similar is public already: the blind twin is never published.
_TOLD = """
UPDATE planned_twin t SET left_out = 'near_duplicate'
WHERE left_out = '' AND split = 'test'
  AND EXISTS (SELECT FROM planned_near n WHERE n.blind = t.twin AND n.is_answered)
"""
# A twin in train or dev is left out, unless it is similar only to a blind twin that just was.
_SIMILAR = f"""
UPDATE planned_twin t SET left_out = 'near_duplicate'
WHERE left_out = '' AND split IN ('train', 'dev') AND EXISTS (
    SELECT FROM planned_near n LEFT JOIN planned_twin b ON b.twin = n.blind
    WHERE n.other = t.twin AND (
        b.left_out IS DISTINCT FROM 'near_duplicate' OR EXISTS (
            SELECT FROM planned_blind q JOIN {_DECIDED} d USING (key)
            WHERE q.twin = n.blind AND d.is_published
        )
    )
    AND NOT n.is_answered
)
"""


def leave_out(*, threshold: float, progress: Callable[[str], None]) -> None:
    """Mark twins of the plan that are near-duplicates of blind ones, or blind ones of public ones.

    Parameters
    ----------
    threshold : float
        Similarity from which sentences are near-duplicates: the share of common trigrams of their
        content words.
    progress : callable
        Given what is being done.
    """
    if execute(_SECRET):
        _find(threshold=threshold, progress=progress)
    execute(_TOLD)
    execute(_SIMILAR)


def _find(*, threshold: float, progress: Callable[[str], None]) -> None:
    """Fill ``planned_near`` for the blind twins."""
    with all_trigrams(progress=lambda n: progress(f"trigrams of {n:,} questions")) as stored:
        for blind, questions in similar_questions(
            stored,
            threshold=threshold,
            progress=lambda n: progress(f"near-duplicates of {n:,} blind questions"),
        ):
            pairs = zip(blind.tolist(), questions.tolist(), strict=True)
            insert("planned_similar", pairs, columns=("blind", "question"))
    execute("ANALYZE planned_similar")
    execute(_NEAR)
