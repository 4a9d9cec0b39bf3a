"""Keeps the order of the queue, notes what past votes were paid, and guards the trail."""

from django.db import migrations

PLACES = "UPDATE validation_seat SET place = question_id WHERE place = 0"
PAID = """
UPDATE validation_seat SET reward = entry.amount
FROM validation_vote vote
JOIN workers_ledgerentry entry
  ON entry.worker_id = vote.worker_id AND entry.kind = 'vote' AND entry.unit = vote.public_id::text
WHERE vote.seat_id = validation_seat.id
"""
PROMISED = """
UPDATE collection_assignment SET reward = entry.amount
FROM collection_twin twin
JOIN workers_ledgerentry entry
  ON entry.worker_id = twin.author_id AND entry.kind = 'twin' AND entry.unit = twin.public_id::text
WHERE twin.assignment_id = collection_assignment.id
"""
GUARD = """
CREATE FUNCTION validation_verdictevent_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The trail of verdicts is append-only.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER validation_verdictevent_is_append_only
    BEFORE UPDATE OR DELETE ON validation_verdictevent
    FOR EACH ROW EXECUTE FUNCTION validation_verdictevent_refuse_change();
"""
UNGUARD = """
DROP TRIGGER validation_verdictevent_is_append_only ON validation_verdictevent;
DROP FUNCTION validation_verdictevent_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [("validation", "0003_quality")]

    operations = [
        migrations.RunSQL([PLACES, PAID, PROMISED], migrations.RunSQL.noop),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
