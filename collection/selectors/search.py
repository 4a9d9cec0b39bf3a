"""Finding questions: by words, similar to a sentence, or repeats of another one."""

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db import connection, transaction
from django.db.models import QuerySet

from collection.core.repeats import Repeats, RepeatTable
from collection.models import Campaign, Question

BATCH = 500
READ = ("sentence", "twin__option1", "twin__option2", "answer")


def repeats_in(campaign: Campaign) -> Repeats:
    """Count the repeats among all questions of a campaign that are not withdrawn."""
    table = RepeatTable()
    rows = Question.objects.in_campaign(campaign).order_by().values_list(*READ)
    for sentence, option1, option2, answer in rows.iterator(chunk_size=BATCH):
        table.add(sentence, options=(option1, option2), answer=answer)
    return table.count()


LEAST_SIMILAR = 0.4
MOST_SIMILAR = 200

_SIMILAR = """
SELECT question.id
FROM (SELECT collection_content_words(%(sentence)s) AS content_words) AS given
JOIN collection_question AS question
  ON collection_content_words(question.sentence) %% given.content_words
JOIN collection_twin AS twin ON twin.id = question.twin_id
WHERE twin.campaign_id = coalesce(%(campaign)s, twin.campaign_id)
ORDER BY similarity(collection_content_words(question.sentence), given.content_words) DESC,
    question.id
LIMIT %(limit)s
"""


def with_words(words: str) -> "QuerySet[Question]":
    """Return the questions whose sentences have *words*, in any inflection.

    As in a web search: ``"a phrase"``, ``-without``, ``or``. Any text is a valid search; one of
    words without content ("the") finds nothing.
    """
    indexed = Question.objects.alias(words=SearchVector("sentence", config="english"))
    return indexed.filter(words=SearchQuery(words, config="english", search_type="websearch"))


def has_content(words: str) -> bool:
    """Return whether a search for *words* has any word that is not ignored, such as "the"."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT numnode(websearch_to_tsquery('english', %s)) > 0", [words])
        return bool(cursor.fetchone()[0])


def similar_questions(sentence: str, campaign: Campaign | None = None) -> list[int]:
    """Return the keys of the questions most similar to *sentence*, the nearest first.

    Trigrams of content words are compared, as for near-duplicates. At most ``MOST_SIMILAR``, with
    a similarity of at least ``LEAST_SIMILAR``.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # The index returns rows above this session setting.
        cursor.execute("SET LOCAL pg_trgm.similarity_threshold = %s", [LEAST_SIMILAR])
        only = campaign.pk if campaign else None
        cursor.execute(_SIMILAR, {"sentence": sentence, "limit": MOST_SIMILAR, "campaign": only})
        return [key for (key,) in cursor.fetchall()]
