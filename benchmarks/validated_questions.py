"""Questions of many authors with votes and verdicts, made from `synthetic_questions` by SQL."""

from typing import Any

from benchmarks.synthetic_questions import valid_questions

VALIDATORS, ANCHORS = 120, 400
# Random but the same in each run: the last digits of a hash decide.
DRAWN = "('x' || left(md5({0}), 7))::bit(28)::int / 268435456.0"

TWINS = f"""
UPDATE collection_twin SET
    domain = CASE WHEN {DRAWN.format("'d' || id")} < 0.4 THEN 'social' ELSE 'physical' END,
    anchor = 'anchor ' || (id %% %(anchors)s), anchor_key = 'anchor ' || (id %% %(anchors)s),
    withdrawn_at = CASE WHEN {DRAWN.format("'w' || id")} < 0.02 THEN now() END
WHERE campaign_id = %(campaign)s
"""
SEATS = """
INSERT INTO validation_seat (public_id, question_id, number, campaign_id, twin_id, author_id, place,
    worker_id, claimed_at, leased_until, local_at, answered_at, reward)
SELECT gen_random_uuid(), q.id, nth, t.campaign_id, t.id, t.author_id, q.id,
    %(first)s + (t.id * 6 + (q.number - 1) * 3 + nth) %% %(validators)s,
    now() - interval '2 min', now(), now() - interval '1 min', now(), 0.03
FROM collection_question q JOIN collection_twin t ON t.id = q.twin_id,
    generate_series(1, 3) nth
WHERE t.campaign_id = %(campaign)s AND t.id %% 10 > 0 AND t.id < %(end)s ORDER BY q.id, nth
"""
VOTES = f"""
INSERT INTO validation_vote (public_id, seat_id, question_id, worker_id, option, ambiguous,
    local_option, comment, report, is_gold, created_at, exclusion_reason)
SELECT gen_random_uuid(), s.id, q.id, s.worker_id,
    CASE WHEN {DRAWN.format("'o' || s.id")} < 0.85 THEN q.answer ELSE 3 - q.answer END,
    {DRAWN.format("'a' || s.id")} < 0.15,
    CASE WHEN {DRAWN.format("'l' || s.id")} < 0.2 THEN q.answer END,
    '', '', false, s.answered_at, ''
FROM validation_seat s JOIN collection_question q ON q.id = s.question_id
WHERE s.campaign_id = %(campaign)s
"""
VERDICTS = """
INSERT INTO validation_verdict (question_id, policy, version, valid, reasons, counts, created_at)
SELECT id, 'majority', 2, failed = '[]', failed, counts, now() FROM (
    SELECT *, to_jsonb(array_remove(ARRAY[CASE WHEN n_right < 2 THEN 'wrong_answer' END,
            CASE WHEN unclear > 1 THEN 'ambiguous' END,
            CASE WHEN known > 1 THEN 'local' END], NULL)) AS failed,
        jsonb_build_object('votes', 3, 'correct', n_right, 'unambiguous', 3 - unclear,
            'local', known) AS counts
    FROM (
        SELECT q.id, count(*) FILTER (WHERE v.option = q.answer) AS n_right,
            count(*) FILTER (WHERE v.ambiguous) AS unclear,
            count(*) FILTER (WHERE v.local_option = q.answer) AS known
        FROM validation_vote v JOIN collection_question q ON q.id = v.question_id
            JOIN validation_seat s ON s.id = v.seat_id
        WHERE s.campaign_id = %(campaign)s GROUP BY q.id
    ) counted
) decided
"""
TABLES = (
    "collection_twin, collection_question, validation_seat, validation_vote, validation_verdict, "
    "validation_questionfacts"
)


def validated_questions(slug: str, questions: int, *, seed: int = 0) -> Any:
    """Return a campaign with that many questions; nine in ten have three votes and a verdict.

    15 % of votes are wrong, as many find the question ambiguous, and 2 % of twins are withdrawn.
    """
    from django.db import connection

    from tests.races.crowd import make_users

    campaign = valid_questions(slug, questions, seed=seed)
    people = make_users(f"validator-{slug}-", VALIDATORS)
    facts: dict[str, Any] = {
        "campaign": campaign.pk,
        "first": min(person.pk for person in people),
        "validators": VALIDATORS,
        "anchors": ANCHORS,
        "end": 2**62,
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM validation_verdict WHERE question_id IN (SELECT q.id FROM"
            " collection_question q JOIN collection_twin t ON t.id = q.twin_id"
            " WHERE t.campaign_id = %(campaign)s)",
            facts,
        )
        for statement in (TWINS, SEATS, VOTES, VERDICTS):
            cursor.execute(statement, facts)
        # Rows that come one by one leave no such gaps as these statements. The second one marks
        # the pages as visible, as autovacuum does.
        cursor.execute(f"VACUUM FULL {TABLES}")
        cursor.execute(f"VACUUM ANALYZE {TABLES}")
        cursor.execute("CHECKPOINT")  # or its writes would come while pages are measured
    return campaign
