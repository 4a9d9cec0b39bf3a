"""Rows of `QuestionFacts` are written by the database, whatever changed what they are made from."""

from django.db import migrations

# The lock comes first: the statement after it sees what the transaction before has committed.
WRITE = """
CREATE FUNCTION validation_write_facts(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM validation_questionfacts WHERE question_id = ANY (ids)
        ORDER BY question_id FOR NO KEY UPDATE;
    INSERT INTO validation_questionfacts AS old (question_id, campaign_id, twin_id, author_id,
        domain, anchor, state, reasons, n_votes, n_right, validators)
    SELECT q.id, t.campaign_id, t.id, t.author_id, t.domain, t.anchor_key,
        CASE WHEN t.withdrawn_at IS NOT NULL THEN 'withdrawn'
            WHEN v.valid THEN 'valid'
            WHEN v.reasons ? 'returned' THEN 'returned'
            WHEN v.reasons ? 'excluded_by_curator' THEN 'not_used'
            WHEN NOT v.valid THEN 'invalid'
            WHEN t.origin = 'published' THEN 'published'
            ELSE 'awaiting_votes' END,
        coalesce((SELECT array_agg(r ORDER BY r) FROM jsonb_array_elements_text(v.reasons) r), '{}'),
        votes.n, votes.n_right, votes.validators
    FROM unnest(ids) AS asked (id)
    JOIN collection_question q ON q.id = asked.id
    JOIN collection_twin t ON t.id = q.twin_id
    LEFT JOIN validation_verdict v ON v.question_id = q.id
    CROSS JOIN LATERAL (
        SELECT count(*) AS n, count(*) FILTER (WHERE option = q.answer) AS n_right,
            coalesce(array_agg(worker_id ORDER BY worker_id), '{}') AS validators
        FROM validation_vote
        WHERE question_id = q.id AND NOT is_gold AND excluded_at IS NULL
    ) votes
    ON CONFLICT (question_id) DO UPDATE SET campaign_id = excluded.campaign_id,
        twin_id = excluded.twin_id, author_id = excluded.author_id, domain = excluded.domain,
        anchor = excluded.anchor, state = excluded.state, reasons = excluded.reasons,
        n_votes = excluded.n_votes, n_right = excluded.n_right, validators = excluded.validators;
END $$;
"""
TRIGGERS = """
CREATE FUNCTION validation_facts_of_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM validation_write_facts(ARRAY({ids}));
    RETURN NULL;
END $$;
"""
TRIGGER = """
CREATE TRIGGER validation_facts_{event} AFTER {event} ON {table}
    REFERENCING {which} TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION validation_facts_of_{table}();
"""
OF_QUESTIONS = "SELECT DISTINCT question_id FROM changed ORDER BY 1"
IDS = {
    "collection_question": "SELECT id FROM changed ORDER BY 1",
    "collection_twin": (
        "SELECT q.id FROM collection_question q JOIN changed t ON t.id = q.twin_id ORDER BY 1"
    ),
    "validation_verdict": OF_QUESTIONS,
    "validation_vote": OF_QUESTIONS,
}
# A twin has no questions yet when it is inserted.
EVENTS = {
    "collection_question": ("INSERT", "UPDATE"),
    "collection_twin": ("UPDATE",),
    "validation_verdict": ("INSERT", "UPDATE", "DELETE"),
    "validation_vote": ("INSERT", "UPDATE", "DELETE"),
}
FILL = """
SELECT validation_write_facts(ids) FROM (
    SELECT array_agg(id ORDER BY id) AS ids FROM collection_question GROUP BY id / 10000
) batches;
"""


def create() -> str:
    made = [WRITE]
    for table, ids in IDS.items():
        made.append(TRIGGERS.format(table=table, ids=ids))
        for event in EVENTS[table]:
            which = "OLD" if event == "DELETE" else "NEW"
            made.append(TRIGGER.format(table=table, event=event, which=which))
    return "".join(made)


def drop() -> str:
    dropped = [f"DROP FUNCTION validation_facts_of_{table}() CASCADE;" for table in IDS]
    return "".join([*dropped, "DROP FUNCTION validation_write_facts(bigint[]);"])


class Migration(migrations.Migration):
    dependencies = [("validation", "0002_triggers")]
    operations = [
        migrations.RunSQL(create(), drop()),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
