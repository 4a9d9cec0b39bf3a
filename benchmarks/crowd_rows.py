"""Long queues made in seconds, by SQL alone: twins of many authors, their questions and seats."""

from typing import Any

AUTHORS = 100
# Indexes that only writing needs; half a million sentences would take minutes to get into them.
OF_WRITING = (
    *("collection_question_trigram", "collection_question_key", "collection_question_words"),
    "collection_twin_cues",
)

TWINS = """
INSERT INTO collection_twin (public_id, campaign_id, author_id, client_key, origin, source_id,
    domain, anchor, anchor_key, option1, option2, trigger, trigger_key, warnings, advice, cues,
    fingerprint, min_words, max_words, min_overlap, votes_per_question, verdict_policy, created_at)
SELECT gen_random_uuid(), %(campaign)s, %(first)s + n %% %(authors)s, gen_random_uuid(), 'authored',
    '', 'physical', 'suitcase', 'suitcase', %(one)s, %(two)s, '{}', '', '[]', '[]', '{}',
    md5(%(campaign)s || '-' || n), min_words, max_words, min_overlap, votes_per_question,
    verdict_policy, now()
FROM generate_series(0, %(twins)s - 1) n JOIN collection_campaign c ON c.id = %(campaign)s
"""
QUESTIONS = """
INSERT INTO collection_question (public_id, twin_id, number, sentence, answer, created_at)
SELECT left(md5(random()::text || twin.id), 16), twin.id, number,
    CASE number WHEN 1 THEN %(first)s ELSE %(second)s END, number, now()
FROM collection_twin twin, generate_series(1, 2) number
WHERE twin.campaign_id = %(campaign)s ORDER BY twin.id, number
"""
# Writers take turns: the n-th twin of each is in round n.
SEATS = """
INSERT INTO validation_seat (public_id, question_id, number, campaign_id, twin_id, author_id, place)
SELECT gen_random_uuid(), question.id, number, %(campaign)s, twin.id, twin.author_id,
    ((row_number() OVER (PARTITION BY twin.author_id, question.number ORDER BY twin.id)) << 40)
        + 2 * twin.id + question.number - 1
FROM collection_twin twin JOIN collection_question question ON question.twin_id = twin.id
WHERE twin.campaign_id = %(campaign)s AND twin.id >= %(first)s
"""


def without_indexes_of_writing() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        for name in OF_WRITING:
            cursor.execute(f"DROP INDEX IF EXISTS {name}")


def with_index(name: str) -> None:
    """Make one of `OF_WRITING` again, over the rows that are there."""
    from django.db import connection

    from collection.models import Question, Twin

    (found,) = (
        (model, index)
        for model in (Question, Twin)
        for index in model._meta.indexes
        if index.name == name
    )
    with connection.schema_editor() as editor:
        editor.add_index(*found)


def make_seats(campaign: Any, *, first: int = 0) -> None:
    """Make the free seats of the campaign's questions, from the twin with the key *first* on."""
    from django.db import connection

    with connection.cursor() as cursor:
        for number in range(1, campaign.votes_per_question + 1):
            seats = SEATS.replace("number, %", f"{number}, %", 1)
            cursor.execute(seats, {"campaign": campaign.pk, "first": first})


def fill(campaign: Any, questions: int) -> None:
    """Give *campaign* that many open questions, with all their seats."""
    from django.db import connection

    from tests.factories import OPTIONS, SENTENCES
    from tests.races.crowd import make_users

    authors = make_users(f"author-{campaign.pk}-", AUTHORS)
    facts = {
        "campaign": campaign.pk,
        "first": min(author.pk for author in authors),
        "authors": AUTHORS,
        "twins": questions // 2,
        "one": OPTIONS[0],
        "two": OPTIONS[1],
    }
    with connection.cursor() as cursor:
        cursor.execute(TWINS, facts)
        cursor.execute(
            QUESTIONS, {"campaign": campaign.pk, "first": SENTENCES[0], "second": SENTENCES[1]}
        )
        make_seats(campaign)
        # As autovacuum would have by the time such a queue has grown.
        cursor.execute("VACUUM ANALYZE validation_seat, collection_question, collection_twin")
