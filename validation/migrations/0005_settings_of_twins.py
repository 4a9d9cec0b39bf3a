"""Twins that are there keep the votes that their seats show, and the policy of their verdicts.

Each question began with the usual number of seats; further ones have an event in the audit log.
Where a curator has decided, free seats were deleted, so such a question shows nothing. What
remains unknown stays as today's settings have it.
"""

from django.db import migrations

CORRECT = """
ALTER TABLE collection_twin DISABLE TRIGGER collection_twin_keeps_its_settings;
UPDATE collection_twin t SET verdict_policy = shown.policy
FROM (
    SELECT q.twin_id, min(v.policy) AS policy
    FROM validation_verdict v JOIN collection_question q ON q.id = v.question_id
    WHERE v.decided_by_id IS NULL GROUP BY q.twin_id
) shown
WHERE shown.twin_id = t.id AND t.origin = 'authored';
UPDATE collection_twin t SET votes_per_question = shown.votes
FROM (
    SELECT s.twin_id, max(s.seats - coalesce(e.further, 0)) AS votes
    FROM (
        SELECT twin_id, question_id, count(*) AS seats FROM validation_seat
        WHERE number IS NOT NULL GROUP BY twin_id, question_id
    ) s
    LEFT JOIN validation_verdict v ON v.question_id = s.question_id
    LEFT JOIN (
        SELECT question_id, count(*) AS further FROM validation_verdictevent
        WHERE action = 'one_more' OR (action = 'excluded' AND after->>'replaced_by' IS NOT NULL)
        GROUP BY question_id
    ) e ON e.question_id = s.question_id
    WHERE v.decided_by_id IS NULL GROUP BY s.twin_id
) shown
WHERE shown.twin_id = t.id AND t.origin = 'authored' AND shown.votes IN (1, 3, 5, 7, 9);
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE collection_twin ENABLE TRIGGER collection_twin_keeps_its_settings;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("collection", "0006_settings_history"),
        ("validation", "0004_facts_indexes"),
    ]
    operations = [
        migrations.RunSQL(CORRECT, migrations.RunSQL.noop),
    ]
